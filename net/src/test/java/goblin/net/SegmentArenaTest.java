// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentArenaTest {
    private final List<Throwable> faults = new ArrayList<>();

    @Test
    void shouldBeBoundedAndReuseWhatCameBackLast() {
        try (SegmentArena arena = arena(4)) {
            final List<LentSegment> taken = new ArrayList<>();
            for (LentSegment segment = arena.take(); segment != null; segment = arena.take()) {
                taken.add(segment);
            }
            assertThat(taken).hasSize(3);
            assertThat(arena.freeSegments()).isZero();
            assertThat(taken).allMatch(segment -> segment.address() % 4096 == 0);
            taken.get(1).release();
            assertThat(arena.freeSegments()).isEqualTo(1);
            assertThat(arena.take()).isSameAs(taken.get(1));
            taken.forEach(LentSegment::release);
            assertThat(arena.lentBytes()).isZero();
        }
    }

    @Test
    void shouldGiveTheSameMemoryWhenItWasPrepared() {
        try (SegmentArena arena = arena(40)) {
            arena.prepare();
            assertThat(arena.bytes()).isEqualTo(40L * SegmentArena.DEFAULT_SEGMENT_BYTES);
            final LentSegment segment = arena.take();
            assertThat(Memory.toBytes(segment.address(), segment.capacity())).containsOnly(0);
            segment.release();
        }
    }

    @Test
    void shouldNotLetSmallPiecesAndSegmentsOverlap() {
        try (SegmentArena arena = arena(2)) {
            final List<LentSegment> pieces = new ArrayList<>();
            for (LentSegment piece = arena.takeSmall(); piece != null; piece = arena.takeSmall()) {
                Memory.fill(piece.address(), piece.capacity(), (byte) pieces.size());
                pieces.add(piece);
            }
            assertThat(pieces).hasSize(SegmentArena.DEFAULT_SEGMENT_BYTES / SegmentArena.SMALL_BYTES);
            final LentSegment segment = arena.take();
            Memory.fill(segment.address(), segment.capacity(), (byte) 0xEE);
            for (int i = 0; i < pieces.size(); i++) {
                assertThat(Memory.toBytes(pieces.get(i).address(), SegmentArena.SMALL_BYTES))
                        .containsOnly((byte) i);
                pieces.get(i).release();
            }
            segment.release();
            assertThat(arena.lentBytes()).isZero();
        }
    }

    @Test
    void shouldWorkWithASingleSegmentAndNoSmallPieces() {
        try (SegmentArena arena = arena(1)) {
            assertThat(arena.segments()).isEqualTo(1);
            assertThat(arena.hasSmall()).isFalse();
            assertThat(arena.takeSmall()).isNull();
            final LentSegment only = arena.take();
            assertThat(arena.take()).isNull();
            only.release();
            assertThat(arena.take()).isSameAs(only);
            only.release();
        }
    }

    @Test
    void shouldHaveSmallPiecesOnlyBesideSegmentsThatAreMuchLarger() {
        assertThat(hasSmall(SegmentArena.SMALL_FROM_BYTES)).isTrue();
        assertThat(hasSmall(SegmentArena.SMALL_FROM_BYTES - 1)).isFalse();
        assertThat(hasSmall(1448)).isFalse();
    }

    @Test
    void shouldKeepASegmentUntilAllItsPiecesAreReleasedInAnyOrderAndByAnyThread() throws InterruptedException {
        try (SegmentArena arena = arena(2)) {
            final LentSegment segment = arena.take();
            segment.placed(4000, 96);
            assertThat(segment.address()).isEqualTo(segment.start() + 4000);
            final LentSegment second = arena.view(segment, 4096, 100);
            final LentSegment third = arena.view(segment, 4196, 1);
            assertThat(second.address()).isEqualTo(segment.address() + 96);
            assertThat(second.length()).isEqualTo(100);
            assertThat(third.capacity()).isEqualTo(1);
            assertThat(arena.lentBytes()).isEqualTo(SegmentArena.DEFAULT_SEGMENT_BYTES);
            segment.release();
            third.retain();
            second.release();
            assertThatThrownBy(second::release).isInstanceOf(IllegalStateException.class);
            third.release();
            assertThat(arena.lentBytes()).isPositive();
            Thread.ofPlatform().start(third::release).join();
            assertThat(arena.collect()).isTrue();
            assertThat(arena.lentBytes()).isZero();

            final LentSegment again = arena.take();
            assertThat(again).isSameAs(segment);
            assertThat(again.address()).isEqualTo(again.start());
            final LentSegment piece = arena.view(again, 0, 1);
            assertThat(piece).isIn(second, third);
            again.release();
            piece.release();
        }
        assertThat(faults).isEmpty();
    }

    private boolean hasSmall(final int segmentBytes) {
        try (SegmentArena arena = new SegmentArena(1 << 20, segmentBytes, true, this::fault)) {
            arena.own(() -> {});
            final LentSegment piece = arena.takeSmall();
            assertThat(piece != null).isEqualTo(arena.hasSmall());
            if (piece != null) {
                assertThat(piece.isSmall()).isTrue();
                piece.release();
            }
            return arena.hasSmall();
        }
    }

    @Test
    void shouldRefuseSizesThatItCannotHave() {
        for (final int wrong : new int[] {-1, 0, SegmentArena.LARGEST_SEGMENT_BYTES + 1}) {
            assertThatThrownBy(() -> new SegmentArena(1 << 20, wrong, true, this::fault))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Integer.toString(wrong));
        }
    }

    @Test
    void shouldNotCountPrimedSegmentsAsLentUntilTheyAreLent() {
        final SegmentArena arena = arena(3);
        final LentSegment first = arena.prime();
        final LentSegment second = arena.prime();
        assertThat(arena.prime()).isNull();
        assertThat(arena.freeSegments()).isZero();
        assertThat(arena.lentBytes()).isZero();
        assertThat(arena.lendPrimed(first)).isSameAs(first);
        assertThat(arena.lentBytes()).isEqualTo(SegmentArena.DEFAULT_SEGMENT_BYTES);
        arena.close();
        // The stack may still be writing into the second one.
        first.release();
        Memory.fill(second.address(), second.capacity(), (byte) 1);
        arena.unprime(second);
        assertThat(arena.freeSegments()).isZero();
    }

    @Test
    void shouldKeepSegmentsInOrderInAQueueAndReleaseThoseThatAreLeft() {
        try (SegmentArena arena = new SegmentArena(64 * 10, 64, true, this::fault)) {
            arena.own(() -> {});
            final SegmentQueue queue = new SegmentQueue();
            assertThat(queue.poll()).isNull();
            final List<LentSegment> taken = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                taken.add(arena.take());
                queue.add(taken.getLast());
            }
            for (int i = 0; i < 4; i++) {
                assertThat(queue.poll()).isSameAs(taken.get(i));
                taken.get(i).release();
            }
            assertThat(queue.isEmpty()).isFalse();
            queue.releaseAll();
            assertThat(queue.isEmpty()).isTrue();
            assertThat(arena.lentBytes()).isZero();
        }
    }

    @Test
    void shouldOverwriteWhatCameBackWhenItChecks() {
        try (SegmentArena arena = arena(2)) {
            final LentSegment segment = arena.take();
            Memory.fill(segment.address(), segment.capacity(), (byte) 1);
            segment.release();
            assertThat(Memory.toBytes(segment.address(), segment.capacity())).containsOnly((byte) 0xDB);
        }
    }

    @Test
    void shouldReportATooFrequentReleaseOfAnotherThread() throws InterruptedException {
        try (SegmentArena arena = arena(2)) {
            final LentSegment segment = arena.take();
            final Thread other = Thread.ofPlatform().start(() -> {
                segment.release();
                segment.release();
            });
            other.join();
            assertThat(arena.lentBytes()).isEqualTo(SegmentArena.DEFAULT_SEGMENT_BYTES);
            assertThat(arena.collect()).isTrue();
            assertThat(faults).hasSize(1);
            assertThat(arena.collect()).isFalse();
            segment.release();
        }
    }

    private void fault(final String where, final Throwable fault) {
        faults.add(fault);
    }

    private SegmentArena arena(final int segments) {
        final SegmentArena arena =
                new SegmentArena((long) segments * SegmentArena.DEFAULT_SEGMENT_BYTES, true, this::fault);
        arena.own(() -> {});
        return arena;
    }
}
