// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.Transport;
import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * A server's and a client's transport, turned by hand on the test's thread: a test waits for a condition by turning, and
 * may turn time forward. The server listens from the start.
 */
final class TransportPair implements AutoCloseable {
    private static final long PATIENCE_NS = 30_000_000_000L;

    final Transport server;
    final Transport client;
    final Listener listener;

    /** Accepted connections, oldest first. */
    final List<Connection> accepted = new ArrayList<>();

    final List<Integer> acceptErrors = new ArrayList<>();

    /** Chooses the handler of the next accepted connection. */
    Function<Connection, ConnectionHandler> onAccept;

    /** Takes accepted sockets instead of the server while it is set. */
    Adopter adopter;

    /** Whoever takes a socket that was accepted. */
    @FunctionalInterface
    interface Adopter {
        void take(int descriptor, Endpoint remote, Endpoint local, AcceptHandler handler);
    }

    private long skippedNs;

    TransportPair(final Transport server, final Transport client, final Endpoint local, final ListenOptions options) {
        this.server = server;
        this.client = client;
        listener = server.listen(local, options, new AcceptHandler() {
            @Override
            public boolean handOver(final int descriptor, final Endpoint from, final Endpoint at) {
                if (adopter != null) {
                    adopter.take(descriptor, from, at, this);
                }
                return adopter != null;
            }

            @Override
            public ConnectionHandler onAccept(final Connection connection) {
                accepted.add(connection);
                return onAccept.apply(connection);
            }

            @Override
            public void onAcceptError(final int errno) {
                acceptErrors.add(errno);
            }
        });
    }

    /** Connects, and waits until both ends are there. */
    Connection connect(final ConnectionHandler clientHandler, final ConnectionHandler serverHandler) {
        final int before = accepted.size();
        onAccept = connection -> serverHandler;
        final Connection connection = client.connect(listener.endpoint(), clientHandler);
        until("an accepted connection", () -> accepted.size() > before);
        return connection;
    }

    /** One turn of each side; returns how much was done. */
    int turn() {
        final long now = System.nanoTime() + skippedNs;
        return client.poll(now) + server.poll(now);
    }

    /** Lets time pass for timers. */
    void skip(final long ns) {
        skippedNs += ns;
    }

    /** Turns until the condition holds. */
    void until(final String what, final BooleanSupplier condition) {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean()) {
            turn();
            if (deadlineNs - System.nanoTime() < 0) {
                throw new AssertionError("waited in vain for " + what);
            }
        }
    }

    /**
     * Turns until nothing has happened for a while: {@code quietTurns} turns in a row without work. On loopback a byte
     * sent is there when send returns, so that quiet means that nothing is on its way.
     */
    void untilQuiet(final int quietTurns) {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        for (int quiet = 0; quiet < quietTurns; ) {
            quiet = turn() == 0 ? quiet + 1 : 0;
            if (deadlineNs - System.nanoTime() < 0) {
                throw new AssertionError("it never becomes quiet");
            }
        }
    }

    /** Sends a short text, turning while the connection does not take all of it. */
    void send(final Connection connection, final String text) {
        final byte[] bytes = text.getBytes(ISO_8859_1);
        final long memory = Memory.allocate(bytes.length);
        try {
            Memory.copyIn(bytes, 0, memory, bytes.length);
            int sent = 0;
            while (sent < bytes.length) {
                final long taken = connection.send(memory + sent, bytes.length - sent);
                if (taken < 0) {
                    throw new AssertionError("the connection to " + connection.peerName() + " is closed");
                }
                sent += (int) taken;
                if (sent < bytes.length) {
                    turn();
                }
            }
        } finally {
            Memory.free(memory);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
