// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.linux.Pages;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * The rings of one loop: page-aligned, prefaulted, locked as far as the limit allows. A client has one only while messages
 * wait in it, so an idle subscriber costs none.
 *
 * <p>Rings that came back stay in reserve, since the next turn often needs as many: the reserve grows with use, and what was
 * not needed for some seconds is given back to the system, little at a time.
 */
final class Rings {
    /** Gathering only saves calls: past this much memory, or so much of it new in a turn, it is not worth a new ring. */
    private static final long GATHERING_BYTES = 256L << 20;

    private static final long NEW_BYTES_A_TURN = 2L << 20;
    /** Ticks in which a ring must have been free before it goes, and how many go in one. */
    private static final int TRIM_TICKS = 25;

    private static final int MOST_TRIMMED = 32;
    private static final int TRIMMED_PART = 16;

    private final long ringBytes;
    private final EdgeLog log;
    private final LongUnaryOperator mapper;
    private long[] reserve = new long[16];
    private int reserved;
    private int inUse;
    private long growthTurn = -1;
    private int grownInTurn;
    private int mostInUse;
    private int surplus;
    private int ticks;
    private boolean saidUnlocked;

    Rings(final long ringBytes, final EdgeLog log) {
        this(ringBytes, log, Pages::map);
    }

    /**
     * Makes rings over a source of memory.
     *
     * @param mapper given the bytes of a ring, maps them or throws {@link OutOfMemoryError}
     */
    Rings(final long ringBytes, final EdgeLog log, final LongUnaryOperator mapper) {
        this.ringBytes = ringBytes;
        this.log = log;
        this.mapper = mapper;
    }

    /**
     * Takes a ring.
     *
     * @param turn the loop's present turn
     * @return its address, to be given back once; 0 when the system has no memory for it
     */
    long take(final long turn) {
        if (reserved == 0) {
            return map(turn);
        }
        taken();
        return reserve[--reserved];
    }

    /**
     * Whether a message that its socket might take should wait for the end of the turn: it needs a ring then.
     *
     * @param turn the loop's present turn
     */
    boolean worthGathering(final long turn) {
        if (reserved > 0) {
            return true;
        }
        final int grown = turn == growthTurn ? grownInTurn : 0;
        return (grown + 1) * ringBytes <= NEW_BYTES_A_TURN && (inUse + 1) * ringBytes <= GATHERING_BYTES;
    }

    void giveBack(final long address) {
        inUse--;
        reserve[reserved++] = address;
    }

    /** Rings in which messages wait. */
    int inUse() {
        return inUse;
    }

    /** Rings kept for the next need. */
    int reserved() {
        return reserved;
    }

    /** Gives back some of what was not needed lately. Called at each tick. */
    void trim() {
        if (++ticks >= TRIM_TICKS) {
            ticks = 0;
            surplus = reserved;
        }
        // Of what the last ticks needed at once, this keeps all.
        surplus = Math.min(surplus, inUse + reserved - mostInUse);
        if (ticks == 0) {
            mostInUse = inUse;
        }
        if (surplus == 0) {
            return;
        }
        final int goes = Math.min(MOST_TRIMMED, 1 + (surplus - 1) / TRIMMED_PART);
        surplus -= goes;
        for (int i = 0; i < goes; i++) {
            Pages.unmap(reserve[--reserved], ringBytes);
        }
    }

    private void taken() {
        inUse++;
        mostInUse = Math.max(mostInUse, inUse);
    }

    /** Unmaps the reserve. */
    void close() {
        while (reserved > 0) {
            Pages.unmap(reserve[--reserved], ringBytes);
        }
    }

    private long map(final long turn) {
        final long address;
        try {
            address = mapper.applyAsLong(ringBytes);
        } catch (final OutOfMemoryError refused) {
            return 0;
        }
        taken();
        if (inUse > reserve.length) {
            // All may come back: giving back must not fail.
            reserve = Arrays.copyOf(reserve, reserve.length * 2);
        }
        grownInTurn = turn == growthTurn ? grownInTurn + 1 : 1;
        growthTurn = turn;
        if (!Pages.lock(address, ringBytes)) {
            Pages.prefault(address, ringBytes);
            sayUnlocked();
        }
        return address;
    }

    private void sayUnlocked() {
        if (!saidUnlocked) {
            saidUnlocked = true;
            log.line("subscriber rings are not all locked in memory: raise LimitMEMLOCK by " + ringBytes
                    + " bytes for each subscriber with messages waiting (now " + inUse + ")");
        }
    }
}
