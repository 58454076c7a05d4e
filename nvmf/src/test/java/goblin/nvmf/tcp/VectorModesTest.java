// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static goblin.nvmf.tcp.VectorRig.PIECE;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.target.Sqe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors that grow, that are large from the start, and that stay small. */
class VectorModesTest {
    private static final int ENTRY = 16;

    private static ReceiveOptions how(final VectorMode mode, final int limit) {
        return ReceiveOptions.DEFAULT.withVectors(mode, VectorRetention.KEEP).withMaxSegments(limit);
    }

    @ParameterizedTest
    @CsvSource({
        "255, '33 66 132 255', '16 32 64 128 255'",
        "1024, '33 66 132 264 528 1024', '16 32 64 128 256 512 1024'",
        "33, '33', '16 32 33'",
        "100, '33 66 100', '16 32 64 100'"
    })
    void shouldGrowByDoublingUpToTheLimit(final int limit, final String requestSizes, final String pduSizes) {
        assertThat(sizesOfRequest(how(VectorMode.DYNAMIC, limit))).isEqualTo(requestSizes);
        assertThat(sizesOfPdu(how(VectorMode.DYNAMIC, limit))).isEqualTo(pduSizes);
    }

    @ParameterizedTest
    @CsvSource({"255, 255", "1024, 256", "256, 256", "33, 33"})
    void shouldHaveFixedVectorsFromTheStart(final int limit, final int entries) {
        assertThat(sizesOfRequest(how(VectorMode.FIXED, limit))).isEqualTo(Integer.toString(entries));
        assertThat(sizesOfPdu(how(VectorMode.FIXED, limit))).isEqualTo(Integer.toString(entries));
    }

    @Test
    void shouldNeverGrowInline() {
        assertThat(sizesOfRequest(how(VectorMode.INLINE, 1024))).isEqualTo("33");
        assertThat(sizesOfPdu(how(VectorMode.INLINE, 1024))).isEqualTo("16");
    }

    @ParameterizedTest
    @CsvSource({"INLINE, 255, 32", "FIXED, 255, 254", "FIXED, 1024, 255", "DYNAMIC, 255, 254", "DYNAMIC, 1024, 1023"})
    void shouldCopyWhatDoesNotFit(final VectorMode mode, final int limit, final int inPlace) {
        // Of the entries one is kept for the copy of the rest, which is in one block.
        for (final int pieces : new int[] {1, inPlace, inPlace + 1, inPlace + 2, 1040}) {
            try (VectorRig rig = new VectorRig(how(mode, limit))) {
                rig.done(rig.receive(rig.take(), pieces, 5));
                assertThat(rig.counter(TcpCounter.IN_PLACE_BYTES)).isEqualTo((long) PIECE * Math.min(inPlace, pieces));
                assertThat(rig.counter(TcpCounter.COPIED_LIMIT_BYTES))
                        .isEqualTo((long) PIECE * Math.max(0, pieces - inPlace));
            }
        }
    }

