// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.LinkDecoder;
import goblin.link.LinkEncoder;
import goblin.link.LinkError;
import goblin.link.LinkHandler;
import goblin.link.LinkLimits;
import goblin.link.LinkRole;
import goblin.link.Release;
import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A host that does nothing by itself: a test sees every message an edge sends and decides when and how it is answered,
 * so that each order of events can be made at will.
 */
final class ScriptedHost implements AutoCloseable {
    private static final int PREAMBLE_BYTES = 8;
    private static final long PATIENCE_S = 20;

    /** A message of the edge's links, in words such as {@code interest 1 CHANNEL a 1}. */
    private final BlockingQueue<String> linkMessages = new LinkedBlockingQueue<>();

    private final BlockingQueue<Session> sessions = new LinkedBlockingQueue<>();
    private final ServerSocket server;
    private volatile Socket aggregate;
    private volatile Socket publisher;

    ScriptedHost() throws IOException {
        server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::acceptAll);
    }

    int port() {
        return server.getLocalPort();
    }

    /** The next message of either link; heartbeats are left out. */
    String nextLinkMessage() throws InterruptedException {
        final String message = linkMessages.poll(PATIENCE_S, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("the edge sent nothing on its links");
        }
        return message;
    }

    /** Whether no message waits. */
    boolean isLinkQuiet() {
        return linkMessages.isEmpty();
    }

    /** The next RESP session an edge client opened. */
    Session nextSession() throws InterruptedException {
        final Session session = sessions.poll(PATIENCE_S, TimeUnit.SECONDS);
        if (session == null) {
            throw new AssertionError("the edge opened no session");
        }
        return session;
    }

    boolean hasNoSession() {
        return sessions.isEmpty();
    }

    void acknowledge(final long sequence) {
        onAggregate((encoder, out) -> encoder.interestAcknowledged(out, sequence));
    }

    void deliver(final String channel, final String payload) {
        final byte[] name = channel.getBytes(StandardCharsets.ISO_8859_1);
        final byte[] body = payload.getBytes(StandardCharsets.ISO_8859_1);
        final NativeBuffer bytes = new NativeBuffer();
        bytes.append(name);
        bytes.append(body);
        onAggregate((encoder, out) -> encoder.delivery(
                out, Kind.CHANNEL, bytes.address(), name.length, bytes.address() + name.length, body.length));
        bytes.free();
    }

    void fenced(final long sequence) {
        onAggregate((encoder, out) -> encoder.fenced(out, sequence));
    }

    void published(final long sequence, final long receivers) {
        send(publisher, (encoder, out) -> encoder.published(out, sequence, receivers));
    }

    void sendRawOnAggregate(final byte[] bytes) throws IOException {
        aggregate.getOutputStream().write(bytes);
    }

    void closeAggregate() throws IOException {
        aggregate.close();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (final Socket socket : new Socket[] {aggregate, publisher}) {
            if (socket != null) {
                socket.close();
            }
        }
        for (final Session session : sessions) {
            session.socket.close();
        }
    }

    private interface Message {
        void encode(LinkEncoder encoder, NativeBuffer out);
    }

    private void onAggregate(final Message message) {
        send(aggregate, message);
    }

    private static void send(final Socket socket, final Message message) {
        final NativeBuffer out = new NativeBuffer();
        try (LinkEncoder encoder = new LinkEncoder()) {
            message.encode(encoder, out);
            socket.getOutputStream().write(out.toBytes());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            out.free();
        }
    }

    private void acceptAll() {
        try {
            while (true) {
                final Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (final IOException e) {
            // Closed: the test is over.
        }
    }

    private void serve(final Socket socket) {
        try {
            final byte[] first = socket.getInputStream().readNBytes(1);
            if (first.length == 0) {
                socket.close();
            } else if (first[0] == 'G') {
                socket.getInputStream().readNBytes(PREAMBLE_BYTES - 1);
                serveLink(socket);
            } else {
                final Session session = new Session(socket, first[0]);
                sessions.add(session);
            }
        } catch (final IOException e) {
            // The edge closed it: the tests look at what came before.
        }
    }

    private void serveLink(final Socket socket) throws IOException {
        final LinkMessages handler = new LinkMessages(socket, linkMessages::add);
        final NativeBuffer bytes = new NativeBuffer();
        try (LinkDecoder decoder = new LinkDecoder(LinkLimits.MAX_FRAME_BYTES)) {
            final byte[] chunk = new byte[64 * 1024];
            int count;
            while ((count = socket.getInputStream().read(chunk)) > 0) {
                bytes.clear();
                bytes.append(chunk, 0, count);
                decoder.onBytes(bytes.address(), count, handler);
            }
        } finally {
            bytes.free();
        }
    }

    /** Turns messages into words, and accepts registrations. */
    private final class LinkMessages implements LinkHandler {
        private final Socket socket;
        private final Consumer<String> sink;

        LinkMessages(final Socket socket, final Consumer<String> sink) {
            this.socket = socket;
            this.sink = sink;
        }

        @Override
        public boolean onRegisterEdge(
                final long edgeId, final long instance, final LinkRole role, final String release) {
            if (role == LinkRole.AGGREGATE) {
                aggregate = socket;
            } else {
                publisher = socket;
            }
            send(
                    socket,
                    (encoder, out) -> encoder.registered(
                            out, edgeId, instance, Release.current().text()));
            return true;
        }

        @Override
        public boolean onSetInterest(
                final long sequence, final Kind kind, final long weight, final long name, final int nameLength) {
            sink.accept("interest " + sequence + " " + kind + " " + text(name, nameLength) + " " + weight);
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
            sink.accept("publish " + sequence + " " + kind + " " + text(channel, channelLength) + " "
                    + text(payload, payloadLength));
            return true;
        }

        @Override
        public boolean onFence(final long sequence) {
            sink.accept("fence " + sequence);
            return true;
        }

        @Override
        public boolean onError(final LinkError error, final String text) {
            sink.accept("error " + error + " " + text);
            return true;
        }

        @Override
        public boolean onHeartbeat(final long sentNs) {
            return true;
        }

        @Override
        public boolean onUnexpected(final String message) {
            sink.accept("unexpected " + message);
            return true;
        }

        @Override
        public void onMalformed(final String why) {
            sink.accept("malformed " + why);
        }

        private static String text(final long address, final int length) {
            return new String(Memory.toBytes(address, length), StandardCharsets.ISO_8859_1);
        }
    }

    /** One RESP session of an edge client, read command by command. */
    static final class Session {
        private final Socket socket;
        private int pushedBack;

        Session(final Socket socket, final byte first) {
            this.socket = socket;
            this.pushedBack = first;
        }

        /** Expects the edge's own question for the session's id and answers it. */
        Session answerId(final long id) throws IOException {
            final String command = nextCommand();
            if (!command.equals("CLIENT ID")) {
                throw new AssertionError("expected CLIENT ID, got " + command);
            }
            reply(":" + id + "\r\n");
            return this;
        }

        /** The next command, its arguments separated by spaces; {@code end} at the end of the stream. */
        String nextCommand() throws IOException {
            final String head = line();
            if (head == null) {
                return "end";
            }
            final int count = Integer.parseInt(head.substring(1));
            final StringBuilder words = new StringBuilder();
            for (int i = 0; i < count; i++) {
                final int length = Integer.parseInt(line().substring(1));
                final byte[] bytes = socket.getInputStream().readNBytes(length);
                socket.getInputStream().readNBytes(2);
                words.append(i == 0 ? "" : " ").append(new String(bytes, StandardCharsets.ISO_8859_1));
            }
            return words.toString();
        }

        void reply(final String bytes) throws IOException {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        }

        void close() throws IOException {
            socket.close();
        }

        private String line() throws IOException {
            final StringBuilder text = new StringBuilder();
            int c = pushedBack != 0 ? pushedBack : socket.getInputStream().read();
            pushedBack = 0;
            while (c >= 0 && c != '\n') {
                if (c != '\r') {
                    text.append((char) c);
                }
                c = socket.getInputStream().read();
            }
            return c < 0 ? null : text.toString();
        }
    }
}
