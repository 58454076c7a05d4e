// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.linux.Pages;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * What the loops of one edge share: a ring from each to each, the counter that orders their publications, and the marks of
 * those that sleep. Loop 0 is home, which alone talks to the host.
 *
 * @param <O> the owner of a publication
 * @param <S> where its answer goes
 */
public final class Exchange<O, S> implements AutoCloseable {
    /** Makes what merges a loop's rings. */
    interface Merging {
        Inbound of(int loop, InRing[] rings, Tickets tickets);
    }

    /** The bits of a mask. */
    public static final int MOST_LOOPS = 64;

    private static final int MOST_UNANSWERED = 65_536;
    private static final long MOST_UNANSWERED_BYTES = 16L << 20;
    private static final int MOST_RING_MESSAGES = 8192;
    private static final int MESSAGES_OF_ALL_RINGS = 32 * 1024;
    private static final int MESSAGE_BYTES = 64;

    private final long ringMemory;
    private final long ringMemoryBytes;
    private final Tickets tickets;
    private final Merging merging;
    private final Sleepers sleepers;
    private final List<LoopExchange<O, S>> exchanges = new ArrayList<>();

    /**
     * Makes the exchange of an edge. Its loops share the bounds of the publisher link; a ring takes twice the publications
     * that a loop may have unanswered, so that only control messages in masses, or a loop that is stuck, spill.
     *
     * @param loops 1 to {@link #MOST_LOOPS}
     */
    public Exchange(final int loops) {
        this(
                checked(loops),
                ringMessages(loops),
                Math.min(ringMessages(loops) / 2, MOST_UNANSWERED / loops),
                MOST_UNANSWERED_BYTES / loops);
    }

    Exchange(final int loops, final int ringMessages, final int mostUnanswered, final long mostUnansweredBytes) {
        this(loops, ringMessages, mostUnanswered, mostUnansweredBytes, new Tickets(loops), Inbound::new);
    }

    Exchange(
            final int loops,
            final int ringMessages,
            final int mostUnanswered,
            final long mostUnansweredBytes,
            final Tickets tickets,
            final Merging merging) {
        final int ringBytes = ringMessages * MESSAGE_BYTES + RingBufferDescriptor.TRAILER_LENGTH;
        ringMemoryBytes = Math.max(1, (long) loops * loops * ringBytes);
        ringMemory = Pages.map(ringMemoryBytes);
        this.tickets = tickets;
        this.merging = merging;
        sleepers = new Sleepers(loops);
        final OneToOneRingBuffer[][] rings = new OneToOneRingBuffer[loops][loops];
        for (int from = 0; from < loops; from++) {
            for (int to = 0; to < loops; to++) {
                final long address = ringMemory + ((long) from * loops + to) * ringBytes;
                rings[from][to] = new OneToOneRingBuffer(new UnsafeBuffer(address, ringBytes));
            }
        }
        for (int loop = 0; loop < loops; loop++) {
            exchanges.add(make(loop, loops, rings, mostUnanswered, mostUnansweredBytes));
        }
    }

    private LoopExchange<O, S> make(
            final int loop,
            final int loops,
            final OneToOneRingBuffer[][] rings,
            final int mostUnanswered,
            final long mostUnansweredBytes) {
        final ExchangeCounters counters = new ExchangeCounters();
        final Shipments<O, S> shipments = new Shipments<>(mostUnanswered, mostUnansweredBytes);
        final OutRing[] out = new OutRing[loops];
        for (int to = 0; to < loops; to++) {
            if (to != loop) {
                out[to] = new OutRing(rings[loop][to], tickets, loop, to);
            }
        }
        final Outbound outbound = new Outbound(loop, out, tickets, sleepers, counters);
        final Incoming<O, S> incoming = new Incoming<>(loop, shipments, outbound, counters);
        final InRing[] in = new InRing[loops - 1];
        int place = 0;
        for (int from = 0; from < loops; from++) {
            if (from != loop) {
                in[place++] = new InRing(rings[from][loop], from, incoming);
            }
        }
        final long all = -1L >>> (MOST_LOOPS - loops);
        final long others = all & ~(1L << loop);
        return new LoopExchange<>(
                loop,
                others,
                tickets,
                sleepers,
                shipments,
                outbound,
                merging.of(loop, in, tickets),
                incoming,
                counters);
    }

    /**
     * One loop's part.
     *
     * @param loop 0 for home
     * @return always the same object
     */
    public LoopExchange<O, S> of(final int loop) {
        return exchanges.get(loop);
    }

    /**
     * The number of loops.
     *
     * @return as given to the constructor
     */
    public int loops() {
        return exchanges.size();
    }

    /**
     * Sums a counter over the loops; any thread.
     *
     * @param counter which
     * @return its sum
     */
    public long counter(final ExchangeCounter counter) {
        long sum = 0;
        for (int i = 0; i < exchanges.size(); i++) {
            sum += exchanges.get(i).counter(counter);
        }
        return sum;
    }

    /** Frees rings, publications and what nobody handled. After all loops have ended, once. */
    @Override
    public void close() {
        for (final LoopExchange<O, S> exchange : exchanges) {
            exchange.free();
        }
        Pages.unmap(ringMemory, ringMemoryBytes);
        tickets.close();
        sleepers.close();
    }

    private static int checked(final int loops) {
        if (loops < 1 || loops > MOST_LOOPS) {
            throw new IllegalArgumentException(loops + " loops");
        }
        return loops;
    }

    private static int ringMessages(final int loops) {
        return Math.min(MOST_RING_MESSAGES, MESSAGES_OF_ALL_RINGS / Integer.highestOneBit(loops));
    }
}
