// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.SharedBytes;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.util.ArrayDeque;
import java.util.Random;

/**
 * One loop of a random load: publishes as an edge does, delivers, answers, keeps some payloads for a while, and as home
 * answers uplinks. What happens is noted for {@link History}. On one thread.
 */
final class Workload implements ExchangeHandler<Integer, Integer> {
    private static final int HOST_RECEIVERS = 1000;
    private static final int PUBLICATION_BYTES = 16;

    private final int loop;
    private final LoopExchange<Integer, Integer> exchange;
    private final History history;
    private final Random random;
    private final boolean catchesUp;
    private final ArrayDeque<SharedBytes> kept = new ArrayDeque<>();
    private final ArrayDeque<long[]> uplinks = new ArrayDeque<>();
    private final long scratch = Memory.allocate(PUBLICATION_BYTES);
    private long outstanding;

    Workload(
            final int loop,
            final Exchange<Integer, Integer> exchange,
            final History history,
            final long seed,
            final boolean catchesUp) {
        this.loop = loop;
        this.exchange = exchange.of(loop);
        this.history = history;
        this.random = new Random(seed);
        this.catchesUp = catchesUp;
    }

    LoopExchange<Integer, Integer> exchange() {
        return exchange;
    }

    /** Does something by chance. */
    void act() {
        final int choice = random.nextInt(10);
        if (choice < 6 && exchange.takes(PUBLICATION_BYTES)) {
            publish();
        } else if (choice < 9) {
            exchange.poll();
        } else {
            releaseOne();
            answerUplinks();
            exchange.flushTurn();
        }
    }

    /** Polls and gives back what is left. */
    void settle() {
        exchange.poll();
        releaseOne();
        answerUplinks();
        exchange.flushTurn();
    }

    boolean isSettled() {
        return outstanding == 0 && kept.isEmpty() && uplinks.isEmpty();
    }

    void close() {
        Memory.free(scratch);
    }

    private void publish() {
        final int channel = random.nextInt(History.CHANNELS);
        final long interested = history.interested(channel);
        final boolean uplink = loop != 0 && random.nextBoolean();
        final long loops = interested & exchange.others();
        final boolean own = (interested >> loop & 1) != 0;
        final int id = history.begin(loop, channel, uplink);
        Memory.putLong(scratch, id);
        outstanding += loops != 0 || uplink ? 1 : 0;
        if (loops != 0) {
            final long ticket = publish(id, channel, loops, uplink);
            history.ticket(id, ticket);
            exchange.drainThrough(ticket);
        } else if (catchesUp) {
            exchange.catchUp();
        }
        if (own) {
            history.deliver(loop, id);
        }
        if (loops == 0 && uplink) {
            publish(id, channel, 0, true);
        }
    }

    private long publish(final int id, final int channel, final long loops, final boolean uplink) {
        return exchange.publish(loops, uplink, Kind.CHANNEL, scratch, Long.BYTES, scratch, channel, id, id);
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
        final int id = (int) Memory.getLong(channel);
        if (deliver) {
            history.deliver(loop, id);
            if (random.nextInt(4) == 0) {
                kept.add(exchange.lendPayload());
            }
        }
        if (uplink) {
            uplinks.add(new long[] {from, token});
        }
        return deliver ? attempted(loop, id) : 0;
    }

    @Override
    public void onCompleted(final Integer owner, final Integer slot, final long receivers) {
        outstanding--;
        long expected = history.isUplink(slot) ? HOST_RECEIVERS : 0;
        final long loops = history.interested(history.channel(slot)) & exchange.others();
        for (long left = loops; left != 0; left &= left - 1) {
            expected += attempted(Long.numberOfTrailingZeros(left), slot);
        }
        history.check(receivers == expected, "counted " + receivers + " instead of " + expected);
    }

    private static long attempted(final int loop, final int id) {
        return 1 + (id * 31L + loop) % 5;
    }

    private void releaseOne() {
        if (!kept.isEmpty()) {
            kept.remove().release();
        }
    }

    private void answerUplinks() {
        while (!uplinks.isEmpty()) {
            final long[] uplink = uplinks.remove();
            exchange.published((int) uplink[0], (int) uplink[1], HOST_RECEIVERS);
        }
    }

    @Override
    public void onTakes() {
        history.check(exchange.takes(1), "told that it takes");
    }

    @Override
    public void onRelieved() {
        history.check(!exchange.isPressed(), "told that it is relieved");
    }

    @Override
    public void onWant(
            final int from,
            final long sequence,
            final Kind kind,
            final int weight,
            final long name,
            final int nameLength) {
        history.check(false, "want");
    }

    @Override
    public void onAcked(final long sequence) {
        history.check(false, "acked");
    }

    @Override
    public void onPeerOn(final int of, final Kind kind, final long name, final int nameLength, final long number) {
        history.check(false, "peerOn");
    }

    @Override
    public void onPeerOff(final int of, final Kind kind, final long name, final int nameLength) {
        history.check(false, "peerOff");
    }

    @Override
    public void onHeld(final int from, final long number) {
        history.check(false, "held");
    }

    @Override
    public void onFence(final int from, final long sequence) {
        history.check(false, "fence");
    }

    @Override
    public void onFenced(final long sequence) {
        history.check(false, "fenced");
    }
}
