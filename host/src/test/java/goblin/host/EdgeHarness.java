// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import goblin.host.command.PubSub;
import goblin.host.command.Publication;
import goblin.host.command.Publisher;
import goblin.host.command.Receiver;
import goblin.link.LinkDetector;
import goblin.link.LinkLimits;
import goblin.net.ChunkPool;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.ListenOptions;
import goblin.net.NativeBuffer;
import goblin.net.ReceiveSegment;
import goblin.net.epoll.EpollTransport;
import goblin.pubsub.Kind;
import goblin.pubsub.Subscriptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Edges of a host on a real Unix socket, with a loop that the test turns and a clock that the test moves. */
final class EdgeHarness implements AutoCloseable {
    static final String RELEASE = "1.2.3+test";
    static final long SECOND = 1_000_000_000L;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long PATIENCE_NS = 20 * SECOND;

    final List<String> log = new ArrayList<>();
    final PubSub pubSub = new PubSub();
    final EdgePeers peers;
    private final EventLoop loop = new EventLoop("test", new EpollTransport(), IdlePolicy.SPIN);
    private final Path socket;
    private final List<RawEdge> clients = new ArrayList<>();
    private final List<Flushable> toFlush = new ArrayList<>();
    private long nowNs = System.nanoTime();
    private long allocatedByLoop;
    private boolean forbidden;

    EdgeHarness(final Path directory, final long bufferBytes) {
        socket = directory.resolve("s");
        peers = new EdgePeers(
                loop,
                new ChunkPool(),
                pubSub,
                new EdgeOptions(RELEASE, 30 * SECOND, bufferBytes, LinkLimits.MAX_FRAME_BYTES),
                toFlush::add,
                log::add);
        loop.transport().listen(new Endpoint.Unix(socket), ListenOptions.DEFAULT, new goblin.net.AcceptHandler() {
            @Override
            public ConnectionHandler onAccept(final Connection connection) {
                return new Preambled();
            }

            @Override
            public void onAcceptError(final int errno) {
                log.add("accept error " + errno);
            }
        });
        loop.atTurnEnd(() -> {
            for (int i = 0; i < toFlush.size(); i++) {
                toFlush.get(i).flush();
            }
            toFlush.clear();
        });
    }

    /** From now on connections are told that links are not taken. */
    void forbid() {
        forbidden = true;
    }

    /** A raw client that has sent the preamble. */
    RawEdge connect() throws IOException {
        final RawEdge client = new RawEdge(socket);
        clients.add(client);
        return client;
    }

    /** A registered aggregate link. */
    RawEdge aggregate(final long id, final long instance) throws IOException {
        final RawEdge client = connect();
        client.registerAggregate(id, instance, RELEASE);
        until(() -> client.has("registered " + id + ' ' + instance + ' ' + RELEASE));
        return client;
    }

    /** A registered publisher link. */
    RawEdge publisher(final long id, final long instance) throws IOException {
        final RawEdge client = connect();
        client.registerPublisher(id, instance, RELEASE);
        until(() -> client.has("registered " + id + ' ' + instance + ' ' + RELEASE));
        return client;
    }

    /** Turns the loop and lets the clients read until the condition holds. */
    void until(final BooleanSupplier condition) {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadlineNs)
                    .as("waited too long; log %s, clients %s", log, clients)
                    .isNegative();
            turn();
        }
    }

    /** Some turns in which nothing more may happen. */
    void settle() {
        for (int i = 0; i < 50; i++) {
            turn();
        }
    }

    void turn() {
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        loop.runOnce(nowNs);
        allocatedByLoop += THREADS.getCurrentThreadAllocatedBytes() - before;
        clients.forEach(RawEdge::poll);
    }

    /** Bytes of Java heap that the loop's turns have allocated. */
    long allocatedByLoop() {
        return allocatedByLoop;
    }

    /** Moves the clock on in steps in which the loop turns, as a running loop would. */
    void advance(final long ns) {
        long leftNs = ns;
        while (leftNs > 0) {
            final long stepNs = Math.min(leftNs, SECOND / 10);
            nowNs += stepNs;
            leftNs -= stepNs;
            turn();
        }
    }

    /** Moves the clock on while the loop does not turn. */
    void standStill(final long ns) {
        nowNs += ns;
        turn();
    }

    long nowNs() {
        return nowNs;
    }

    /** Publishes as a client of the host does; answers the integer. */
    long publish(final String channel, final String payload, final Publisher publisher) {
        return publish(Kind.CHANNEL, channel, payload, publisher);
    }

    long publish(final Kind kind, final String channel, final String payload, final Publisher publisher) {
        final NativeBuffer bytes = new NativeBuffer();
        bytes.appendAscii(channel);
        bytes.appendAscii(payload);
        try {
            return pubSub.publish(
                    kind,
                    bytes.address(),
                    channel.length(),
                    bytes.address() + channel.length(),
                    payload.length(),
                    null,
                    publisher);
        } finally {
            bytes.free();
        }
    }

    /** Subscribes a client of the host, which notes the name for each message it gets. */
    void subscribe(final Kind kind, final String name, final List<String> seen) {
        final Receiver receiver = new Noting(name, seen);
        final NativeBuffer bytes = new NativeBuffer();
        bytes.appendAscii(name);
        pubSub.registry().setWeight(kind, bytes.address(), name.length(), receiver, 1);
        bytes.free();
    }

    @Override
    public void close() throws IOException {
        peers.close();
        for (final RawEdge client : clients) {
            client.close();
        }
        loop.transport().close();
    }

    /** A client of the host. */
    private static final class Noting implements Receiver {
        private final Subscriptions<Receiver> subscriptions = new Subscriptions<>();
        private final String name;
        private final List<String> seen;

        private Noting(final String name, final List<String> seen) {
            this.name = name;
            this.seen = seen;
        }

        @Override
        public Subscriptions<Receiver> subscriptions() {
            return subscriptions;
        }

        @Override
        public void onMatch(final Publication publication) {
            seen.add(name);
        }
    }

    /** Strips the preamble, then hands everything to the link. */
    private final class Preambled implements ConnectionHandler {
        private final LinkDetector detector = new LinkDetector();
        private EdgeLink link;

        @Override
        public void onReceive(final Connection connection, final ReceiveSegment segment) {
            if (link != null) {
                link.onReceive(connection, segment);
            } else if (detector.offer(segment.address(), segment.length()) != LinkDetector.SBE) {
                return;
            } else if (forbidden) {
                peers.reject(connection, "not here");
            } else {
                link = peers.accept(connection);
                link.onBytes(segment.address() + detector.consumed(), segment.length() - detector.consumed());
            }
        }

        @Override
        public void onEndOfStream(final Connection connection) {
            if (link == null) {
                connection.close();
            } else {
                link.onEndOfStream(connection);
            }
        }

        @Override
        public void onPeerEndedWhilePaused(final Connection connection) {
            link.onPeerEndedWhilePaused(connection);
        }

        @Override
        public void onWritable(final Connection connection) {
            if (link != null) {
                link.onWritable(connection);
            }
        }

        @Override
        public void onClosed(final Connection connection, final int errno) {
            if (link != null) {
                link.onClosed(connection, errno);
            }
        }
    }
}
