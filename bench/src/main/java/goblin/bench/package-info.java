// SPDX-License-Identifier: Apache-2.0

/** The latency probes, which check every answer before they count it. */
package goblin.bench;
