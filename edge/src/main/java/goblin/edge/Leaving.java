// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.Listener;
import java.util.List;

/**
 * How an edge leaves whose clients are served until they go by themselves: new connections go to another edge on the same
 * address, those that have begun are still accepted, then the doors are closed; and when no client is left, or time is over,
 * it is done. On the home's thread, but for what other loops are told.
 */
final class Leaving {
    /** A handshake that had begun when connections were diverted should be over after this. */
    private static final long HANDSHAKES_NS = 1_000_000_000L;

    private static final long CHECK_NS = 20_000_000L;

    private final List<ServingLoop> loops;
    private final EdgeLoops all;
    private final long mostNs;
    private final Runnable done;
    private final ServingLoop home;
    private long deadlineNs;
    private int open;

    /**
     * Prepares it.
     *
     * @param loops  the home first
     * @param mostNs how long it takes at most
     * @param done   called once, on the home's thread
     */
    Leaving(final List<ServingLoop> loops, final EdgeLoops all, final long mostNs, final Runnable done) {
        this.loops = loops;
        this.all = all;
        this.mostNs = mostNs;
        this.done = done;
        home = loops.getFirst();
    }

    /** Starts. Any thread. */
    void begin() {
        home.edge().tell(this::divert);
    }

    private void divert() {
        deadlineNs = home.loop().nowNs() + mostNs;
        all.log()
                .line("draining: " + all.clients() + " clients are served until they leave, for "
                        + mostNs / 1_000_000_000L + " s at most");
        final Listener door = home.listener();
        // This edge's sockets are the oldest of the port, as many as it has loops.
        if (door != null && door.divert(loops.size())) {
            home.loop().schedule(Math.min(HANDSHAKES_NS, mostNs), this::closeDoors);
        } else {
            closeDoors();
        }
    }

    /** The home's goes last: with it the diversion ends. */
    private void closeDoors() {
        open = loops.size() - 1;
        for (final ServingLoop each : loops) {
            if (each != home) {
                each.edge().tell(() -> {
                    each.closeDoor();
                    home.edge().tell(this::closed);
                });
            }
        }
        if (open == 0) {
            closeLast();
        }
    }

    private void closed() {
        if (--open == 0) {
            closeLast();
        }
    }

    private void closeLast() {
        home.closeDoor();
        check();
    }

    private void check() {
        if (all.clients() == 0 || home.loop().nowNs() - deadlineNs >= 0) {
            done.run();
        } else {
            home.loop().schedule(CHECK_NS, this::check);
        }
    }
}
