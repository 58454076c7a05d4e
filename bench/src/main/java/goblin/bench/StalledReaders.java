// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Publications to subscribers that read, beside others of the same channel that do not: those who read must get every
 * message in order, and at what speed and cost is told.
 */
final class StalledReaders {
    private static final int READERS = 16;
    private static final int PIPELINE = 16;
    private static final int MOST_OUTSTANDING = 256;
    private static final int NARROW_BYTES = 4096;
    private static final int HEAD_BYTES = 24;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final Server server;
    private final byte[] channel = IdleSubscribers.channel(0);
    private final byte[] padding;
    private final int messages;
    private int replies;
    private long lastReceivers;

    /**
     * Prepares a run.
     *
     * @param payloadBytes of a message
     * @param messages     how many are published
     */
    StalledReaders(final Server server, final int payloadBytes, final int messages) {
        this.server = server;
        this.messages = messages;
        padding = new byte[Math.max(0, payloadBytes - HEAD_BYTES)];
        Arrays.fill(padding, (byte) 'x');
    }

    /**
     * What was found.
     *
     * @param perSecond publications a second, until the last reader had the last
     * @param rssGrowth resident bytes at the end less those before the first publication
     * @param left      stalled subscribers that were not cut, by the receivers of the last publication
     */
    record Result(double perSecond, long rssGrowth, long left) {}

    /** Runs with so many that do not read. */
    Result run(final int stalledCount) throws Failure {
        try (IdleSubscribers stalled = new IdleSubscribers(server.port());
                LoadLoop loop = new LoadLoop()) {
            stalled.growTo(stalledCount, 1, NARROW_BYTES);
            final List<Reader> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                readers.add(new Reader(loop));
            }
            await(loop, () -> readers.stream().allMatch(reader -> reader.confirmed));
            final long rssBefore = Footprint.rss(server.program().pid());
            final long startNs = System.nanoTime();
            publish(loop);
            await(loop, () -> readers.stream().allMatch(reader -> reader.next == messages));
            final double seconds = (System.nanoTime() - startNs) / 1e9;
            return new Result(
                    messages / seconds, Footprint.rss(server.program().pid()) - rssBefore, lastReceivers - READERS);
        }
    }

    private void publish(final LoadLoop loop) throws Failure {
        final RespParser parser = new RespParser();
        final SocketChannel socket = loop.open(server.port(), (bytes, length) -> {
            parser.append(bytes, length);
            for (Object reply = parser.next(); reply != null; reply = parser.next()) {
                if (!(reply instanceof Long receivers)) {
                    throw new Failure("PUBLISH answered " + reply);
                }
                replies++;
                lastReceivers = receivers;
            }
        });
        int sent = 0;
        while (sent < messages) {
            final int until = Math.min(messages, sent + PIPELINE);
            final ByteArrayOutputStream batch = new ByteArrayOutputStream();
            for (; sent < until; sent++) {
                batch.writeBytes(RespBytes.publish(channel, payload(sent)));
            }
            try {
                final ByteBuffer bytes = ByteBuffer.wrap(batch.toByteArray());
                while (bytes.hasRemaining()) {
                    if (socket.write(bytes) == 0) {
                        loop.turn(1);
                    }
                }
            } catch (final IOException failure) {
                throw new Failure("PUBLISH: " + failure.getMessage(), failure);
            }
            final int due = sent == messages ? messages : sent + PIPELINE - MOST_OUTSTANDING;
            await(loop, () -> replies >= due);
        }
    }

    private byte[] payload(final int number) {
        final byte[] head = RespBytes.ascii(number(number));
        final byte[] whole = Arrays.copyOf(head, head.length + padding.length);
        System.arraycopy(padding, 0, whole, head.length, padding.length);
        return whole;
    }

    private static String number(final int number) {
        return String.format(Locale.ROOT, "%0" + HEAD_BYTES + "d", number);
    }

    private static void await(final LoadLoop loop, final BooleanSupplier condition) throws Failure {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean()) {
            loop.turn(100);
            if (System.nanoTime() - deadlineNs > 0) {
                throw new Failure(
                        "not everything arrived within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NS) + " s");
            }
        }
    }

    /** A subscriber that reads, and knows what has to come next. */
    private final class Reader implements LoadLoop.Receiver {
        private final RespParser parser = new RespParser();
        private boolean confirmed;
        private int next;

        Reader(final LoadLoop loop) throws Failure {
            final SocketChannel socket = loop.open(server.port(), this);
            try {
                socket.write(ByteBuffer.wrap(RespBytes.subscribe(channel)));
            } catch (final IOException failure) {
                throw new Failure("SUBSCRIBE: " + failure.getMessage(), failure);
            }
        }

        @Override
        public void received(final byte[] bytes, final int length) throws Failure {
            if (length == 0) {
                throw new Failure("a subscriber that reads was cut before message " + next);
            }
            parser.append(bytes, length);
            for (Object frame = parser.next(); frame != null; frame = parser.next()) {
                if (!confirmed) {
                    confirmed = true;
                } else {
                    check(frame);
                }
            }
        }

        private void check(final Object frame) throws Failure {
            final String text = SoakConnection.text(frame);
            if (!text.contains(number(next))) {
                throw new Failure("message " + next + " was due, but " + text + " came");
            }
            next++;
        }
    }
}
