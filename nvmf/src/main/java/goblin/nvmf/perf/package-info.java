// SPDX-License-Identifier: Apache-2.0

/** The load generator of {@code goblin-nvmf-perf}: workloads over an {@code Initiator}, and tables of what they measure. */
package goblin.nvmf.perf;
