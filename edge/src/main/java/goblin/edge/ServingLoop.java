// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.linux.Errno;
import java.util.function.BooleanSupplier;

/** One loop of the program from its start to its end: its thread, where its clients come in, how it is drained. */
final class ServingLoop implements AcceptHandler {
    private static final long FLUSH_CHECK_NS = 5_000_000L;
    private static final String TOO_MANY = "-ERR max number of clients reached\r\n";

    private final EventLoop loop;
    private final Edge edge;
    private volatile Listener listener;
    private boolean closed;
    private boolean draining;

    ServingLoop(final EventLoop loop, final Edge edge) {
        this.loop = loop;
        this.edge = edge;
    }

    EventLoop loop() {
        return loop;
    }

    Edge edge() {
        return edge;
    }

    /** Where it listens; null before, and when another loop accepts for it. Any thread. */
    Listener listener() {
        return listener;
    }

    /**
     * Starts listening, unless it has stopped that already. On the loop's thread.
     *
     * @param handler told of connections, such as this
     * @throws goblin.net.NetException when the kernel refuses
     */
    void listen(final Endpoint at, final ListenOptions options, final AcceptHandler handler) {
        if (!closed) {
            listener = edge.transport().listen(at, options, handler);
        }
    }

    @Override
    public ConnectionHandler onAccept(final Connection connection) {
        if (!edge.all().admit()) {
            edge.counters().increment(EdgeCounter.CONNECTIONS_REFUSED);
            edge.scratch().clear();
            edge.scratch().appendAscii(TOO_MANY);
            connection.send(edge.scratch().address(), edge.scratch().length());
            return null;
        }
        edge.counters().increment(EdgeCounter.CONNECTIONS_ACCEPTED);
        final ClientSession client =
                new ClientSession(edge, connection, edge.all().nextClientId());
        edge.clients().add(client);
        return client;
    }

    @Override
    public void onAcceptError(final int errno) {
        edge.counters().increment(EdgeCounter.ACCEPT_ERRORS);
        edge.log()
                .line("cannot accept: " + Errno.name(errno)
                        + "; accepting pauses. Raise LimitNOFILE or the limit it names");
    }

    /** Accepts what waits, and nothing after that; clients are served on. On the loop's thread, outside any handler. */
    void closeDoor() {
        closed = true;
        if (listener != null) {
            listener.finish();
        }
    }

    /**
     * Stops accepting, and ends the loop when everything queued is flushed. On the loop's thread.
     *
     * @param deadlineNs  when it ends in any case
     * @param othersEnded whether nothing can come from other loops any more
     */
    void drain(final long deadlineNs, final BooleanSupplier othersEnded) {
        if (!draining) {
            draining = true;
            closeDoor();
            flushOrWait(deadlineNs, othersEnded);
        }
    }

    private void flushOrWait(final long deadlineNs, final BooleanSupplier othersEnded) {
        // Asked first: what others sent before they ended is handled in the turns until this is asked again.
        final boolean last = othersEnded.getAsBoolean();
        long queued = edge.role().queuedBytes();
        for (final ClientSession client : edge.clients().all()) {
            client.output().flush();
            queued += client.output().bytes();
            if (client.upstream() != null) {
                client.upstream().flush();
                queued += client.upstream().queuedBytes();
            }
        }
        if ((last && queued == 0) || loop.nowNs() - deadlineNs >= 0) {
            loop.stop();
        } else {
            loop.schedule(FLUSH_CHECK_NS, () -> flushOrWait(deadlineNs, othersEnded));
        }
    }
}
