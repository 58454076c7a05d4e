// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The executables in {@code bin/}, run from a copy whose cache of loaded classes the tests may damage. */
final class LauncherTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path EDGE = Path.of("bin/goblin-core-bluefield");
    private static final Path LIB = Path.of("edge/target/lib");

    @TempDir
    private Path copy;

    @BeforeEach
    void copyWhatAnExecutableNeeds() throws IOException {
        Files.createDirectories(copy.resolve("bin"));
        Files.copy(ROOT.resolve(EDGE), copy.resolve(EDGE));
        copyFolder(Path.of("bin/lib"));
        copyFolder(LIB);
    }

    @Test
    void shouldStartFromAnyFolderThroughASymbolicLink() throws Exception {
        final Path link = Files.createSymbolicLink(copy.resolve("linked"), copy.resolve(EDGE));

        assertPrintsItsVersionAndNothingElse(run(link));
    }

    @Test
    void shouldStartSilentlyWithADamagedCache() throws Exception {
        train();
        final byte[] bytes = Files.readAllBytes(cache());
        final int page = 4096;
        for (int at = 10 * page; at < bytes.length; at += 50 * page) {
            bytes[at] ^= (byte) 0xff;
        }
        Files.write(cache(), bytes);

        assertPrintsItsVersionAndNothingElse(run(copy.resolve(EDGE)));
    }

    @Test
    void shouldStartSilentlyWithATruncatedCache() throws Exception {
        Files.write(cache(), new byte[100]);

        assertPrintsItsVersionAndNothingElse(run(copy.resolve(EDGE)));
    }

    @Test
    void shouldStartSilentlyWithACacheMadeOfOtherFiles() throws Exception {
        train();
        try (Stream<Path> jars = Files.list(copy.resolve(LIB))) {
            for (final Path jar : jars.toList()) {
                Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
            }
        }

        assertPrintsItsVersionAndNothingElse(run(copy.resolve(EDGE)));
    }

    @Test
    void shouldStartSilentlyUnderAnotherCollectorThanTheCacheWasMadeWith() throws Exception {
        train();

        assertPrintsItsVersionAndNothingElse(
                run(copy.resolve(EDGE), "GOBLIN_JAVA_OPTS", "-XX:-UseSerialGC -XX:+UseZGC"));
    }

    @Test
    void shouldSayWhichVariableNamesNoJavaOfTheReleaseNeeded() throws Exception {
        final Run run = run(copy.resolve(EDGE), "GOBLIN_JAVA_HOME", copy.toString());

        assertThat(run.output()).singleElement().asString().contains("GOBLIN_JAVA_HOME=" + copy);
        assertThat(run.status()).isEqualTo(1);
    }

    @Test
    void shouldShipNoHostWithTheEdge() throws IOException {
        try (Stream<Path> jars = Files.list(ROOT.resolve(LIB))) {
            assertThat(jars.map(jar -> jar.getFileName().toString()))
                    .anyMatch(name -> name.startsWith("goblin-edge-"))
                    .noneMatch(name -> name.startsWith("goblin-host") || name.startsWith("lua"));
        }
    }

    private void copyFolder(final Path folder) throws IOException {
        Files.createDirectories(copy.resolve(folder));
        try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
            for (final Path file : files.toList()) {
                Files.copy(file, copy.resolve(folder).resolve(file.getFileName()));
            }
        }
    }

    private Path cache() {
        return copy.resolve("edge/target/edge.aot");
    }

    private void train() throws Exception {
        run(copy.resolve(EDGE), "GOBLIN_TRAIN", cache().toString());
        assertThat(cache()).isNotEmptyFile();
    }

    private static void assertPrintsItsVersionAndNothingElse(final Run run) {
        assertThat(run.output()).singleElement().asString().startsWith("goblin-core-bluefield 0.");
        assertThat(run.status()).isZero();
    }

    private static Run run(final Path program, final String... environment) throws Exception {
        final ProcessBuilder builder = new ProcessBuilder(program.toString(), "--version");
        builder.directory(Path.of("/").toFile());
        builder.redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GOBLIN_"));
        builder.environment().put("GOBLIN_JAVA_HOME", System.getProperty("java.home"));
        for (int i = 0; i < environment.length; i += 2) {
            builder.environment().put(environment[i], environment[i + 1]);
        }
        final Process process = builder.start();
        try (var reader = process.inputReader()) {
            final List<String> lines = reader.lines().toList();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return new Run(process.exitValue(), lines);
        }
    }

    private record Run(int status, List<String> output) {}
}
