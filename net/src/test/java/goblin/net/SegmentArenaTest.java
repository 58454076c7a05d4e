// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import static org.assertj.core.api.Assertions.assertThat;

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
            assertThat(arena.bytes()).isEqualTo(40L * SegmentArena.SEGMENT_BYTES);
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
            assertThat(pieces).hasSize(SegmentArena.SEGMENT_BYTES / SegmentArena.SMALL_BYTES);
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
            assertThat(arena.lentBytes()).isEqualTo(SegmentArena.SEGMENT_BYTES);
            assertThat(arena.collect()).isTrue();
            assertThat(faults).hasSize(1);
            assertThat(arena.collect()).isFalse();
            segment.release();
        }
    }

    private SegmentArena arena(final int segments) {
        final SegmentArena arena = new SegmentArena(
                (long) segments * SegmentArena.SEGMENT_BYTES, true, (where, fault) -> faults.add(fault));
        arena.own(() -> {});
        return arena;
    }
}
