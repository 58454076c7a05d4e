// SPDX-License-Identifier: Apache-2.0
package goblin.net.uring;

import goblin.net.socket.Pollable;

/**
 * A place for one watched descriptor, and the operations that the kernel has under way for it. The place is taken again
 * only when none is left: completions that come after the descriptor was closed find it, and nobody behind it.
 */
final class Registration {
    final int index;
    /** Which use of the place this is. */
    int generation;

    /** Null when it was closed. */
    Pollable pollable;
    /** The same when it is a connection. */
    UringConnection connection;

    int descriptor;
    int events;

    /** A watch is under way, or the end of one. */
    boolean watching;

    boolean endingWatch;
    /** A receive is under way, or the end of one. */
    boolean receiving;

    boolean endingReceive;

    /** In the list of those whose operations may not be the wanted ones. */
    boolean changed;

    Registration(final int index) {
        this.index = index;
    }

    void begin(final Pollable of, final UringConnection same, final int eventBits) {
        generation++;
        pollable = of;
        connection = same;
        descriptor = of.descriptor();
        events = eventBits;
    }

    boolean isUnused() {
        return pollable == null && !watching && !endingWatch && !receiving && !endingReceive;
    }
}
