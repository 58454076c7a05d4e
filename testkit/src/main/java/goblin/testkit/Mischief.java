// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import java.util.Random;

/**
 * How badly a {@link HostileTransport} behaves. Sizes are drawn so that each order of magnitude is as likely: many pieces
 * of one or few bytes, some large ones.
 *
 * @param maxReceive        most bytes of a delivered piece, at least 1
 * @param maxSend           most bytes that one send takes, at least 1
 * @param wouldBlockPercent how often a send takes nothing although there is room, 0 to 99
 * @param maxDelayTurns     most turns that a delivery or the news of room waits, 0 or more
 */
public record Mischief(int maxReceive, int maxSend, int wouldBlockPercent, int maxDelayTurns) {

    /** As good as the transport below, until a test does something to a connection. */
    public static final Mischief NONE = new Mischief(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, 0);

    /** Cuts anywhere, blocks now and then, and delays a little. */
    public static final Mischief CUTS = new Mischief(64 * 1024, 64 * 1024, 10, 3);

    /** One byte at a time, both ways. */
    public static final Mischief ONE_BYTE = new Mischief(1, 1, 0, 0);

    /** How many of {@code wanted} bytes pass, at least 1, where at most {@code max} may. */
    static int cut(final Random random, final int max, final long wanted) {
        final int bound = (int) Math.min(max, wanted);
        if (max == Integer.MAX_VALUE || bound == 1) {
            return bound;
        }
        final int magnitude = 1 << random.nextInt(Integer.SIZE - Integer.numberOfLeadingZeros(max));
        return Math.min(bound, 1 + random.nextInt(magnitude));
    }
}