    @Test
    void shouldCopyWhatDoesNotFitThePduInline() {
        try (VectorRig rig = new VectorRig(how(VectorMode.INLINE, 255))) {
            rig.done(rig.receive(rig.take(), 30, 30));
            assertThat(rig.counter(TcpCounter.IN_PLACE_BYTES)).isEqualTo(15 * PIECE);
            assertThat(rig.counter(TcpCounter.GROWTHS)).isZero();
            assertThat(rig.larger).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {255, 1024})
    void shouldCopyFromTheGrowthOnThatIsRefused(final int limit) {
        long growths;
        try (VectorRig rig = new VectorRig(how(VectorMode.DYNAMIC, limit))) {
            rig.done(rig.receive(rig.take(), limit + 10, limit / 2));
            growths = rig.counter(TcpCounter.GROWTHS);
        }
        assertThat(growths).isGreaterThanOrEqualTo(6);
        for (int n = 1; n <= growths; n++) {
            final int first = n;
            // That one only, and everything from that one on.
            try (VectorRig rig = new VectorRig(how(VectorMode.DYNAMIC, limit), call -> call == first);
                    VectorRig never = new VectorRig(how(VectorMode.DYNAMIC, limit), call -> call >= first)) {
                rig.done(rig.receive(rig.take(), limit + 10, limit / 2));
                assertThat(rig.counter(TcpCounter.GROWTHS_REFUSED)).isEqualTo(1);
                assertThat(rig.counter(TcpCounter.COPIED_MEMORY_BYTES)).isEqualTo(PIECE);

                never.done(never.receive(never.take(), limit + 10, limit / 2));
                assertThat(never.counter(TcpCounter.GROWTHS)).isEqualTo(first - 1);
                assertThat(never.counter(TcpCounter.COPIED_MEMORY_BYTES)).isPositive();
                // And once more with what there is.
                never.done(never.receive(never.take(), limit + 10, limit / 2));
            }
        }
    }

    @Test
    void shouldBeNoLargerThanInlineOnesUntilTheyGrow() {
        try (VectorRig dynamic = new VectorRig(how(VectorMode.DYNAMIC, 255));
                VectorRig inline = new VectorRig(how(VectorMode.INLINE, 255));
                VectorRig fixed = new VectorRig(how(VectorMode.FIXED, 255))) {
            assertThat(nativeBytes(inline, 1)).isEqualTo(Sqe.BYTES + 33 * ENTRY);
            assertThat(nativeBytes(dynamic, 1)).isEqualTo(nativeBytes(inline, 1));
            assertThat(dynamic.vectors.pduNativeBytes()).isEqualTo(16 * ENTRY);
            assertThat(inline.vectors.pduNativeBytes()).isEqualTo(16 * ENTRY);
            assertThat(nativeBytes(fixed, 1)).isEqualTo(Sqe.BYTES + 255 * ENTRY);
            assertThat(fixed.vectors.pduNativeBytes()).isEqualTo(255 * ENTRY);
            assertThat(nativeBytes(dynamic, 100)).isEqualTo(Sqe.BYTES + (33 + 132) * ENTRY);
            assertThat(dynamic.vectors.pduNativeBytes()).isEqualTo((16 + 128) * ENTRY);
        }
    }

    private static long nativeBytes(final VectorRig rig, final int pieces) {
        final TcpRequest request = rig.receive(rig.take(), pieces, 100);
        final long bytes = request.nativeBytes();
        rig.done(request);
        return bytes;
    }

    private static String sizesOfRequest(final ReceiveOptions how) {
        final List<String> sizes = new ArrayList<>();
        try (VectorRig rig = new VectorRig(how)) {
            for (int pieces = 1; pieces <= 1030; pieces++) {
                final TcpRequest request = rig.receive(rig.take(), pieces, 1);
                add(sizes, request.vector().capacity());
                rig.done(request);
            }
        }
        return String.join(" ", sizes);
    }

    private static String sizesOfPdu(final ReceiveOptions how) {
        final List<String> sizes = new ArrayList<>();
        try (VectorRig rig = new VectorRig(how)) {
            for (int pieces = 1; pieces <= 1030; pieces++) {
                rig.done(rig.receive(rig.take(), pieces, pieces));
                add(sizes, (int) rig.vectors.pduNativeBytes() / ENTRY - firstOr(sizes, 0));
            }
        }
        return String.join(" ", sizes);
    }

    private static int firstOr(final List<String> sizes, final int none) {
        return sizes.size() < 1 ? none : Integer.parseInt(sizes.getFirst());
    }

    private static void add(final List<String> sizes, final int size) {
        final String text = Integer.toString(size == 0 ? firstOr(sizes, 0) : size);
        if (sizes.isEmpty() || !sizes.getLast().equals(text)) {
            sizes.add(text);
        }
    }
}
