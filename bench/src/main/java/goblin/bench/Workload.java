// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.List;

/**
 * Cases that stand in one table.
 *
 * @param name  names it on the command line and in file names
 * @param title heads its table
 * @param sides who is measured: ours first, then the one it is compared with, then others
 * @param fresh whether each run has servers of its own, started for it
 * @param cases what is measured
 */
record Workload(String name, String title, List<Contender> sides, boolean fresh, List<Case> cases) {}
