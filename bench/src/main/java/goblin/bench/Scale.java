// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How much of everything is measured.
 *
 * @param rounds      of each case, at each side
 * @param runNs       of each run, in nanoseconds; a quarter of it goes before, not counted
 * @param payloads    of the closed loop, in bytes
 * @param fanouts     subscribers of one channel
 * @param channels    channels of one subscriber
 * @param patterns    patterns of one subscriber
 * @param idle        clients that do nothing, rising
 * @param subscribers whose memory is measured, rising
 * @param stalled     subscribers that do not read
 * @param quick       whether only the way is tried, and figures mean nothing
 */
record Scale(
        int rounds,
        long runNs,
        List<Integer> payloads,
        List<Integer> fanouts,
        List<Integer> channels,
        List<Integer> patterns,
        List<Integer> idle,
        List<Integer> subscribers,
        int stalled,
        boolean quick) {
    static final int PAYLOAD = 16;
    static final int WINDOW = 16;

    private static final double QUICK_SECONDS = 0.05;

    /** What is asked for in earnest. */
    static Scale full(final int rounds, final double seconds, final int mostSubscribers) {
        return new Scale(
                rounds,
                nanos(seconds),
                List.of(16, 256, 4096),
                List.of(8, 64, 1000),
                List.of(1, 1024, 16_384),
                List.of(1, 64, 1024, 8192),
                List.of(0, 1000, 10_000),
                mostSubscribers > 10_000 ? List.of(0, 1000, 10_000, mostSubscribers) : List.of(0, 1000, 10_000),
                1000,
                false);
    }

    /** The whole way in seconds. */
    static Scale tiny() {
        return new Scale(
                1,
                nanos(QUICK_SECONDS),
                List.of(16, 4096),
                List.of(8, 64),
                List.of(1, 128),
                List.of(1, 128),
                List.of(0, 100),
                List.of(0, 100),
                20,
                true);
    }

    /** Of a run, before what counts. */
    long warmNs() {
        return runNs / 4;
    }

    private static long nanos(final double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }
}
