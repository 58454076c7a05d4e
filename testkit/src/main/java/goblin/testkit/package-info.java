// SPDX-License-Identifier: Apache-2.0

/** What several rooms need to test against bad networks and real processes. */
package goblin.testkit;
