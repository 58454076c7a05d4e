// SPDX-License-Identifier: Apache-2.0

/** The programs: {@code goblin-nvmf} and what controls and shows it. Puts media, target and transport together. */
package goblin.nvmf;
