// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static goblin.nvmf.tcp.VectorRig.PIECE;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.target.RequestVector;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiveVectorsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17, 31, 32, 33, 34, 66, 67, 132, 133, 246, 247, 254, 255, 256, 300, 1000})
    void n13_shouldHoldAnyNumberOfPieces(final int pieces) {
        try (VectorRig rig = new VectorRig(ReceiveOptions.DEFAULT)) {
            final TcpRequest request = rig.receive(rig.take(), pieces, pieces);
            // The copy of the rest has entries left: with one block reserved, one.
            assertThat(request.vector().count()).isEqualTo(Math.min(pieces, 255));
            assertThat(rig.counter(TcpCounter.COPIED_LIMIT_BYTES)).isEqualTo(Math.max(0, pieces - 254) * (long) PIECE);
            rig.done(request);
        }
    }

    @Test
    void shouldCopyTheRestWhenMemoryForGrowthIsRefused() {
        try (VectorRig rig = new VectorRig(ReceiveOptions.DEFAULT, call -> true)) {
            final TcpRequest request = rig.receive(rig.take(), 200, 10);
            assertThat(request.vector().capacity()).isEqualTo(RequestVector.INLINE);
            assertThat(rig.counter(TcpCounter.COPIED_MEMORY_BYTES)).isEqualTo((200 - 32) * (long) PIECE);
            assertThat(rig.counter(TcpCounter.GROWTHS_REFUSED)).isPositive();
            rig.done(request);
        }
    }

    @Property(tries = 200)
    void shouldKeepEveryByteInItsPlace(
            @ForAll @IntRange(min = 1, max = 600) final int pieces,
            @ForAll @IntRange(min = 1, max = 100) final int eachPdu,
            @ForAll final long seed) {
        final Random random = new Random(seed);
        try (VectorRig rig = new VectorRig(ReceiveOptions.DEFAULT, call -> random.nextInt(4) == 0)) {
            rig.done(rig.receive(rig.take(), pieces, eachPdu));
        }
    }
}
