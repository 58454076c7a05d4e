// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Writes down what happens to one connection. What it does besides is set by the test: each event has an action, and
 * received bytes are kept as text, or compared with a {@link ByteRuler} when there are too many to keep.
 */
public final class RecordingHandler implements ConnectionHandler {
    /** The connection of the last event. */
    public Connection connection;

    /** What happened besides bytes: connected, writable, sent 7, end, paused end, closed ECONNRESET …. */
    public final List<String> events = new ArrayList<>();

    /** Runs in {@link #onReceive} after the bytes were written down. */
    public BiConsumer<Connection, ReceiveSegment> receiving = (connection, segment) -> {};

    /** Runs in {@link #onConnected}. */
    public Consumer<Connection> connected = connection -> {};

    /** Runs in {@link #onWritable}. */
    public Consumer<Connection> writable = connection -> {};

    /** Runs in {@link #onEndOfStream}. */
    public Consumer<Connection> ended = connection -> {};

    /** How many bytes came. */
    public long receivedBytes;

    /** How many segments came. */
    public long segments;

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final ByteRuler ruler;

    /** Keeps all bytes. */
    public RecordingHandler() {
        this(null);
    }

    /**
     * Compares all bytes.
     *
     * @param ruler what the stream should be, or null to keep the bytes
     */
    public RecordingHandler(final ByteRuler ruler) {
        this.ruler = ruler;
    }

    /**
     * The bytes so far.
     *
     * @return each byte a char
     */
    public String text() {
        return received.toString(ISO_8859_1);
    }

    /**
     * The events that a different timing of the network does not change.
     *
     * @return all but {@code writable}
     */
    public List<String> outcomes() {
        return events.stream().filter(event -> !event.equals("writable")).toList();
    }

    /**
     * Tells whether an event happened.
     *
     * @param event see {@link #events}
     * @return whether it did
     */
    public boolean saw(final String event) {
        return events.contains(event);
    }

    /**
     * Tells whether the connection failed.
     *
     * @return whether {@code onClosed} was called
     */
    public boolean sawClosed() {
        return events.stream().anyMatch(event -> event.startsWith("closed"));
    }

    @Override
    public void onConnected(final Connection now) {
        connection = now;
        events.add("connected");
        connected.accept(now);
    }

    @Override
    public void onReceive(final Connection now, final ReceiveSegment segment) {
        connection = now;
        segments++;
        if (ruler == null) {
            received.writeBytes(Memory.toBytes(segment.address(), segment.length()));
        } else if (!ruler.matches(receivedBytes, segment.address(), segment.length())) {
            events.add("corrupt near " + receivedBytes);
        }
        receivedBytes += segment.length();
        receiving.accept(now, segment);
    }

    @Override
    public void onEndOfStream(final Connection now) {
        connection = now;
        events.add("end");
        ended.accept(now);
    }

    @Override
    public void onPeerEndedWhilePaused(final Connection now) {
        connection = now;
        events.add("paused end");
    }

    @Override
    public void onWritable(final Connection now) {
        connection = now;
        events.add("writable");
        writable.accept(now);
    }

    @Override
    public void onSent(final Connection now, final long token) {
        connection = now;
        events.add("sent " + token);
    }

    @Override
    public void onClosed(final Connection now, final int errno) {
        connection = now;
        events.add("closed " + Errno.name(errno).replaceFirst(" \\(.*", ""));
    }
}
