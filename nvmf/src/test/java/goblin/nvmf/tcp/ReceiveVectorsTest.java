// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.ReceiveSegment;
import goblin.net.epoll.EpollTransport;
import goblin.net.linux.Memory;
import goblin.nvmf.target.RequestVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiveVectorsTest {
    private static final int PIECE = 1000;
    /** No two pieces touch. */
    private static final int STRIDE = 1024;

    private boolean memoryRefused;
    private final List<Long> larger = new ArrayList<>();
    private final VectorMemory memory = new VectorMemory() {
        @Override
        public long allocate(final long bytes) {
            if (memoryRefused) {
                return 0;
            }
            final long address = HEAP.allocate(bytes);
            larger.add(address);
            return address;
        }

        @Override
        public void free(final long address) {
            larger.remove(address);
            HEAP.free(address);
        }
    };
    private final EventLoop loop = new EventLoop("vectors", new EpollTransport(), IdlePolicy.BACKOFF);
    private final TcpLoop tcp =
            new TcpLoop(loop, TargetRig.options(), new ConnectionLimit(1), transport -> null, memory, line -> {});
    private final ReceiveVectors vectors = new ReceiveVectors(tcp);
    private final TcpRequest request = TcpRequest.make(0, RequestVector.INLINE);
    private final long source = Memory.allocate(2048L * STRIDE);
    private final List<Piece> held = new ArrayList<>();

    @AfterEach
    @AfterProperty
    void everythingShouldComeBack() {
        reset();
        vectors.destroy();
        assertThat(larger).as("larger vectors").isEmpty();
        request.destroy();
        Memory.free(source);
        loop.close();
        tcp.destroy();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17, 31, 32, 33, 34, 66, 67, 132, 133, 246, 247, 254, 255, 256, 300, 1000})
    void n13_shouldHoldAnyNumberOfPieces(final int pieces) {
        receive(pieces, pieces);
        assertContents(pieces);
        // The copy of the rest has entries left: with one block reserved, one.
        assertThat(request.vector().count()).isEqualTo(Math.min(pieces, 255));
        assertThat(tcp.counters().get(TcpCounter.COPIED_LIMIT_BYTES))
                .isEqualTo(Math.max(0, pieces - 254) * (long) PIECE);
    }

    @Test
    void shouldGrowFromInlineByDoublingUpToTheLimit() {
        final List<Integer> capacities = new ArrayList<>();
        reserve(300);
        for (int i = 0; i < 300; i++) {
            take(i);
            vectors.accept(request);
            if (capacities.isEmpty() || capacities.getLast() != request.vector().capacity()) {
                capacities.add(request.vector().capacity());
            }
        }
        assertThat(capacities).containsExactly(33, 66, 132, 255);
        assertContents(300);
    }

    @Test
    void shouldKeepAGrownVectorForReuse() {
        receive(100, 10);
        final long grown = request.vector().iovecs();
        vectors.release(request);
        request.giveBackReserved();
        request.received = 0;
        receive(100, 10);
        assertThat(request.vector().iovecs()).isEqualTo(grown);
        assertContents(100);
    }

    @Test
    void shouldCopyTheRestWhenMemoryForGrowthIsRefused() {
        memoryRefused = true;
        receive(200, 10);
        assertContents(200);
        assertThat(request.vector().capacity()).isEqualTo(RequestVector.INLINE);
        assertThat(tcp.counters().get(TcpCounter.COPIED_MEMORY_BYTES)).isEqualTo((200 - 32) * (long) PIECE);
        assertThat(tcp.counters().get(TcpCounter.GROWTHS_REFUSED)).isPositive();
    }

    @Property(tries = 200)
    void shouldKeepEveryByteInItsPlace(
            @ForAll @IntRange(min = 1, max = 600) final int pieces, @ForAll final long seed) {
        final Random random = new Random(seed);
        reserve(pieces);
        for (int i = 0; i < pieces; i++) {
            memoryRefused = random.nextInt(4) == 0;
            take(i);
            if (random.nextInt(20) == 0) {
                vectors.accept(request);
            }
        }
        vectors.accept(request);
        assertContents(pieces);
        reset();
    }

    private void reset() {
        vectors.release(request);
        request.giveBackReserved();
        request.received = 0;
        assertThat(held).allMatch(piece -> piece.holds == 0);
        held.clear();
        vectors.shrink(request);
    }

    private void reserve(final int pieces) {
        final TransferArena arena = tcp.credit().arena();
        request.reserved(arena, arena.take((long) pieces * PIECE, CreditQueue.MAX_BLOCKS));
        final Random random = new Random(pieces);
        for (long at = 0; at < (long) pieces * STRIDE; at += 8) {
            Memory.putLong(source + at, random.nextLong());
        }
    }

    /** Receives pieces in PDUs of {@code eachPdu} pieces. */
    private void receive(final int pieces, final int eachPdu) {
        // One block, so that one entry is kept.
        reserve(1048);
        for (int i = 0; i < pieces; i++) {
            take(i);
            if ((i + 1) % eachPdu == 0) {
                vectors.accept(request);
            }
        }
        vectors.accept(request);
    }

    private void take(final int index) {
        final Piece piece = new Piece(source + (long) index * STRIDE);
        held.add(piece);
        vectors.take(request, piece, piece.address(), PIECE);
        piece.release();
    }

    private void assertContents(final int pieces) {
        assertThat(request.vector().bytes()).isEqualTo((long) pieces * PIECE);
        assertThat(request.received).isEqualTo((long) pieces * PIECE);
        final byte[] all = new byte[pieces * PIECE];
        int done = 0;
        for (int i = 0; i < request.vector().count(); i++) {
            final int length = (int) request.vector().length(i);
            Memory.copyOut(request.vector().address(i), all, done, length);
            done += length;
        }
        for (int i = 0; i < pieces; i++) {
            assertThat(Memory.equal(source + (long) i * STRIDE, all, i * PIECE, PIECE))
                    .as("piece " + i)
                    .isTrue();
        }
    }

    private static final class Piece implements ReceiveSegment {
        private final long address;
        private int holds = 1;

        Piece(final long address) {
            this.address = address;
        }

        @Override
        public long address() {
            return address;
        }

        @Override
        public int length() {
            return PIECE;
        }

        @Override
        public void retain() {
            assertThat(holds).isPositive();
            holds++;
        }

        @Override
        public void release() {
            assertThat(holds--).isPositive();
        }
    }
}
