// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.linux.SocketCalls;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * What all listeners have in common: accepts for all loops and hands each connection to the loop that {@link LoopChoice}
 * names. Runs on the first loop, where the listeners are.
 */
final class LoopAcceptor implements AcceptHandler {
    private final List<TcpLoop> loops;
    private final LoopChoice choice;

    LoopAcceptor(final List<TcpLoop> loops) {
        this.loops = loops;
        choice = new LoopChoice(loops.size());
    }

    LoopChoice choice() {
        return choice;
    }

    @Override
    public boolean handOver(final int descriptor, final Endpoint remote, final Endpoint local) {
        final InetAddress host = ((Endpoint.Tcp) remote).address();
        int chosen = choice.take(host);
        while (chosen != LoopChoice.NONE) {
            final Seat seat = new Seat(host, chosen);
            if (handOver(loops.get(chosen).loop(), seat, descriptor, remote, local)) {
                return true;
            }
            choice.ended(chosen);
            choice.giveBack(host, chosen);
            chosen = choice.take(host);
        }
        final SocketCalls closing = new SocketCalls();
        closing.close(descriptor);
        closing.free();
        loops.getFirst().counters().add(TcpCounter.REFUSED, 1);
        return true;
    }

    private static boolean handOver(
            final EventLoop loop, final Seat seat, final int descriptor, final Endpoint remote, final Endpoint local) {
        if (loop.inLoop()) {
            seat.adopt(loop, descriptor, remote, local);
            return true;
        }
        if (loop.failure() != null) {
            return false;
        }
        try {
            // A loop that ends runs this when its transport is closed already, which then closes the socket.
            loop.execute(() -> seat.adopt(loop, descriptor, remote, local));
            return true;
        } catch (final RejectedExecutionException hasEnded) {
            return false;
        }
    }

    @Override
    public ConnectionHandler onAccept(final Connection connection) {
        throw new IllegalStateException("every connection is handed over");
    }

    @Override
    public void onAcceptError(final int errno) {
        loops.getFirst().onAcceptError(errno);
    }

    /** One connection's place in the counts. */
    private final class Seat implements AcceptHandler {
        private final InetAddress host;
        private final int loop;

        Seat(final InetAddress host, final int loop) {
            this.host = host;
            this.loop = loop;
        }

        void adopt(final EventLoop on, final int descriptor, final Endpoint remote, final Endpoint local) {
            final int outcome = on.transport().adopt(descriptor, remote, local, this);
            if (outcome < 0) {
                leave();
                loops.get(loop).notServed(outcome);
            }
        }

        @Override
        public ConnectionHandler onAccept(final Connection connection) {
            final ConnectionHandler handler = loops.get(loop).accept(connection, this::leave);
            if (handler == null) {
                leave();
            }
            return handler;
        }

        @Override
        public void onAcceptError(final int errno) {
            throw new IllegalStateException("it does not listen");
        }

        private void leave() {
            choice.giveBack(host, loop);
        }
    }
}
