// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The loops' threads allocate nothing in the steady state. {@code -Dgoblin.allocation.messages=1000000} runs the full
 * length.
 */
final class AllocationTest {
    private static final int MESSAGES = Integer.getInteger("goblin.allocation.messages", 100_000);
    private static final int MESSAGES_TO_MANY = Integer.getInteger("goblin.allocation.messages", 20_000);
    private static final int BATCH = 16;
    private static final int MOST_RUNS = 20;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final List<Socket> sockets = new ArrayList<>();
    private PromptHost host;
    private EdgeUnderTest edge;
    private long[] loopThreads;

    @BeforeEach
    void startEdge() {
        host = new PromptHost();
        edge = EdgeUnderTest.linkedTo(host, UnaryOperator.identity());
        loopThreads = edge.loopThreads();
    }

    @AfterEach
    void stopEdge() throws IOException {
        for (final Socket socket : sockets) {
            socket.close();
        }
        edge.close();
        host.close();
    }

    @Test
    void shouldAllocateNothingForPublicationsToOneSubscriber() throws IOException {
        subscribe(1);
        checkSteadyState("*3\r\n$7\r\nPUBLISH\r\n$1\r\nc\r\n$16\r\n0123456789abcdef\r\n", ":1\r\n", MESSAGES);
    }

    @Test
    void shouldAllocateNothingForPublicationsToManySubscribers() throws IOException {
        subscribe(64);
        checkSteadyState("*3\r\n$7\r\nPUBLISH\r\n$1\r\nc\r\n$16\r\n0123456789abcdef\r\n", ":64\r\n", MESSAGES_TO_MANY);
    }

    @Test
    void shouldAllocateNothingOnAnyOfSeveralLoops() throws IOException {
        edge.close();
        edge = EdgeUnderTest.linkedTo(host, TurnsOnly::over, "--loops", "3");
        loopThreads = edge.loopThreads();
        subscribe(6);
        checkSteadyState("*3\r\n$7\r\nPUBLISH\r\n$1\r\nc\r\n$16\r\n0123456789abcdef\r\n", ":6\r\n", MESSAGES_TO_MANY);
    }

    @Test
    void shouldAllocateNothingForForwardedCommands() throws IOException {
        checkSteadyState("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", "$1\r\nv\r\n", MESSAGES);
    }

    /**
     * Whole runs until one allocates nothing: while the path is not compiled, or a timer's first shot throws compiled
     * code away, downcalls allocate.
     */
    private void checkSteadyState(final String command, final String reply, final int messages) throws IOException {
        final Socket socket = connect();
        int runs = 0;
        while (allocatedBy(socket, command, reply, messages) > 0) {
            assertThat(++runs).as("runs until one allocated nothing").isLessThan(MOST_RUNS);
        }
    }

    private long allocatedBy(final Socket socket, final String command, final String reply, final int messages)
            throws IOException {
        final byte[] batch = command.repeat(BATCH).getBytes(StandardCharsets.ISO_8859_1);
        final String expected = reply.repeat(BATCH);
        final byte[] replies = new byte[expected.length()];
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        final long before = allocated();
        for (int i = 0; i < messages; i += BATCH) {
            socket.getOutputStream().write(batch);
            in.readFully(replies);
        }
        final long allocated = allocated() - before;
        assertThat(new String(replies, StandardCharsets.ISO_8859_1)).isEqualTo(expected);
        return allocated;
    }

    private long allocated() {
        return LongStream.of(threads.getThreadAllocatedBytes(loopThreads)).sum();
    }

    private void subscribe(final int count) throws IOException {
        final byte[] confirmation = "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n".getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < count; i++) {
            final Socket socket = connect();
            socket.getOutputStream().write("SUBSCRIBE c\r\n".getBytes(StandardCharsets.ISO_8859_1));
            socket.getInputStream().readNBytes(confirmation.length);
            Thread.ofVirtual().start(() -> drain(socket));
        }
    }

    private static void drain(final Socket socket) {
        final byte[] sink = new byte[16 * 1024];
        try {
            final InputStream in = socket.getInputStream();
            while (in.read(sink) >= 0) {
                Thread.onSpinWait();
            }
        } catch (final IOException closed) {
            // The test is over.
        }
    }

    private Socket connect() throws IOException {
        final Socket socket = new Socket(InetAddress.getLoopbackAddress(), edge.port());
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }
}
