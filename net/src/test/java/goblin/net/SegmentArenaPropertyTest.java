// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** An arena of any size of segments, against a model that remembers who has what. */
class SegmentArenaPropertyTest {
    private static final int STEPS = 400;
    private static final int[] ODD_SIZES = {1, 2, 63, 64, 65, 1448, 4096, 4097, 16_384, 20_000, 65_536};

    /** What somebody has, how often, and with what it was filled. */
    private static final class Held {
        final byte mark;
        int holds = 1;
        boolean primed;

        Held(final byte mark) {
            this.mark = mark;
        }
    }

    @Property(tries = 150)
    void shouldLendEachByteToOneHolderAndTheLastBackFirst(
            @ForAll @IntRange(min = 0, max = 10) final int size,
            @ForAll @IntRange(min = 1, max = 12) final int segments,
            @ForAll final long seed)
            throws InterruptedException {
        final int segmentBytes = ODD_SIZES[size];
        final List<Throwable> faults = new ArrayList<>();
        final SegmentArena arena = new SegmentArena(
                (long) segments * segmentBytes, segmentBytes, true, (where, fault) -> faults.add(fault));
        arena.own(() -> {});
        new Run(arena, new Random(seed)).run();
        assertThat(faults).isEmpty();
        assertThat(arena.lentBytes()).isZero();
        assertThat(arena.freeSegments()).isEqualTo(arena.segments());
        arena.close();
    }

    private static final class Run {
        private final SegmentArena arena;
        private final Random random;
        private final Map<LentSegment, Held> held = new HashMap<>();
        private final NavigableMap<Long, LentSegment> places = new TreeMap<>();
        private final Deque<LentSegment> cameBack = new ArrayDeque<>();
        private byte marks;

        Run(final SegmentArena arena, final Random random) {
            this.arena = arena;
            this.random = random;
        }

        void run() throws InterruptedException {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(8)) {
                    case 0, 1 -> took(arena.take(), false, false);
                    case 2 -> took(arena.prime(), true, false);
                    case 3 -> took(arena.takeSmall(), false, true);
                    case 4 -> retain();
                    default -> giveBack(random.nextInt(20) == 0);
                }
                check();
            }
            while (!held.isEmpty()) {
                giveBack(false);
            }
        }

        private void took(final LentSegment segment, final boolean primed, final boolean small) {
            if (segment == null) {
                assertThat(small ? 0 : arena.freeSegments()).isZero();
                return;
            }
            if (!small && !cameBack.isEmpty()) {
                assertThat(segment).isSameAs(cameBack.pop());
            }
            assertThat(segment.isSmall()).isEqualTo(small);
            assertThat(segment.capacity()).isEqualTo(small ? SegmentArena.SMALL_BYTES : arena.segmentBytes());
            assertThat(segment.address() % (arena.segmentBytes() % 4096 == 0 && !small ? 4096 : 64))
                    .isZero();
            final Long before = places.floorKey(segment.address());
            assertThat(before == null || before + places.get(before).capacity() <= segment.address())
                    .isTrue();
            final Long after = places.higherKey(segment.address());
            assertThat(after == null || segment.address() + segment.capacity() <= after)
                    .isTrue();
            places.put(segment.address(), segment);
            final Held now = new Held(++marks == (byte) 0xDB ? ++marks : marks);
            now.primed = primed;
            Memory.fill(segment.address(), segment.capacity(), now.mark);
            held.put(segment, now);
        }

        private void retain() {
            final LentSegment one = any();
            if (one != null && !held.get(one).primed) {
                one.retain();
                held.get(one).holds++;
            }
        }

        private void giveBack(final boolean elsewhere) throws InterruptedException {
            final LentSegment one = any();
            if (one == null) {
                return;
            }
            final Held had = held.get(one);
            if (had.primed && random.nextBoolean()) {
                arena.lendPrimed(one);
                had.primed = false;
                return;
            }
            assertThat(Memory.getByte(one.address())).isEqualTo(had.mark);
            assertThat(Memory.getByte(one.address() + one.capacity() - 1)).isEqualTo(had.mark);
            if (had.primed) {
                arena.unprime(one);
            } else if (--had.holds > 0) {
                one.release();
                return;
            } else if (elsewhere) {
                Thread.ofPlatform().start(one::release).join();
                assertThat(arena.collect()).isTrue();
            } else {
                one.release();
            }
            if (!had.primed) {
                assertThat(Memory.getByte(one.address())).isEqualTo((byte) 0xDB);
            }
            held.remove(one);
            places.remove(one.address());
            if (!one.isSmall()) {
                cameBack.push(one);
            }
        }

        private LentSegment any() {
            return held.isEmpty() ? null : List.copyOf(places.values()).get(random.nextInt(held.size()));
        }

        private void check() {
            long lent = 0;
            int segments = 0;
            for (final Map.Entry<LentSegment, Held> one : held.entrySet()) {
                final boolean small = one.getKey().isSmall();
                segments += small ? 0 : 1;
                if (!one.getValue().primed) {
                    lent += small ? SegmentArena.SMALL_BYTES : (arena.segmentBytes() + 63) & -64;
                }
            }
            assertThat(arena.lentBytes()).isEqualTo(lent);
            assertThat(arena.freeSegments()).isEqualTo(arena.segments() - segments);
        }
    }
}
