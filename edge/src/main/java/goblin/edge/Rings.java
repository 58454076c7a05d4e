// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.linux.Pages;

/**
 * The subscribers' rings: page-aligned, prefaulted, locked as far as the limit allows. A few stay in reserve, so that
 * a client that comes and goes does not map memory each time.
 */
final class Rings {
    private static final int RESERVE = 64;

    private final long ringBytes;
    private final EdgeLog log;
    private final long[] reserve = new long[RESERVE];
    private int reserved;
    private int inUse;
    private boolean saidUnlocked;

    Rings(final long ringBytes, final EdgeLog log) {
        this.ringBytes = ringBytes;
        this.log = log;
    }

    /** A ring's address; the taker gives it back once. */
    long take() {
        inUse++;
        if (reserved > 0) {
            return reserve[--reserved];
        }
        final long address = Pages.map(ringBytes);
        Pages.prefault(address, ringBytes);
        if (!Pages.lock(address, ringBytes) && !saidUnlocked) {
            saidUnlocked = true;
            log.line("subscriber rings are not all locked in memory: raise LimitMEMLOCK by " + ringBytes
                    + " bytes for each subscriber (now " + inUse + ")");
        }
        return address;
    }

    void giveBack(final long address) {
        inUse--;
        if (reserved < RESERVE) {
            reserve[reserved++] = address;
        } else {
            Pages.unmap(address, ringBytes);
        }
    }

    /** Rings that subscribers hold. */
    int inUse() {
        return inUse;
    }

    /** Gives some of the reserve back, so that an edge whose subscribers left is small again. */
    void trim() {
        final int keep = reserved / 2;
        while (reserved > keep) {
            Pages.unmap(reserve[--reserved], ringBytes);
        }
    }

    /** Unmaps the reserve. */
    void close() {
        while (reserved > 0) {
            Pages.unmap(reserve[--reserved], ringBytes);
        }
    }
}
