// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Which loop a new connection is for: the one with the fewest of the same host, so that a host's queues use all cores; among
 * these the one with the fewest of all hosts; among these the next in turn. A host is an address here, since its name comes
 * only with Connect. Any thread.
 */
final class LoopChoice {
    /** Says that no loop is left. */
    static final int NONE = -1;

    private final int[] all;
    private final boolean[] ended;
    private final Map<InetAddress, int[]> byHost = new HashMap<>();
    private int last;

    LoopChoice(final int loops) {
        all = new int[loops];
        ended = new boolean[loops];
        last = loops - 1;
    }

    /** Chooses a loop and counts a connection to it, until {@link #giveBack}; {@link #NONE} when all have ended. */
    synchronized int take(final InetAddress host) {
        final int[] own = byHost.computeIfAbsent(host, address -> new int[all.length]);
        int best = NONE;
        for (int i = 1; i <= all.length; i++) {
            final int loop = (last + i) % all.length;
            if (!ended[loop] && (best == NONE || isBetter(own, loop, best))) {
                best = loop;
            }
        }
        if (best == NONE) {
            forgetIfUnused(host, own);
            return NONE;
        }
        last = best;
        own[best]++;
        all[best]++;
        return best;
    }

    private boolean isBetter(final int[] own, final int loop, final int than) {
        return own[loop] == own[than] ? all[loop] < all[than] : own[loop] < own[than];
    }

    /** A connection counted to a loop is over, or did not come to be. */
    synchronized void giveBack(final InetAddress host, final int loop) {
        final int[] own = byHost.get(host);
        own[loop]--;
        all[loop]--;
        forgetIfUnused(host, own);
    }

    /** A loop takes no more. */
    synchronized void ended(final int loop) {
        ended[loop] = true;
    }

    /** Hosts with connections. */
    synchronized int hosts() {
        return byHost.size();
    }

    private void forgetIfUnused(final InetAddress host, final int[] own) {
        if (Arrays.stream(own).allMatch(count -> count == 0)) {
            byHost.remove(host);
        }
    }
}
