// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What cannot be referenced where it was received is copied, wherever in the payload that begins: no byte is lost or read
 * twice, the copy is page-aligned memory of the loop's arena, and the commands behind are not harmed.
 */
class CopiedFallbackTest {
    private static final long FAR_TOO_MUCH = 1L << 40;

    private final Random random = new Random(7);

    @ParameterizedTest
    @CsvSource({
        "false, false, false", "false, true, false", "false, false, true", "false, true, true",
        "true, false, false", "true, true, false", "true, false, true", "true, true, true",
    })
    void shouldCopyFromAnyByteOn(final boolean inCapsule, final boolean headerDigest, final boolean dataDigest) {
        final int length = 1024;
        try (PayloadRig rig = new PayloadRig(ReceiveOptions.DEFAULT, VectorMemory.HEAP, 1, headerDigest, dataDigest)) {
            final long before = rig.counter(TcpCounter.IN_PLACE_BYTES);
            for (int from = 0; from <= length; from++) {
                final byte[] data = bytes(length);
                final byte[] stream = stream(rig, data, inCapsule);
                final int begin = inCapsule ? rig.dataOffsetInCapsule() : rig.dataOffsetInPdu();
                rig.send(Arrays.copyOf(stream, begin + from));
                rig.turns(2);
                rig.network.pretendLent(FAR_TOO_MUCH);
                rig.send(Arrays.copyOfRange(stream, begin + from, stream.length));
                shouldBeThere(rig, data);
                assertThat(rig.writtenFromArena()).as("bytes copied").isEqualTo(length - from);
                rig.network.pretendLent(0);
            }
            assertThat(rig.counter(TcpCounter.IN_PLACE_BYTES) - before).isEqualTo(sumTo(length));
            assertThat(rig.counter(TcpCounter.COPIED_WATERMARK_BYTES)).isEqualTo(sumTo(length));
        }
    }

    @Property(tries = 400)
    void shouldCopyFromAnySegmentOn(
            @ForAll @IntRange(min = 1, max = 1 << 16) final int anySegment,
            @ForAll @IntRange(min = 0, max = 16) final int shift,
            @ForAll @IntRange(min = 1, max = 256) final int blocks,
            @ForAll final boolean inCapsule,
            @ForAll final boolean headerDigest,
            @ForAll final boolean dataDigest,
            @ForAll final VectorMode mode,
            @ForAll final VectorRetention retention,
            @ForAll @IntRange(min = 33, max = 1024) final int limit,
            @ForAll final boolean isAligned,
            @ForAll final Random any) {
        // From one byte on, each power of two as often as the one before.
        final int segment = Math.max(1, anySegment >> shift);
        final int length = PayloadRig.BLOCK * (inCapsule ? 1 + blocks % 16 : blocks);
        Assume.that(length / segment <= 8192);
        final int[] growths = {any.nextInt(4)};
        final VectorMemory vectors = new VectorMemory() {
            @Override
            public long allocate(final long bytes) {
                return growths[0]-- > 0 || growths[0] < -20 ? HEAP.allocate(bytes) : 0;
            }

            @Override
            public void free(final long address) {
                HEAP.free(address);
            }
        };
        final ReceiveOptions how = ReceiveOptions.DEFAULT.withMaxSegments(limit).withVectors(mode, retention);
        try (PayloadRig rig =
                new PayloadRig(how, vectors, isAligned ? PayloadRig.BLOCK : 1, headerDigest, dataDigest)) {
            for (int command = 0; command < 3; command++) {
                final byte[] data = bytes(length);
                final byte[] stream = stream(rig, data, inCapsule);
                final long before = rig.counter(TcpCounter.IN_PLACE_BYTES);
                // Not at all, once for good, or now and then.
                final int watermark = any.nextInt(3);
                final int from = any.nextInt(stream.length + segment);
                for (int at = 0; at < stream.length; at += segment) {
                    final boolean tooMuch =
                            watermark == 1 ? at >= from : watermark == 2 && (at / segment & 1) == (from & 1);
                    rig.network.pretendLent(tooMuch ? FAR_TOO_MUCH : 0);
                    rig.send(Arrays.copyOfRange(stream, at, Math.min(stream.length, at + segment)));
                    rig.turns(1);
                }
                rig.network.pretendLent(0);
                shouldBeThere(rig, data);
                assertThat(rig.writtenFromArena())
                        .as("bytes copied")
                        .isEqualTo(length - (rig.counter(TcpCounter.IN_PLACE_BYTES) - before));
                assertThat(rig.medium.written()).hasSizeLessThanOrEqualTo(limit);
                if (isAligned) {
                    assertThat(rig.medium.written())
                            .allMatch(piece -> (piece.address() | piece.length()) % PayloadRig.BLOCK == 0);
                }
            }
            final long all = 3L * length;
            assertThat(rig.counter(TcpCounter.IN_PLACE_BYTES)
                            + rig.counter(TcpCounter.COPIED_LIMIT_BYTES)
                            + rig.counter(TcpCounter.COPIED_MEMORY_BYTES)
                            + rig.counter(TcpCounter.COPIED_WATERMARK_BYTES)
                            + rig.counter(TcpCounter.COPIED_ALIGNMENT_BYTES))
                    .isEqualTo(all);
        }
    }

    /** A write and behind it, in the same stream, two commands that read it. */
    private static byte[] stream(final PayloadRig rig, final byte[] data, final boolean inCapsule) {
        final byte[] write = inCapsule ? rig.writeInCapsule(0, data) : rig.data(rig.ask(0, data.length), data);
        return Pdus.join(write, rig.read(0, data.length), rig.read(0, data.length));
    }

    private static void shouldBeThere(final PayloadRig rig, final byte[] data) {
        assertThat(rig.awaitAnswers(3)).as("what was read twice").isEqualTo(Pdus.join(data, data));
    }

    private byte[] bytes(final int length) {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static long sumTo(final long last) {
        return last * (last + 1) / 2;
    }
}
