// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.resp.CommandDecoder;
import goblin.resp.RespLimits;
import java.util.ArrayDeque;

/**
 * Decoders that no client is in the middle of a command with: a client has one only from a command's first byte until its
 * last, so that idle clients share a few.
 */
final class Decoders {
    private static final int MOST_KEPT = 64;

    private final ArrayDeque<CommandDecoder> free = new ArrayDeque<>(MOST_KEPT);

    /** A decoder that is at the start of a command, to be given back once. */
    CommandDecoder take(final RespLimits limits) {
        final CommandDecoder kept = free.pollLast();
        if (kept == null) {
            return new CommandDecoder(limits);
        }
        kept.setLimits(limits);
        return kept;
    }

    /** Forgets what the decoder has read, and keeps it for the next client. */
    void giveBack(final CommandDecoder decoder) {
        if (free.size() < MOST_KEPT) {
            decoder.reset();
            free.addLast(decoder);
        } else {
            decoder.close();
        }
    }
}
