// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.LongPredicate;

/** The vectors of one connection, fed by hand with pieces that do not touch; at its end all must have come back. */
final class VectorRig implements AutoCloseable {
    static final int PIECE = 1000;
    /** No two pieces touch. */
    private static final int STRIDE = 1024;

    private static final int MOST_PIECES = 2048;

    /** Larger vectors there are. */
    final Set<Long> larger = new HashSet<>();

    private final LongPredicate refuses;
    private long allocations;
    private final VectorMemory memory = new VectorMemory() {
        @Override
        public long allocate(final long bytes) {
            if (refuses.test(++allocations)) {
                return 0;
            }
            final long address = HEAP.allocate(bytes);
            larger.add(address);
            return address;
        }

        @Override
        public void free(final long address) {
            assertThat(address == 0 || larger.remove(address)).isTrue();
            HEAP.free(address);
        }
    };
    private final EventLoop loop = new EventLoop("vectors", new MemoryNetwork(), IdlePolicy.SPIN);
    private final TcpLoop tcp;
    final RequestPool pool;
    final ReceiveVectors vectors;
    private final long source = Memory.allocate((long) MOST_PIECES * STRIDE);
    private final List<Piece> held = new ArrayList<>();

    VectorRig(final ReceiveOptions how) {
        this(how, call -> false);
    }

    /** Of which some allocations are refused, counted from 1. */
    VectorRig(final ReceiveOptions how, final LongPredicate refuses) {
        this.refuses = refuses;
        final TcpOptions options = TargetRig.receiving(TargetRig.options(), how);
        tcp = new TcpLoop(loop, options, new ConnectionLimit(1), transport -> null, memory, line -> {});
        vectors = new ReceiveVectors(tcp);
        pool = new RequestPool(tcp.counters(), tcp.grown().requestEntries());
        final Random random = new Random(how.hashCode());
        for (long at = 0; at < (long) MOST_PIECES * STRIDE; at += 8) {
            Memory.putLong(source + at, random.nextLong());
        }
    }

    TcpRequest take() {
        return pool.take(4096);
    }

    /** A whole command: so many pieces, in PDUs of so many. */
    TcpRequest receive(final TcpRequest request, final int pieces, final int eachPdu) {
        final TransferArena arena = tcp.credit().arena();
        // One block, so that one entry is kept.
        request.reserved(arena, arena.take(1 << 20, CreditQueue.MAX_BLOCKS));
        request.phase = TcpRequest.Phase.RECEIVING;
        for (int i = 0; i < pieces; i++) {
            final Piece piece = new Piece(source + (long) i * STRIDE);
            held.add(piece);
            vectors.take(request, piece, piece.address(), PIECE);
            piece.release();
            if ((i + 1) % eachPdu == 0 || i + 1 == pieces) {
                vectors.accept(request);
            }
        }
        assertContents(request, pieces);
        return request;
    }

    /** The command is done. */
    void done(final TcpRequest request) {
        vectors.release(request);
        request.giveBackReserved();
        pool.giveBack(request);
    }

    /** A second has passed. */
    void second() {
        if (!grown().decays()) {
            return;
        }
        for (int slot = 0; slot < pool.made(); slot++) {
            vectors.decay(pool.at(slot));
        }
        vectors.decay();
    }

    long counter(final TcpCounter counter) {
        return tcp.counters().get(counter);
    }

    GrownVectors grown() {
        return tcp.grown();
    }

    private void assertContents(final TcpRequest request, final int pieces) {
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

    @Override
    public void close() {
        assertThat(pool.inUse()).as("requests").isZero();
        assertThat(held).as("segments").allMatch(piece -> piece.holds == 0);
        for (int slot = 0; slot < pool.made(); slot++) {
            vectors.shrink(pool.at(slot));
        }
        pool.destroy();
        vectors.destroy();
        assertThat(larger).as("larger vectors").isEmpty();
        assertThat(grown().bytes()).as("bytes of larger vectors").isZero();
        assertThat(counter(TcpCounter.GROWN_BYTES)).isZero();
        Memory.free(source);
        loop.close();
        tcp.destroy();
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
