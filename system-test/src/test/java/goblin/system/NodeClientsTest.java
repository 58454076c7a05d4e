// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import goblin.system.rig.ServerProcess;
import goblin.system.rig.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ioredis and node-redis through the edge; their scripts are in {@code src/test/node}. */
final class NodeClientsTest {
    private static final Path SOURCES = Path.of("src/test/node");
    private static final Path FOLDER = Path.of("target/node");
    private static final String[] CHECKS = {
        "passed connect",
        "passed pipeline",
        "passed transaction",
        "passed blocking pop",
        "passed script",
        "passed publish and subscribe",
        "passed large value"
    };

    @BeforeAll
    static void installClients() throws IOException {
        if (ServerProcess.run("bash", "-c", "command -v node && command -v npm").exitCode() != 0) {
            final String reason =
                    "node and npm are missing (Debian: apt-get install nodejs npm), so its clients are not run";
            System.out.println("skipped: " + reason);
            abort(reason);
        }
        Files.createDirectories(FOLDER);
        final Path lock = Path.of("package-lock.json");
        final boolean installed = Files.exists(FOLDER.resolve("node_modules"))
                && Files.exists(FOLDER.resolve(lock))
                && Files.mismatch(FOLDER.resolve(lock), SOURCES.resolve(lock)) < 0;
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (final Path file : files.toList()) {
                Files.copy(file, FOLDER.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        if (!installed) {
            final ServerProcess npm = ServerProcess.run("npm", "ci", "--prefix", FOLDER.toString());
            assertThat(npm.exitCode()).as("npm ci: %s", npm.stderr()).isZero();
        }
    }

    @Test
    void shouldServeIoredis() {
        assertPasses(run("ioredis.mjs"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "3"})
    void shouldServeNodeRedis(final String protocol) {
        assertPasses(run("node-redis.mjs", protocol));
    }

    private static ServerProcess run(final String script, final String... more) {
        return ServerProcess.run(Stream.concat(
                        Stream.of(
                                "node",
                                FOLDER.resolve(script).toString(),
                                Integer.toString(Side.forRealClients().port()),
                                Integer.toString(Side.forRealClients().hostPort())),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private static void assertPasses(final ServerProcess script) {
        assertThat(script.stderr()).isEmpty();
        assertThat(script.stdout()).isEqualTo(List.of(CHECKS));
        assertThat(script.exitCode()).isZero();
    }
}
