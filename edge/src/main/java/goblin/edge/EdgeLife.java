// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

/** Told what the program must act on. Called on the loop's thread. */
interface EdgeLife {
    /** Both links are registered: clients may come. */
    void onLinked();

    /**
     * A link cannot be made or is lost.
     *
     * @param why one line for people
     */
    void onFatal(String why);
}
