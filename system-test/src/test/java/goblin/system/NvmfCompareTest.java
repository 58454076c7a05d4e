// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code goblin-nvmf-perf --compare} as a program: what it counts, not how fast it was. */
final class NvmfCompareTest {
    private static final double NEARLY_ALL = 99;
    private static final Duration MOST = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    @Test
    void shouldTellWhatWasCopiedAndWhy() throws IOException {
        final List<Map<String, String>> rows = compare("copied,dynamic");

        assertThat(rows).hasSize(2);
        final Map<String, String> copied = rows.getFirst();
        assertThat(percent(copied, "in_place_percent")).isZero();
        assertThat(percent(copied, "copied_order_percent")).isEqualTo(100);
        final Map<String, String> dynamic = rows.getLast();
        assertThat(percent(dynamic, "in_place_percent")).isGreaterThanOrEqualTo(NEARLY_ALL);
        assertThat(Integer.parseInt(dynamic.get("entries_p50"))).isBetween(2, 8);
        assertThat(folder.resolve("compare.svg")).content().startsWith("<svg ").contains("GiB/s", "dynamic ≤ 255");
    }

    private List<Map<String, String>> compare(final String ways) throws IOException {
        final ServerProcess program = ServerProcess.start(List.of(
                "bin/goblin-nvmf-perf",
                "--compare",
                "--ways",
                ways,
                "--media",
                "null",
                "--sizes",
                "128K",
                "--pieces",
                "64K",
                "--rounds",
                "1",
                "--warmup",
                "0",
                "--seconds",
                "0.2",
                "--output",
                folder.toString()));
        assertThat(program.exitCode(MOST)).isZero();
        assertThat(program.stdout()).anyMatch(line -> line.startsWith("| null: | dynamic ≤ 255 |"));
        final List<String> lines = Files.readAllLines(folder.resolve("compare.csv"));
        final List<String> names = Arrays.asList(lines.getFirst().split(","));
        final List<Map<String, String>> rows = new ArrayList<>();
        for (final String line : lines.subList(1, lines.size())) {
            final Map<String, String> row = new HashMap<>();
            final String[] cells = line.split(",", -1);
            for (int i = 0; i < cells.length; i++) {
                row.put(names.get(i), cells[i]);
            }
            rows.add(row);
        }
        return rows;
    }

    private static double percent(final Map<String, String> row, final String name) {
        return Double.parseDouble(row.get(name));
    }
}
