// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import goblin.system.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./goblin bench pubsub} as a program: what it writes and what counts, not how fast anybody was. */
final class PubSubBenchTest {
    private static final Duration MOST = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    @Test
    void shouldWriteEveryRowAndGiveNoFiguresToASideThatFails() throws IOException {
        assumeTrue(Stream.of("redis-server", "redis-benchmark").allMatch(PubSubBenchTest::onPath), "Redis is missing");
        final ServerProcess program = ServerProcess.start(List.of(
                ServerProcess.ROOT.resolve("bench/pubsub.sh").toString(),
                "--quick",
                "--unpinned",
                "--only",
                // Without what starts further edges of the same kind.
                "closed,fanout,pipelined,channels,patterns,idle,publish,keys,memory,loops",
                "--peer",
                "broken=false {port}",
                "--output",
                folder.toString()));

        assertThat(program.exitCode(MOST)).isEqualTo(1);

        final List<String> report = Files.readAllLines(folder.resolve("pubsub.md"));
        assertThat(report).filteredOn(line -> line.startsWith("### ")).hasSize(11);
        assertThat(report)
                .filteredOn(line -> line.startsWith("Does not count: "))
                .isNotEmpty()
                .allMatch(line -> line.contains(", broken: server did not start"));
        assertThat(report)
                .anyMatch(line -> line.startsWith("| 1→1, 16 B ") && line.contains("≤ 0.35×"))
                .anyMatch(line -> line.startsWith("| 16 at once to 64 ") && line.contains("≥ 1.0×"));
        final List<String> runs = Files.readAllLines(folder.resolve("runs.csv"));
        assertThat(runs)
                .anyMatch(line -> line.matches("fanout,1→64,last receiver p50 µs,1,edge,\\d+\\.\\d+"))
                .anyMatch(line -> line.matches("patterns,\"?128 patterns, one matches\"?,delivery p50 µs,1,Redis,.*"))
                .anyMatch(line -> line.startsWith("loops,pipelined to 32,deliveries/s,1,two loops,"))
                .noneMatch(line -> line.contains(",broken,"));
        assertThat(folder.resolve("pubsub.svg")).content().startsWith("<svg ").contains("1→1, 16 B: delivery p50 µs");
        assertThat(folder.resolve("latencies.hlog")).content().contains("Tag=closed.1→1_16_B.edge.delivery");
        assertThat(folder.resolve("closed.csv")).content().contains("broken").contains("FAILED");
    }

    private static boolean onPath(final String program) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
