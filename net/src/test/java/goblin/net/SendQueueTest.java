// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SendQueueTest {
    private final ChunkPool chunks = new ChunkPool(4);
    private final SharedBytes.Pool shared = new SharedBytes.Pool();
    private final SendQueue queue = new SendQueue(chunks);
    private final long before = Memory.allocatedBytes();

    @AfterEach
    void closePools() {
        queue.clear();
        assertThat(chunks.lentChunks()).isZero();
        assertThat(shared.liveBytes()).isZero();
        chunks.close();
        shared.close();
    }

    @Test
    void shouldKeepOrderAcrossCopiesSharedBytesAndRing() {
        final SharedBytes message = shared.copyOf(address("<shared>"), 8);
        final long ring = Memory.allocate(8);
        queue.attachRing(ring, 8);

        append("one ");
        queue.appendShared(message, 1, 6);
        assertThat(queue.appendToRing(address(" ring"), 5)).isTrue();
        append(" two");
        message.release();

        final LimitedConnection connection = new LimitedConnection(3);
        connection.allowAll(queue);
        assertThat(connection.text()).isEqualTo("one shared ring two");
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.detachRing()).isEqualTo(ring);
        Memory.free(ring);
    }

    @Test
    void shouldRefuseWhatDoesNotFitIntoTheRingAndWrapWhatDoes() {
        final long ring = Memory.allocate(8);
        queue.attachRing(ring, 8);
        assertThat(queue.appendToRing(address("abcdef"), 6)).isTrue();
        assertThat(queue.appendToRing(address("ghi"), 3)).isFalse();
        assertThat(queue.ringBytes()).isEqualTo(6);

        final LimitedConnection connection = new LimitedConnection(4);
        queue.flush(connection);
        assertThat(queue.appendToRing(address("ghijkl"), 6)).isTrue();
        connection.allowAll(queue);
        assertThat(connection.text()).isEqualTo("abcdefghijkl");
        queue.detachRing();
        Memory.free(ring);
    }

    @Test
    void shouldKeepBytesWhenTheRingIsTakenAway() {
        final long ring = Memory.allocate(8);
        queue.attachRing(ring, 8);
        queue.appendToRing(address("abcdef"), 6);
        final LimitedConnection connection = new LimitedConnection(4);
        queue.flush(connection);
        queue.appendToRing(address("ghijk"), 5);
        append("|");
        queue.detachRing();
        Memory.fill(ring, 8, (byte) 0);
        Memory.free(ring);

        connection.allowAll(queue);
        assertThat(connection.text()).isEqualTo("abcdefghijk|");
    }

    @Test
    void shouldHoldNoMemoryWhenEmpty() {
        final byte[] large = new byte[100_000];
        new Random(1).nextBytes(large);
        final long nativeCopy = Memory.allocate(large.length);
        Memory.copyIn(large, 0, nativeCopy, large.length);
        queue.append(nativeCopy, large.length);
        queue.append(large, 0, large.length);
        Memory.free(nativeCopy);

        final LimitedConnection connection = new LimitedConnection(30_000);
        connection.allowAll(queue);
        final ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.writeBytes(large);
        expected.writeBytes(large);
        assertThat(connection.bytes()).isEqualTo(expected.toByteArray());
        assertThat(chunks.lentChunks()).isZero();
        assertThat(Memory.allocatedBytes() - before).isLessThanOrEqualTo(4L * ChunkPool.CHUNK_BYTES);
    }

    @Test
    void shouldWriteReservedFramesInPlace() {
        final long at = queue.reserve(10);
        Memory.copyIn("frame".getBytes(ISO_8859_1), 0, at, 5);
        queue.commit(5);
        queue.reserve(ChunkPool.CHUNK_BYTES);
        queue.commit(0);
        assertThat(queue.bytes()).isEqualTo(5);

        final LimitedConnection connection = new LimitedConnection(100);
        connection.allowAll(queue);
        assertThat(connection.text()).isEqualTo("frame");
    }

    @Test
    void shouldReportAClosedConnectionAndKeepTheRestForItsOwner() {
        append("lost");
        final LimitedConnection connection = new LimitedConnection(0);
        connection.close();
        assertThat(queue.flush(connection)).isEqualTo(Connection.CLOSED);
        assertThat(queue.bytes()).isEqualTo(4);
    }

    @Property(tries = 300)
    void shouldSendWhatWasAppendedWhateverTheMixture(
            @ForAll final long seed, @ForAll @IntRange(min = 1, max = 40_000) final int room) {
        final Random random = new Random(seed);
        final ByteArrayOutputStream expected = new ByteArrayOutputStream();
        final LimitedConnection connection = new LimitedConnection(room);
        final long ring = Memory.allocate(1000);
        final long source = Memory.allocate(70_000);
        final byte[] bytes = new byte[70_000];
        random.nextBytes(bytes);
        Memory.copyIn(bytes, 0, source, bytes.length);
        for (int step = 0; step < 40; step++) {
            final int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 69_999 : 800);
            final int offset = random.nextInt(70_000 - length + 1);
            boolean queued = true;
            switch (random.nextInt(6)) {
                case 0 -> queue.append(source + offset, length);
                case 1 -> queue.append(bytes, offset, length);
                case 2 -> {
                    final SharedBytes message = shared.copyOf(source, 70_000);
                    queue.appendShared(message, offset, length);
                    message.release();
                }
                case 3 -> {
                    if (!queue.hasRing()) {
                        queue.attachRing(ring, 1000);
                    }
                    queued = queue.appendToRing(source + offset, length);
                }
                case 4 -> {
                    queued = false;
                    queue.detachRing();
                }
                default -> {
                    queued = false;
                    connection.allow(room);
                    queue.flush(connection);
                }
            }
            if (queued) {
                expected.write(bytes, offset, length);
            }
            assertThat(queue.bytes()).isEqualTo(expected.size() - connection.bytes().length);
        }
        connection.allowAll(queue);
        queue.detachRing();
        Memory.free(ring);
        Memory.free(source);
        assertThat(connection.bytes()).isEqualTo(expected.toByteArray());
        assertThat(chunks.lentChunks()).isZero();
        assertThat(shared.liveBytes()).isZero();
    }

    private void append(final String text) {
        queue.append(text.getBytes(ISO_8859_1), 0, text.length());
    }

    private static long address(final String text) {
        final NativeBuffer buffer = LimitedConnection.TEXTS;
        final long offset = buffer.length();
        buffer.ensure(4096);
        buffer.appendAscii(text);
        return buffer.address() + offset;
    }
}
