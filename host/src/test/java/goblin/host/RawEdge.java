// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.link.LinkDecoder;
import goblin.link.LinkEncoder;
import goblin.link.LinkError;
import goblin.link.LinkHandler;
import goblin.link.LinkLimits;
import goblin.link.LinkRole;
import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A scripted client of the link: it sends what it is told and writes down what it is answered. */
final class RawEdge implements LinkHandler, AutoCloseable {
    final List<String> lines = new ArrayList<>();
    private final SocketChannel channel;
    private final LinkEncoder encoder = new LinkEncoder();
    private final LinkDecoder decoder = new LinkDecoder(LinkLimits.MAX_FRAME_BYTES);
    private final NativeBuffer out = new NativeBuffer();
    private final NativeBuffer names = new NativeBuffer();
    private final ByteBuffer in = ByteBuffer.allocate(64 << 10);
    private boolean reading = true;
    private boolean ended;

    RawEdge(final Path socket) throws IOException {
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        channel.configureBlocking(false);
        encoder.preamble(out);
        poll();
    }

    void registerAggregate(final long id, final long instance, final String release) {
        encoder.registerEdge(out, id, instance, LinkRole.AGGREGATE, release);
        poll();
    }

    void registerPublisher(final long id, final long instance, final String release) {
        encoder.registerEdge(out, id, instance, LinkRole.PUBLISHER, release);
        poll();
    }

    void setInterest(final long sequence, final Kind kind, final String name, final long weight) {
        final long address = address(name);
        encoder.setInterest(out, sequence, kind, weight, address, name.length());
        poll();
    }

    void publish(final long sequence, final Kind kind, final String channelName, final String payload) {
        final long address = address(channelName + payload);
        final int length = channelName.length();
        encoder.publish(out, sequence, kind, address, length, address + length, payload.length());
        poll();
    }

    void fence(final long sequence) {
        encoder.fence(out, sequence);
        poll();
    }

    void heartbeat() {
        encoder.heartbeat(out, 0);
        poll();
    }

    void raw(final byte... bytes) {
        out.append(bytes);
        poll();
    }

    /** Stops or goes on taking bytes from the socket. */
    void reading(final boolean on) {
        reading = on;
    }

    boolean has(final String line) {
        return lines.contains(line);
    }

    long count(final String beginning) {
        return lines.stream().filter(line -> line.startsWith(beginning)).count();
    }

    /** Whether the host has closed the connection. */
    boolean ended() {
        return ended;
    }

    /** Bytes that the host has not taken. */
    long unsent() {
        return out.length();
    }

    /** Writes and reads what is possible now. */
    void poll() {
        if (ended) {
            return;
        }
        try {
            write();
            if (reading) {
                read();
            }
        } catch (final IOException e) {
            ended = true;
        }
    }

    private void write() throws IOException {
        while (!out.isEmpty()) {
            final int length = (int) Math.min(out.length(), 64 << 10);
            final int written = channel.write(ByteBuffer.wrap(Memory.toBytes(out.address(), length)));
            if (written == 0) {
                return;
            }
            out.consume(written);
        }
    }

    private void read() throws IOException {
        in.clear();
        final int length = channel.read(in);
        if (length < 0) {
            ended = true;
        } else if (length > 0) {
            final NativeBuffer bytes = new NativeBuffer(length);
            bytes.append(in.array(), 0, length);
            decoder.onBytes(bytes.address(), length, this);
            bytes.free();
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        ended = true;
        encoder.close();
        decoder.close();
        out.free();
        names.free();
    }

    @Override
    public String toString() {
        return lines.size() > 20 ? lines.size() + " lines" : lines.toString();
    }

    // --- what the host sent

    @Override
    public boolean onRegistered(final long edgeId, final long instance, final String release) {
        return lines.add("registered " + edgeId + ' ' + instance + ' ' + release);
    }

    @Override
    public boolean onInterestAcknowledged(final long sequence) {
        return lines.add("acknowledged " + sequence);
    }

    @Override
    public boolean onPublished(final long sequence, final long receivers) {
        return lines.add("published " + sequence + ' ' + receivers);
    }

    @Override
    public boolean onDelivery(
            final Kind kind, final long name, final int nameLength, final long payload, final int payloadLength) {
        return lines.add("delivery " + kind + ' ' + text(name, nameLength) + ' '
                + (payloadLength > 40 ? payloadLength + " bytes" : text(payload, payloadLength)));
    }

    @Override
    public boolean onFenced(final long sequence) {
        return lines.add("fenced " + sequence);
    }

    @Override
    public boolean onError(final LinkError error, final String text) {
        return lines.add("error " + error + ' ' + text);
    }

    @Override
    public boolean onHeartbeat(final long sentNs) {
        return lines.add("heartbeat");
    }

    @Override
    public boolean onUnexpected(final String message) {
        return lines.add("unexpected " + message);
    }

    @Override
    public void onMalformed(final String why) {
        lines.add("malformed " + why);
    }

    private long address(final String text) {
        names.clear();
        names.appendAscii(text);
        return names.address();
    }

    private static String text(final long address, final int length) {
        return new String(Memory.toBytes(address, length), StandardCharsets.ISO_8859_1);
    }
}
