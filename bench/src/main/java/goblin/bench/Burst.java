// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Full load on the host, subscribers at the edge: every subscriber must get every message of every publisher in order,
 * and nobody may be cut.
 */
final class Burst {
    private static final int PUBLISHERS = 50;
    private static final int PIPELINE = 16;
    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(20);

    private final Report report;
    private final int publishPort;
    private final int subscribePort;
    private final byte[] channel = RespBytes.ascii("goblin:burst");
    private final List<SequencedPublisher> publishers = new ArrayList<>();
    private final List<MessageFrames> subscribers = new ArrayList<>();
    private long reportedNs = System.nanoTime();

    Burst(final Report report, final int publishPort, final int subscribePort) {
        this.report = report;
        this.publishPort = publishPort;
        this.subscribePort = subscribePort;
    }

    /**
     * What was found; all of it was checked.
     *
     * @param messages   publications, each acknowledged with the exact count of subscribers
     * @param deliveries messages received by all subscribers together
     * @param publishNs  nanoseconds from the first publication to the last reply
     * @param drainNs    nanoseconds from the last reply to the last delivery
     */
    record Result(long messages, long deliveries, long publishNs, long drainNs) {}

    Result run(final int subscriberCount, final long durationNs) throws Failure {
        try (LoadLoop loop = new LoadLoop()) {
            for (int i = 0; i < subscriberCount; i++) {
                subscribe(loop, i);
            }
            for (int i = 0; i < PUBLISHERS; i++) {
                publishers.add(new SequencedPublisher(loop, publishPort, i, channel, PIPELINE, subscriberCount));
            }
            final long startNs = System.nanoTime();
            for (final SequencedPublisher publisher : publishers) {
                publisher.start();
            }
            while (System.nanoTime() - startNs < durationNs) {
                turn(loop);
            }
            publishers.forEach(SequencedPublisher::stop);
            turnUntil(loop, () -> publishers.stream().allMatch(SequencedPublisher::idle));
            final long publishedNs = System.nanoTime();
            final long messages = publishers.stream()
                    .mapToLong(SequencedPublisher::acknowledged)
                    .sum();
            turnUntil(loop, () -> deliveries() == messages * subscriberCount);
            final long drainedNs = System.nanoTime();
            check();
            return new Result(messages, deliveries(), publishedNs - startNs, drainedNs - publishedNs);
        }
    }

    private int turn(final LoadLoop loop) throws Failure {
        final long nowNs = System.nanoTime();
        if (nowNs - reportedNs > REPORT_NS) {
            if (!publishers.isEmpty()) {
                report.progress("burst: " + subscribers.size() + " subscribers, "
                        + publishers.stream()
                                .mapToLong(SequencedPublisher::acknowledged)
                                .sum()
                        + " published, " + deliveries() / subscribers.size() + " received by each");
            }
            reportedNs = nowNs;
        }
        return loop.turn(100);
    }

    private long deliveries() {
        return subscribers.stream().mapToLong(MessageFrames::messages).sum();
    }

    private void check() throws Failure {
        for (final MessageFrames subscriber : subscribers) {
            for (final SequencedPublisher publisher : publishers) {
                if (subscriber.next(publisher.number()) != publisher.acknowledged()) {
                    throw new Failure("publisher " + publisher.number() + ": a subscriber received "
                            + subscriber.next(publisher.number()) + " of " + publisher.acknowledged() + " messages");
                }
            }
        }
    }

    private void subscribe(final LoadLoop loop, final int number) throws Failure {
        final MessageFrames frames = new MessageFrames(channel, PUBLISHERS);
        final byte[] confirmation = RespBytes.confirmation("subscribe", channel, 1);
        final boolean[] confirmed = new boolean[1];
        final SocketChannel socket = loop.open(subscribePort, (bytes, length) -> {
            if (length == 0) {
                throw new Failure("subscriber " + number + " was cut after " + frames.messages() + " messages");
            }
            if (confirmed[0]) {
                frames.accept(bytes, length);
            } else if (Arrays.equals(bytes, 0, length, confirmation, 0, confirmation.length)) {
                confirmed[0] = true;
            } else {
                throw new Failure("subscriber " + number + ": '" + RespBytes.printable(Arrays.copyOf(bytes, length))
                        + "' instead of a confirmation");
            }
        });
        try {
            socket.write(ByteBuffer.wrap(RespBytes.subscribe(channel)));
        } catch (final IOException failure) {
            throw new Failure("subscriber " + number + ": " + failure.getMessage(), failure);
        }
        turnUntil(loop, () -> confirmed[0]);
        subscribers.add(frames);
    }

    /** Turns until a condition holds; a failure when nothing at all arrives for a long time before. */
    private void turnUntil(final LoadLoop loop, final java.util.function.BooleanSupplier condition) throws Failure {
        long lastNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (turn(loop) > 0) {
                lastNs = System.nanoTime();
            } else if (System.nanoTime() - lastNs > PROGRESS_NS) {
                throw new Failure("nothing arrived for " + TimeUnit.NANOSECONDS.toSeconds(PROGRESS_NS) + " s");
            }
        }
    }
}
