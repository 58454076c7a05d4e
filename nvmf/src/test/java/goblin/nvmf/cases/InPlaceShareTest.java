// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.epoll.EpollTransport;
import goblin.nvmf.perf.LoadRun;
import goblin.nvmf.perf.Workload;
import goblin.nvmf.tcp.ReceiveOptions;
import goblin.nvmf.tcp.TcpCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much of the payload stays where it was received, by size of commands and of pieces and by limit. */
class InPlaceShareTest {
    private static final int WINDOW = 64 << 10;
    private static final int DEPTH = 8;
    private static final long BYTES = 128L << 20;

    private EventLoop loop;

    @BeforeEach
    void startLoop() {
        loop = new EventLoop("load", new EpollTransport(), IdlePolicy.BACKOFF);
        loop.start();
    }

    @AfterEach
    void stopLoop() {
        loop.close();
    }

    @ParameterizedTest
    @CsvSource({
        "131072, 1448, 255",
        "131072, 4096, 255",
        "131072, 8192, 255",
        "131072, 65536, 255",
        "1048576, 4128, 255",
        "1048576, 8192, 255",
        "1048576, 65536, 255",
        "1048576, 1448, 1024",
        "1048576, 4096, 1024",
    })
    void shouldLeaveNearlyAllPayloadInPlace(final int ioBytes, final int pieceBytes, final int limit)
            throws InterruptedException {
        try (LiveTarget target = loaded(ioBytes, pieceBytes, limit)) {
            assertThat(share(target, TcpCounter.IN_PLACE_BYTES)).isGreaterThanOrEqualTo(0.99);
            assertThat(target.counter(TcpCounter.GROWTHS_REFUSED)).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"1048576, 1448, 255", "1048576, 2048, 255"})
    void shouldCopyBecauseOfTheLimitWhatComesInMorePieces(final int ioBytes, final int pieceBytes, final int limit)
            throws InterruptedException {
        try (LiveTarget target = loaded(ioBytes, pieceBytes, limit)) {
            final double inPlace = share(target, TcpCounter.IN_PLACE_BYTES);
            assertThat(inPlace).isBetween(0.2, 0.99);
            assertThat(share(target, TcpCounter.COPIED_LIMIT_BYTES)).isGreaterThan(0.95 * (1 - inPlace));
        }
    }

    private LiveTarget loaded(final int ioBytes, final int pieceBytes, final int limit) throws InterruptedException {
        final LiveTarget target = LiveTarget.config()
                .unchecked()
                .receive(ReceiveOptions.DEFAULT
                        .withSizes(pieceBytes, Math.max(pieceBytes, WINDOW))
                        .withMaxSegments(limit))
                .start()
                .add(1, "null:64M", 4096);
        new LoadRun(
                        loop,
                        target.options().withQueues(1, DEPTH),
                        new Workload(1, ioBytes, 0, true, false, 0, 0, Long.MAX_VALUE, BYTES / ioBytes))
                .run();
        return target;
    }

    private static double share(final LiveTarget target, final TcpCounter counter) {
        return (double) target.counter(counter) / target.counter(TcpCounter.PAYLOAD_BYTES);
    }
}
