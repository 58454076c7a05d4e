// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import goblin.bench.FakeServer.Fault;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LatencyLoopTest {
    private static final int SAMPLES = 20_000;

    @Test
    void shouldAllocateNothingForASampleOnceCompiled() throws Exception {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final byte[] channel = RespBytes.ascii("c");
        try (FakeServer server = new FakeServer(Fault.NONE);
                Side side = Side.open("server", "127.0.0.1", server.port(), channel);
                LatencyLoop loop = new LatencyLoop(side.publisher(), side.subscriber(), channel, 64, 1)) {
            side.subscribe();
            await().atMost(Duration.ofMinutes(2)).pollInSameThread().until(() -> {
                loop.warmUp(SAMPLES, true);
                final long before = threads.getCurrentThreadAllocatedBytes();
                loop.warmUp(0, true);
                final long overhead = threads.getCurrentThreadAllocatedBytes() - before;
                loop.run(SAMPLES);
                return threads.getCurrentThreadAllocatedBytes() - before - 2 * overhead < SAMPLES / 10;
            });
            assertThat(loop.measure(SAMPLES).samples()).isEqualTo(SAMPLES);
        }
    }
}
