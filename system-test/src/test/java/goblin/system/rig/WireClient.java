// SPDX-License-Identifier: Apache-2.0
package goblin.system.rig;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;

/**
 * A client that shows every byte. Text stands for bytes (ISO 8859-1), and {@code ¶} for CR LF in both directions, so that
 * a test reads like the wire. Reads wait at most 20 s. Not thread-safe.
 */
public final class WireClient implements AutoCloseable {
    private static final int READ_TIMEOUT_MS = 20_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final ByteArrayOutputStream frame = new ByteArrayOutputStream();

    private WireClient(final Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(READ_TIMEOUT_MS);
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        out = socket.getOutputStream();
    }

    /**
     * Connects to a port of the loopback interface.
     *
     * @param port 1 to 65535
     * @return the client
     */
    public static WireClient connect(final int port) {
        try {
            return new WireClient(new Socket(InetAddress.getLoopbackAddress(), port));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Connects with a small receive buffer, so that the peer soon finds that nobody reads.
     *
     * @param port 1 to 65535
     * @param receiveBytes wanted size of the kernel's buffer
     * @return the client
     */
    public static WireClient connectNarrow(final int port, final int receiveBytes) {
        try {
            final Socket socket = new Socket();
            socket.setReceiveBufferSize(receiveBytes);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return new WireClient(socket);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A command as it goes over the wire.
     *
     * @param words its arguments
     * @return an array of bulk strings, {@code ¶} for CR LF
     */
    public static String command(final String... words) {
        final StringBuilder text = new StringBuilder("*").append(words.length).append('¶');
        for (final String word : words) {
            text.append('$').append(word.length()).append('¶').append(word).append('¶');
        }
        return text.toString();
    }

    /**
     * Sends a command. Arguments must not contain {@code ¶}.
     *
     * @param words its arguments
     * @return this
     */
    public WireClient send(final String... words) {
        return raw(command(words));
    }

    /**
     * Sends bytes in one write.
     *
     * @param text the bytes, {@code ¶} for CR LF
     * @return this
     */
    public WireClient raw(final String text) {
        return bytes(text.replace("¶", "\r\n").getBytes(ISO_8859_1));
    }

    /**
     * Sends bytes as they are in one write.
     *
     * @param bytes what to send
     * @return this
     */
    public WireClient bytes(final byte[] bytes) {
        try {
            out.write(bytes);
            return this;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Sends a command and reads one frame.
     *
     * @param words its arguments
     * @return the frame
     */
    public String call(final String... words) {
        return send(words).reply();
    }

    /**
     * Reads one whole frame, nested ones included.
     *
     * @return its bytes, {@code ¶} for CR LF
     */
    public String reply() {
        return new String(replyBytes(), ISO_8859_1).replace("\r\n", "¶");
    }

    /**
     * Reads one whole frame.
     *
     * @return its bytes as they came
     */
    public byte[] replyBytes() {
        frame.reset();
        try {
            readFrame();
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "after '" + frame.toString(ISO_8859_1).replace("\r\n", "¶") + "'", e);
        }
        return frame.toByteArray();
    }

    /**
     * Reads frames.
     *
     * @param count how many
     * @return them in order
     */
    public List<String> replies(final int count) {
        final List<String> frames = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            frames.add(reply());
        }
        return frames;
    }

    /**
     * Reads frames until one equals the given frame.
     *
     * @param last the frame to stop at
     * @return all frames before it
     */
    public List<String> repliesUntil(final String last) {
        final List<String> frames = new ArrayList<>();
        for (String frame = reply(); !frame.equals(last); frame = reply()) {
            frames.add(frame);
        }
        return frames;
    }

    /** Asserts that nothing was sent to this client before the reply to a {@code PING} sent now. */
    public void expectSilence() {
        assertThat(call("PING", "silence")).isIn("$7¶silence¶", "*2¶$4¶pong¶$7¶silence¶");
    }

    /**
     * Reads until the peer closes.
     *
     * @return what came before, {@code ¶} for CR LF; a reset counts as the end
     */
    public String rest() {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            in.transferTo(bytes);
        } catch (final SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        } catch (final IOException e) {
            throw new UncheckedIOException("after '" + bytes.toString(ISO_8859_1) + "'", e);
        }
        return bytes.toString(ISO_8859_1).replace("\r\n", "¶");
    }

    /**
     * Whether something can be read at once.
     *
     * @return true when bytes wait
     */
    public boolean hasInput() {
        try {
            return in.available() > 0;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The raw stream, for tests that count bytes.
     *
     * @return the stream that replies are read from
     */
    public InputStream input() {
        return in;
    }

    /**
     * The port of this end, which the peer sees.
     *
     * @return 1 to 65535
     */
    public int localPort() {
        return socket.getLocalPort();
    }

    /** Ends the sending side and keeps reading. */
    public void shutdownOutput() {
        try {
            socket.shutdownOutput();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the connection with a reset. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readFrame() throws IOException {
        final int type = readByte();
        final String line = readLine();
        switch (type) {
            case '+', '-', ':', '_', '#', ',', '(' -> {}
            case '$', '=', '!' -> {
                final int length = Integer.parseInt(line);
                if (length >= 0) {
                    readBytes(length + 2);
                }
            }
            case '*', '>', '~' -> readFrames(Integer.parseInt(line));
            case '%' -> readFrames(2 * Integer.parseInt(line));
            case '|' -> readFrames(2 * Integer.parseInt(line) + 1);
            default -> throw new IOException("no RESP type: " + type);
        }
    }

    private void readFrames(final int count) throws IOException {
        for (int i = 0; i < count; i++) {
            readFrame();
        }
    }

    private String readLine() throws IOException {
        final StringBuilder line = new StringBuilder();
        for (int previous = 0, next = readByte(); ; previous = next, next = readByte()) {
            line.append((char) next);
            if (previous == '\r' && next == '\n') {
                return line.substring(0, line.length() - 2);
            }
        }
    }

    private void readBytes(final int count) throws IOException {
        final byte[] bytes = in.readNBytes(count);
        frame.writeBytes(bytes);
        if (bytes.length < count) {
            throw new EOFException("closed inside a bulk");
        }
    }

    private int readByte() throws IOException {
        final int next = in.read();
        if (next < 0) {
            throw new EOFException("closed");
        }
        frame.write(next);
        return next;
    }
}
