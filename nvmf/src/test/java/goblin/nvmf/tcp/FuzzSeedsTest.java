// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays what fuzzers found worth keeping; {@code ./goblin fuzz} looks for more. */
final class FuzzSeedsTest {
    private static final Map<String, Consumer<byte[]>> TARGETS = Map.of(
            "pdu-reader", PduReaderFuzz::fuzzerTestOneInput,
            "fabrics", FabricsFuzz::fuzzerTestOneInput,
            "admin", AdminFuzz::fuzzerTestOneInput,
            "io", IoFuzz::fuzzerTestOneInput);

    static Stream<String> targets() {
        return TARGETS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void shouldFindNothingInTheSeedsKept(final String target) throws IOException, URISyntaxException {
        final List<Path> seeds = seeds(target);

        assertThat(seeds).isNotEmpty().allSatisfy(seed -> TARGETS.get(target).accept(Files.readAllBytes(seed)));
    }

    private static List<Path> seeds(final String target) throws IOException, URISyntaxException {
        final Path folder =
                Path.of(FuzzSeedsTest.class.getResource("/fuzz/" + target).toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
