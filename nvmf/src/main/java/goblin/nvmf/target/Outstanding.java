// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The commands of a queue that are not completed yet, by identifier. Allocates only when made. Hosts choose identifiers, so
 * where one is kept depends on a number that no host knows: none can make all of its own share a place.
 */
final class Outstanding {
    private static final int EMPTY = -1;

    private final int[] cids;
    private final Request[] requests;
    private final int mask;
    private final int shift;
    private final int secret = ThreadLocalRandom.current().nextInt();

    /** Makes a table for up to so many commands. */
    Outstanding(final int most) {
        final int bits = Math.max(2, 33 - Integer.numberOfLeadingZeros(most));
        cids = new int[1 << bits];
        Arrays.fill(cids, EMPTY);
        requests = new Request[cids.length];
        mask = cids.length - 1;
        shift = 32 - bits;
    }

    /** Adds a command; false when there is one of that identifier. */
    boolean add(final int cid, final Request request) {
        int at = home(cid);
        while (cids[at] != EMPTY) {
            if (cids[at] == cid) {
                return false;
            }
            at = (at + 1) & mask;
        }
        cids[at] = cid;
        requests[at] = request;
        return true;
    }

    /** Finds a command; null when there is none of that identifier. */
    Request find(final int cid) {
        int at = home(cid);
        while (cids[at] != EMPTY) {
            if (cids[at] == cid) {
                return requests[at];
            }
            at = (at + 1) & mask;
        }
        return null;
    }

    /** Removes a command, if it is there. */
    void remove(final int cid) {
        int hole = home(cid);
        while (cids[hole] != cid) {
            if (cids[hole] == EMPTY) {
                return;
            }
            hole = (hole + 1) & mask;
        }
        // Those behind that may move up do, so that no search ends at the hole.
        int at = (hole + 1) & mask;
        while (cids[at] != EMPTY) {
            if (((at - home(cids[at])) & mask) >= ((at - hole) & mask)) {
                cids[hole] = cids[at];
                requests[hole] = requests[at];
                hole = at;
            }
            at = (at + 1) & mask;
        }
        cids[hole] = EMPTY;
        requests[hole] = null;
    }

    /** Adds all commands of this table to another one. */
    void copyTo(final Outstanding other) {
        for (int i = 0; i < cids.length; i++) {
            if (cids[i] != EMPTY) {
                other.add(cids[i], requests[i]);
            }
        }
    }

    private int home(final int cid) {
        int mixed = cid ^ secret;
        mixed = (mixed ^ mixed >>> 16) * 0x85EBCA6B;
        mixed = (mixed ^ mixed >>> 13) * 0xC2B2AE35;
        return (mixed ^ mixed >>> 16) >>> shift;
    }
}
