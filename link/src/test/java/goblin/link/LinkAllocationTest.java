// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import goblin.net.NativeBuffer;
import goblin.pubsub.Kind;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LinkAllocationTest {
    private static final int MESSAGES = 100_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final NativeBuffer stream = new NativeBuffer(1 << 16);
    private final NativeBuffer data = new NativeBuffer(64);
    private final LinkEncoder encoder = new LinkEncoder();
    private final LinkDecoder decoder = new LinkDecoder(LinkLimits.MAX_FRAME_BYTES);
    private final Counter counter = new Counter();

    @Test
    void shouldAllocateNothingOnceCompiled() {
        data.appendAscii("channel.payload");

        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(1))
                .pollInSameThread()
                .until(() -> {
                    final long before = threads.getCurrentThreadAllocatedBytes();
                    run();
                    return threads.getCurrentThreadAllocatedBytes() == before;
                });

        assertThat(counter.messages).isPositive().isEqualTo(counter.messages / 4 * 4);
        stream.free();
        data.free();
        encoder.close();
        decoder.close();
    }

    private void run() {
        final long channel = data.address();
        for (int i = 0; i < MESSAGES / 4; i++) {
            stream.clear();
            encoder.publish(stream, i, Kind.CHANNEL, channel, 7, channel + 8, 7);
            encoder.delivery(stream, Kind.CHANNEL, channel, 7, channel + 8, 7);
            encoder.published(stream, i, 3);
            encoder.setInterest(stream, i, Kind.PATTERN, 3, channel, 7);
            final int cut = i % (int) stream.length();
            decoder.onBytes(stream.address(), cut, counter);
            decoder.onBytes(stream.address() + cut, (int) stream.length() - cut, counter);
        }
    }

    /** Counts the messages that were put in. */
    private static final class Counter implements LinkHandler {
        private long messages;

        @Override
        public boolean onPublish(
                final long sequence,
                final Kind kind,
                final long channel,
                final int channelLength,
                final long payload,
                final int payloadLength) {
            messages++;
            return true;
        }

        @Override
        public boolean onDelivery(
                final Kind kind,
                final long channel,
                final int channelLength,
                final long payload,
                final int payloadLength) {
            messages++;
            return true;
        }

        @Override
        public boolean onPublished(final long sequence, final long receivers) {
            messages++;
            return true;
        }

        @Override
        public boolean onSetInterest(
                final long sequence, final Kind kind, final long weight, final long name, final int nameLength) {
            messages++;
            return true;
        }

        @Override
        public boolean onError(final LinkError error, final String text) {
            throw new AssertionError(text);
        }

        @Override
        public boolean onHeartbeat(final long sentNs) {
            throw new AssertionError("heartbeat");
        }

        @Override
        public boolean onUnexpected(final String message) {
            throw new AssertionError(message);
        }

        @Override
        public void onMalformed(final String why) {
            throw new AssertionError(why);
        }
    }
}
