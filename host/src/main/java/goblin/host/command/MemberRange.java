// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.value.SkipList;

/** A run of neighbours in a sorted set, told by questions that turn from false to true once along the order. */
interface MemberRange {
    /**
     * Says whether the run has begun at a node.
     *
     * @param node a node
     * @return false for all nodes before the run
     */
    boolean isStarted(SkipList.Node node);

    /**
     * Says whether the run is over at a node.
     *
     * @param node a node
     * @return true for all nodes after the run
     */
    boolean isPassed(SkipList.Node node);
}
