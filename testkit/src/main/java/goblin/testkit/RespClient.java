// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * A RESP client for tests: it sends what it is told, even nonsense, and reads replies as lines of text (see
 * {@link #read}). Text is ISO 8859-1, so that each {@code char} is a byte. Every wait is bounded, by 20 seconds when the
 * test does not say; a wait in vain is an {@link AssertionError}. One thread.
 */
public final class RespClient implements AutoCloseable {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(20);

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final InputStream in = new BufferedInputStream(new ChannelInput(), 64 * 1024);
    private Duration timeout = DEFAULT_TIMEOUT;
    private long fences;

    private RespClient(final SocketAddress address) throws IOException {
        channel = SocketChannel.open(address);
        if (address instanceof InetSocketAddress) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        channel.configureBlocking(false);
        selector = Selector.open();
        key = channel.register(selector, SelectionKey.OP_READ);
    }

    /**
     * Connects to a server on this machine.
     *
     * @param port its port on the loopback address
     * @return the connected client
     */
    public static RespClient connect(final int port) {
        return connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /**
     * Connects to a server.
     *
     * @param address a TCP or Unix address
     * @return the connected client
     */
    public static RespClient connect(final SocketAddress address) {
        try {
            return new RespClient(address);
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot connect to " + address, failed);
        }
    }

    /**
     * Connects to a Unix socket.
     *
     * @param path the socket's file
     * @return the connected client
     */
    public static RespClient connect(final Path path) {
        return connect(UnixDomainSocketAddress.of(path));
    }

    /**
     * Changes how long a read or write may take.
     *
     * @param newTimeout more than zero
     * @return this
     */
    public RespClient timeout(final Duration newTimeout) {
        timeout = newTimeout;
        return this;
    }

    /**
     * Sends a command as an array of bulks.
     *
     * @param arguments the command's name and arguments
     * @return this
     */
    public RespClient send(final String... arguments) {
        return send(
                Arrays.stream(arguments).map(text -> text.getBytes(ISO_8859_1)).toArray(byte[][]::new));
    }

    /**
     * Sends a command as an array of bulks.
     *
     * @param arguments the command's name and arguments
     * @return this
     */
    public RespClient send(final byte[]... arguments) {
        return raw(ReplyText.request(arguments));
    }

    /**
     * Sends bytes as they are.
     *
     * @param text each char a byte
     * @return this
     */
    public RespClient raw(final String text) {
        return raw(text.getBytes(ISO_8859_1));
    }

    /**
     * Sends bytes as they are. Does not read meanwhile: a server that stops reading until its replies are read makes
     * this fail when the sockets' buffers are full.
     *
     * @param bytes what to send
     * @return this
     */
    public RespClient raw(final byte[] bytes) {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        final long deadlineNs = System.nanoTime() + timeout.toNanos();
        try {
            while (channel.write(buffer) >= 0 && buffer.hasRemaining()) {
                await(SelectionKey.OP_WRITE, deadlineNs, "room to send");
            }
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot send", failed);
        }
        return this;
    }

    /**
     * Sends as many of the bytes as the connection takes now.
     *
     * @param bytes what to send
     * @return how many were taken, 0 or more
     */
    public int tryRaw(final byte[] bytes) {
        try {
            return channel.write(ByteBuffer.wrap(bytes));
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot send", failed);
        }
    }

    /**
     * Sends a command and reads one reply.
     *
     * @param arguments the command's name and arguments
     * @return the reply, see {@link #read}
     */
    public String command(final String... arguments) {
        return send(arguments).read();
    }

    /**
     * Reads one reply or push and writes it as one line: {@code +OK}, {@code -ERR text}, {@code :1}, {@code "bulk"},
     * {@code $-1}, {@code *-1}, {@code _}, {@code [a, b]}, {@code >[push]}, {@code %{k: v}}, {@code ~[set]},
     * {@code ,1.5}, {@code #t}, {@code (123}, {@code ="txt:verbatim"}, {@code !"bulk error"},
     * {@code |{attribute} reply}. In bulks, quote and backslash are escaped; everywhere, other bytes are
     * {@code \xHH}.
     *
     * @return the line
     */
    public String read() {
        try {
            return new ReplyText(in).read();
        } catch (final IOException failed) {
            throw new UncheckedIOException(failed.getMessage(), failed);
        }
    }

    /**
     * Reads several replies.
     *
     * @param count how many
     * @return one line for each
     */
    public String[] read(final int count) {
        final String[] replies = new String[count];
        Arrays.setAll(replies, ignored -> read());
        return replies;
    }

    /**
     * Reads bytes as they come.
     *
     * @param count how many
     * @return exactly that many
     */
    public byte[] readBytes(final int count) {
        try {
            final byte[] bytes = in.readNBytes(count);
            if (bytes.length < count) {
                throw new AssertionError("the connection ended after " + bytes.length + " of " + count + " bytes");
            }
            return bytes;
        } catch (final IOException failed) {
            throw new UncheckedIOException(failed.getMessage(), failed);
        }
    }

    /**
     * Reads until the server ends the connection, by end of stream or by reset.
     *
     * @return what came before
     */
    public String readUntilClosed() {
        final StringBuilder text = new StringBuilder();
        try {
            for (int b = in.read(); b >= 0; b = in.read()) {
                text.append((char) b);
            }
        } catch (final IOException reset) {
            text.append("<reset>");
        }
        return text.toString();
    }

    /**
     * Shows that nothing else was sent to this client, without waiting for time to pass: a {@code PING} goes out, and
     * the next reply must be its answer. Works in the subscribed state of RESP2 too.
     */
    public void expectNothing() {
        final String fence = "fence-" + ++fences;
        final String reply = command("PING", fence);
        if (!reply.equals('"' + fence + '"') && !reply.equals("[\"pong\", \"" + fence + "\"]")) {
            throw new AssertionError("expected nothing but the answer to PING " + fence + ", got " + reply);
        }
    }

    /** Ends the client's sending side; it can still read. */
    public void endOutput() {
        try {
            channel.shutdownOutput();
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot end the output", failed);
        }
    }

    /** Closes a TCP connection with a reset instead of an end of stream. */
    public void reset() {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot reset", failed);
        }
        close();
    }

    /**
     * The client's own port.
     *
     * @return 1 to 65535
     */
    public int localPort() {
        try {
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (final IOException failed) {
            throw new UncheckedIOException("no local address", failed);
        }
    }

    @Override
    public void close() {
        try {
            // The selector first: a channel that is still registered with one is not closed in the kernel.
            selector.close();
            channel.close();
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot close", failed);
        }
    }

    private void await(final int operation, final long deadlineNs, final String what) throws IOException {
        key.interestOps(operation);
        final long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
        if (leftMs <= 0 || (selector.select(leftMs) == 0 && deadlineNs - System.nanoTime() <= 0)) {
            throw new AssertionError("waited " + timeout.toMillis() + " ms in vain for " + what);
        }
        selector.selectedKeys().clear();
    }

    /** The channel as a stream whose reads are bounded in time. */
    private final class ChannelInput extends InputStream {
        @Override
        public int read() throws IOException {
            final byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(final byte[] target, final int offset, final int length) throws IOException {
            final ByteBuffer buffer = ByteBuffer.wrap(target, offset, length);
            final long deadlineNs = System.nanoTime() + timeout.toNanos();
            int count = channel.read(buffer);
            while (count == 0 && length > 0) {
                await(SelectionKey.OP_READ, deadlineNs, "bytes");
                count = channel.read(buffer);
            }
            return count;
        }
    }
}
