// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.util.ArrayList;
import java.util.List;

/** What one client asked for with {@code CLIENT TRACKING}. */
final class ClientTracking {
    boolean on;
    boolean broadcast;
    boolean optIn;
    boolean optOut;
    boolean noLoop;
    /** {@code CLIENT CACHING} was given for the next command (or the whole next transaction). */
    boolean cachingGiven;

    private boolean cachingJustGiven;
    /** Where invalidations go instead; 0 for here. */
    long redirect;

    boolean redirectBroken;
    List<byte[]> prefixes = new ArrayList<>(0);

    void giveCaching() {
        cachingGiven = true;
        cachingJustGiven = true;
    }

    /** A command at the top level has ended: what was given for it is used up. */
    void afterCommand(final boolean inMulti) {
        if (cachingJustGiven || inMulti) {
            cachingJustGiven = false;
        } else {
            cachingGiven = false;
        }
    }

    void reset() {
        on = false;
        broadcast = false;
        optIn = false;
        optOut = false;
        noLoop = false;
        cachingGiven = false;
        cachingJustGiven = false;
        redirect = 0;
        redirectBroken = false;
        prefixes = new ArrayList<>(0);
    }
}
