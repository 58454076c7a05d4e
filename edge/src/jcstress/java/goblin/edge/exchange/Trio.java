// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.linux.Memory;
import goblin.pubsub.Kind;

/** Three loops whose publications are numbers, and what each has delivered: the digits of a number, first delivered first. */
final class Trio {
    private static final int LOOPS = 3;
    private static final int RING_MESSAGES = 8;
    private static final int BASE = 10;

    private final Exchange<String, String> exchange = new Exchange<>(LOOPS, RING_MESSAGES, 4, 1024);
    private final int[] delivered = new int[LOOPS];
    private final long[] scratch = new long[LOOPS];

    /** How often each loop was woken; each waker sets its own. */
    private final int[] wakes = new int[LOOPS];

    Trio() {
        for (int loop = 0; loop < LOOPS; loop++) {
            final int number = loop;
            scratch[loop] = Memory.allocate(1);
            exchange.of(loop).bind(() -> wakes[number]++, new Delivering(loop));
        }
    }

    LoopExchange<String, String> loop(final int loop) {
        return exchange.of(loop);
    }

    /** Hands a number, 1 to 9, to other loops, and delivers it after what comes before. */
    void publish(final int loop, final long others, final int number) {
        Memory.putByte(scratch[loop], (byte) number);
        final long ticket =
                exchange.of(loop).publish(others, false, Kind.CHANNEL, scratch[loop], 1, scratch[loop], 0, null, null);
        exchange.of(loop).drainThrough(ticket);
        deliver(loop, number);
    }

    int delivered(final int loop) {
        return delivered[loop];
    }

    int wakes(final int loop) {
        return wakes[loop];
    }

    /** Handles what is left, and frees. */
    void settle() {
        for (int round = 0; round < 2; round++) {
            for (int loop = 0; loop < LOOPS; loop++) {
                exchange.of(loop).poll();
            }
        }
        exchange.close();
        for (final long address : scratch) {
            Memory.free(address);
        }
    }

    private void deliver(final int loop, final int number) {
        delivered[loop] = delivered[loop] * BASE + number;
    }

    private final class Delivering extends SilentHandler {
        private final int loop;

        Delivering(final int loop) {
            this.loop = loop;
        }

        @Override
        public long onPublication(
                final int from,
                final int token,
                final boolean deliver,
                final boolean uplink,
                final Kind kind,
                final long channel,
                final int channelLength,
                final long payload,
                final int payloadLength) {
            Trio.this.deliver(loop, Memory.getByte(channel));
            return 1;
        }
    }
}
