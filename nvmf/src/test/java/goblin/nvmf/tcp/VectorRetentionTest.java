// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.target.RequestVector;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of vectors that have grown. */
class VectorRetentionTest {
    private static final int ENTRY = 16;

    private static ReceiveOptions how(final VectorRetention retention) {
        return ReceiveOptions.DEFAULT.withVectors(VectorMode.DYNAMIC, retention);
    }

    @Test
    void shouldKeepAGrownVectorForReuse() {
        try (VectorRig rig = new VectorRig(how(VectorRetention.KEEP))) {
            final TcpRequest request = rig.receive(rig.take(), 100, 20);
            final long grown = request.vector().iovecs();
            rig.done(request);
            for (int i = 0; i < 10; i++) {
                rig.second();
                rig.done(rig.receive(rig.take(), 1, 1));
            }
            assertThat(rig.receive(rig.take(), 100, 20).vector().iovecs()).isEqualTo(grown);
            assertThat(rig.counter(TcpCounter.GROWTHS)).isEqualTo(3);
            assertThat(rig.grown().bytes()).isEqualTo((132 + 32) * ENTRY);
            rig.done(request);
        }
    }

    @Test
    void shouldGiveAGrownVectorBackWithItsData() {
        try (VectorRig rig = new VectorRig(how(VectorRetention.RELEASE))) {
            for (int i = 1; i <= 3; i++) {
                final TcpRequest request = rig.receive(rig.take(), 100, 20);
                assertThat(rig.grown().bytes()).as("the PDU's are back already").isEqualTo(132 * ENTRY);
                rig.done(request);
                assertThat(request.vector().capacity()).isEqualTo(RequestVector.INLINE);
                assertThat(rig.larger).isEmpty();
                assertThat(rig.counter(TcpCounter.GROWTHS)).isEqualTo(7L * i);
                assertThat(rig.counter(TcpCounter.SHRUNK)).isEqualTo(6L * i);
            }
            assertThat(rig.counter(TcpCounter.GROWN_MOST_BYTES)).isEqualTo((132 + 66) * ENTRY);
        }
    }

    @Test
    void shouldHalveWhatNobodyNeeds() {
        try (VectorRig rig = new VectorRig(how(VectorRetention.DECAY))) {
            final TcpRequest request = rig.receive(rig.take(), 250, 250);
            rig.done(request);
            final List<Integer> sizes = new ArrayList<>();
            final List<Long> bytes = new ArrayList<>();
            for (int second = 0; second < 6; second++) {
                rig.second();
                sizes.add(request.vector().capacity());
                bytes.add(rig.grown().bytes() / ENTRY);
            }
            // In the first second all of it was needed.
            assertThat(sizes).containsExactly(255, 128, 64, 33, 33, 33);
            assertThat(bytes).containsExactly(255L + 255, 128L + 128, 64L + 64, 32L, 0L, 0L);
        }
    }

    @Test
    void shouldKeepWhatIsNeededNowAndThen() {
        try (VectorRig rig = new VectorRig(how(VectorRetention.DECAY))) {
            for (int second = 0; second < 5; second++) {
                for (int i = 0; i < 20; i++) {
                    rig.done(rig.receive(rig.take(), i == 7 ? 200 : 1, 10));
                }
                rig.second();
            }
            assertThat(rig.counter(TcpCounter.GROWTHS)).isEqualTo(3);
            assertThat(rig.counter(TcpCounter.SHRUNK)).isZero();
        }
    }

    @Test
    void shouldHalveWhatWasInUseWhenItIsGivenUp() {
        try (VectorRig rig = new VectorRig(how(VectorRetention.DECAY))) {
            rig.done(rig.receive(rig.take(), 250, 10));
            rig.second();
            final TcpRequest busy = rig.receive(rig.take(), 3, 3);
            rig.second();
            rig.second();
            assertThat(busy.vector().capacity()).isEqualTo(255);
            rig.done(busy);
            assertThat(busy.vector().capacity()).isEqualTo(128);
            rig.done(rig.receive(rig.take(), 3, 3));
            assertThat(busy.vector().capacity()).isEqualTo(128);
        }
    }

    @Test
    void shouldGoBackToInlineWhenMemoryForHalfIsRefused() {
        try (VectorRig rig = new VectorRig(how(VectorRetention.DECAY), call -> call > 3)) {
            final TcpRequest request = rig.receive(rig.take(), 250, 10);
            rig.done(request);
            rig.second();
            rig.second();
            assertThat(request.vector().capacity()).isEqualTo(RequestVector.INLINE);
            assertThat(rig.larger).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepNoMoreThanItsBound(final VectorRetention retention) {
        try (VectorRig rig = new VectorRig(how(retention))) {
            final long most = rig.grown().mostKept();
            final List<TcpRequest> requests = new ArrayList<>();
            for (int i = 0; i < most / (255 * ENTRY) + 50; i++) {
                final TcpRequest request = rig.take();
                requests.add(request);
                final long before = rig.grown().bytes();
                rig.receive(request, 140, 10);
                assertThat(rig.grown().bytes() - before).isEqualTo(255 * ENTRY);
                request.giveBackReserved();
            }
            assertThat(rig.grown().bytes()).isGreaterThan(most);
            requests.forEach(rig::done);
            assertThat(rig.grown().bytes()).isLessThanOrEqualTo(most);
            for (int second = 0; second < 4; second++) {
                rig.second();
            }
            if (retention != VectorRetention.KEEP) {
                assertThat(rig.grown().bytes()).isZero();
            }
        }
    }

    @Property(tries = 60)
    void shouldKeepEveryByteWhateverBecomesOfVectors(
            @ForAll final VectorRetention retention,
            @ForAll final VectorMode mode,
            @ForAll @Size(min = 1, max = 20) final List<@IntRange(min = 0, max = 1040) Integer> sizes,
            @ForAll @IntRange(min = 1, max = 300) final int eachPdu,
            @ForAll @IntRange(min = 2, max = 9) final int refusedEach,
            @ForAll @IntRange(min = 33, max = 1024) final int limit) {
        final ReceiveOptions how =
                ReceiveOptions.DEFAULT.withVectors(mode, retention).withMaxSegments(limit);
        try (VectorRig rig = new VectorRig(how, call -> call % refusedEach == 0)) {
            TcpRequest before = null;
            for (final int size : sizes) {
                if (size % 4 == 0) {
                    rig.second();
                }
                final TcpRequest request = rig.receive(rig.take(), size, eachPdu);
                if (before != null) {
                    rig.done(before);
                }
                before = request;
            }
            rig.done(before);
        }
    }
}
