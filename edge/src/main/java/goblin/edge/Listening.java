// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.ListenOptions;
import goblin.net.NetException;
import goblin.net.linux.Errno;
import java.util.List;

/**
 * Opens the doors of all loops, the home's first. Each loop listens on the same address, and the kernel spreads
 * connections over them; where it cannot, the home accepts for all and hands connections on by turns. Everything but
 * what other loops are told runs on the home's thread.
 */
final class Listening {
    /** Told on the home's thread how it went. */
    interface Outcome {
        /** Every loop takes clients. */
        void onListening(Endpoint at);

        /** The kernel refuses. */
        void onRefused(String why);
    }

    private final EdgeContext context;
    private final List<ServingLoop> loops;
    private final Outcome outcome;
    private int missing;

    Listening(final EdgeContext context, final List<ServingLoop> loops, final Outcome outcome) {
        this.context = context;
        this.loops = loops;
        this.outcome = outcome;
    }

    /** Starts. */
    void open() {
        final ServingLoop home = loops.getFirst();
        try {
            missing = openHome(home) ? loops.size() - 1 : 0;
        } catch (final NetException e) {
            outcome.onRefused(e.getMessage());
            return;
        }
        if (home.listener() == null) {
            // It is being stopped.
            return;
        }
        final Endpoint at = home.listener().endpoint();
        if (missing == 0) {
            outcome.onListening(at);
            return;
        }
        for (final ServingLoop each : loops.subList(1, loops.size())) {
            each.edge().tell(() -> open(each, at));
        }
    }

    /** Returns whether the other loops are to listen, too. With time to drain another edge may be there, or come. */
    private boolean openHome(final ServingLoop home) {
        if (loops.size() > 1 || context.drainNs() > 0) {
            try {
                home.listen(context.listenEndpoint(), options(true), home);
                return true;
            } catch (final NetException e) {
                if (e.errno() == Errno.EADDRINUSE) {
                    throw e;
                }
            }
        }
        home.listen(context.listenEndpoint(), options(false), loops.size() > 1 ? new ByTurns() : home);
        return false;
    }

    private void open(final ServingLoop loop, final Endpoint at) {
        final Edge home = loops.getFirst().edge();
        try {
            loop.listen(at, options(true), loop);
            home.tell(() -> opened(at));
        } catch (final NetException e) {
            home.tell(() -> outcome.onRefused(e.getMessage()));
        }
    }

    private void opened(final Endpoint at) {
        if (--missing == 0) {
            outcome.onListening(at);
        }
    }

    private ListenOptions options(final boolean shared) {
        return new ListenOptions(context.backlog(), 0, shared);
    }

    /** Hands each connection to the next loop. */
    private final class ByTurns implements AcceptHandler {
        private int next;

        @Override
        public boolean handOver(final int descriptor, final Endpoint remote, final Endpoint local) {
            final ServingLoop chosen = loops.get(next);
            next = (next + 1) % loops.size();
            // A loop that ends runs this when its transport is closed already, which then closes the socket.
            return chosen != loops.getFirst() && chosen.edge().tell(() -> adopt(chosen, descriptor, remote, local));
        }

        private static void adopt(
                final ServingLoop loop, final int descriptor, final Endpoint remote, final Endpoint local) {
            final int errno = -loop.edge().transport().adopt(descriptor, remote, local, loop);
            if (errno > 0) {
                loop.onAcceptError(errno);
            }
        }

        @Override
        public ConnectionHandler onAccept(final Connection connection) {
            return loops.getFirst().onAccept(connection);
        }

        @Override
        public void onAcceptError(final int errno) {
            loops.getFirst().onAcceptError(errno);
        }
    }
}
