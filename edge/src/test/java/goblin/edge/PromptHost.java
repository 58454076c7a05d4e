// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.LinkDecoder;
import goblin.link.LinkEncoder;
import goblin.link.LinkError;
import goblin.link.LinkHandler;
import goblin.link.LinkLimits;
import goblin.link.LinkRole;
import goblin.link.Preamble;
import goblin.link.Release;
import goblin.net.ChunkPool;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.NativeBuffer;
import goblin.net.ReceiveSegment;
import goblin.net.SendQueue;
import goblin.net.epoll.EpollTransport;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import goblin.resp.CommandDecoder;
import goblin.resp.RespLimits;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;

/** A host that answers everything at once, on a loop of its own: it acknowledges, counts nobody, and knows one value. */
final class PromptHost implements AutoCloseable {
    private final EventLoop loop = new EventLoop("prompt-host", new EpollTransport(), IdlePolicy.BACKOFF);
    private final ChunkPool chunks = new ChunkPool();
    private final LinkEncoder encoder = new LinkEncoder();
    private final int port;

    PromptHost() {
        final CompletableFuture<Integer> listening = new CompletableFuture<>();
        loop.execute(() -> {
            final Listener listener = loop.transport()
                    .listen(
                            new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0),
                            ListenOptions.DEFAULT,
                            new goblin.net.AcceptHandler() {
                                @Override
                                public ConnectionHandler onAccept(final Connection connection) {
                                    return new Peer(connection);
                                }

                                @Override
                                public void onAcceptError(final int errno) {
                                    throw new AssertionError("accept: " + errno);
                                }
                            });
            listening.complete(((Endpoint.Tcp) listener.endpoint()).port());
        });
        loop.start();
        port = listening.join();
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        loop.close();
        encoder.close();
    }

    /** One connection: a link or a session, told by its first byte. */
    private final class Peer implements ConnectionHandler, LinkHandler {
        private final Connection connection;
        private final SendQueue queue = new SendQueue(chunks);
        private final LinkDecoder links = new LinkDecoder(LinkLimits.MAX_FRAME_BYTES);
        private final CommandDecoder commands = new CommandDecoder(RespLimits.AUTHENTICATED);
        private final NativeBuffer cut = new NativeBuffer();
        private boolean decided;
        private boolean link;
        private int preambleLeft;

        Peer(final Connection connection) {
            this.connection = connection;
        }

        @Override
        public void onReceive(final Connection from, final ReceiveSegment segment) {
            long address = segment.address();
            int length = segment.length();
            if (!decided) {
                decided = true;
                link = Memory.getByte(address) == 'G';
                preambleLeft = link ? Preamble.LENGTH : 0;
            }
            final int skipped = Math.min(preambleLeft, length);
            preambleLeft -= skipped;
            address += skipped;
            length -= skipped;
            if (length == 0) {
                return;
            }
            if (link) {
                links.onBytes(address, length, this);
            } else if (cut.isEmpty()) {
                final long used = answer(address, length);
                cut.append(address + used, length - used);
            } else {
                cut.append(address, length);
                cut.consume(answer(cut.address(), cut.length()));
            }
            queue.flush(connection);
        }

        private long answer(final long address, final long length) {
            long used = 0;
            while (used < length && commands.decode(address + used, length - used) == CommandDecoder.COMMAND) {
                final boolean get = Memory.getByte(commands.argument(0)) == 'G';
                Memory.putLong(scratch, get ? 0x0A0D760A0D3124L : 0x0A0D313AL);
                queue.append(scratch, get ? 7 : 4);
                used += commands.consumed();
                commands.reset();
            }
            return used;
        }

        private final long scratch = Memory.allocate(Long.BYTES);

        @Override
        public boolean onRegisterEdge(
                final long edgeId, final long instance, final LinkRole role, final String release) {
            encoder.registered(queue, edgeId, instance, Release.current().text());
            return true;
        }

        @Override
        public boolean onSetInterest(
                final long sequence, final Kind kind, final long weight, final long name, final int nameLength) {
            encoder.interestAcknowledged(queue, sequence);
            return true;
        }

        @Override
        public boolean onPublish(
                final long sequence,
                final Kind kind,
                final long channel,
                final int channelLength,
                final long payload,
                final int payloadLength) {
            encoder.published(queue, sequence, 0);
            return true;
        }

        @Override
        public boolean onFence(final long sequence) {
            encoder.fenced(queue, sequence);
            return true;
        }

        @Override
        public boolean onError(final LinkError error, final String text) {
            return true;
        }

        @Override
        public boolean onHeartbeat(final long sentNs) {
            encoder.heartbeat(queue, sentNs);
            return true;
        }

        @Override
        public boolean onUnexpected(final String message) {
            throw new AssertionError(message);
        }

        @Override
        public void onMalformed(final String why) {
            throw new AssertionError(why);
        }

        @Override
        public void onEndOfStream(final Connection from) {
            connection.close();
        }

        @Override
        public void onWritable(final Connection to) {
            queue.flush(connection);
        }

        @Override
        public void onClosed(final Connection from, final int errno) {
            queue.clear();
        }
    }
}
