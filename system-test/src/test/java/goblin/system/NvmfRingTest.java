// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import goblin.system.rig.NvmfHost;
import goblin.system.rig.NvmfTarget;
import goblin.system.rig.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code goblin-nvmf} on a kernel that lets it have io_uring, and on one that does not. */
final class NvmfRingTest {
    private static final String REFUSED = "because the kernel refuses: ";
    private static final int BLOCK = 4096;
    private static final int BLOCKS = 64;

    @TempDir
    private Path folder;

    @Test
    void shouldServeSocketsAndFilesByRings() {
        try (NvmfTarget target = NvmfTarget.open(options("--sockets", "io_uring", "--file-io", "io_uring"))) {
            final String why = String.join("\n", target.process().stderr());
            skipUnless(!why.contains(REFUSED), why);
            assertThat(rings(target))
                    .as("of two loops, for sockets and for files")
                    .isEqualTo(4);
            assertServes(target);
        }
    }

    @Test
    void shouldMakeNoRingUnlessTold() {
        try (NvmfTarget target = NvmfTarget.open(options())) {
            assertThat(rings(target)).isZero();
            assertServes(target);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, io_uring is", "38, it has no io_uring"})
    void shouldServeWithoutRingsAndSaySoWhereTheKernelRefusesThem(final int errno, final String why) {
        final String script = Path.of("src/test/resources/goblin/system/without-io-uring.py")
                .toAbsolutePath()
                .toString();
        final List<String> launcher = List.of("python3", script, Integer.toString(errno));
        final ServerProcess tried;
        try {
            tried = ServerProcess.run("python3", script, Integer.toString(errno), "true");
        } catch (final UncheckedIOException e) {
            skipUnless(false, e.getMessage());
            return;
        }
        skipUnless(tried.exitCode() == 0, String.join("\n", tried.stderr()));

        try (NvmfTarget target =
                NvmfTarget.launched(launcher, options("--sockets", "io_uring", "--file-io", "io_uring"))) {
            assertThat(target.process().stderr())
                    .anyMatch(line -> line.contains("sockets are served by epoll, " + REFUSED + why))
                    .anyMatch(line -> line.contains("files are read and written by threads, " + REFUSED + why));
            assertThat(rings(target)).isZero();
            assertServes(target);
        }
    }

    private String[] options(final String... further) {
        return Stream.concat(
                        Stream.of("--namespace", "mem:8M", "--loops", "2"),
                        Stream.concat(
                                Stream.of("--namespace", "file:" + folder.resolve("disk") + ",size=8M"),
                                Stream.of(further)))
                .toArray(String[]::new);
    }

    private static void assertServes(final NvmfTarget target) {
        final byte[] written = new byte[BLOCK];
        new Random(1).nextBytes(written);
        try (NvmfHost plain = NvmfHost.connect(target, o -> o);
                NvmfHost checked = NvmfHost.connect(target, o -> o.withDigests(true, true))) {
            for (int nsid = 1; nsid <= 2; nsid++) {
                for (int block = 0; block < BLOCKS; block++) {
                    checked.write(nsid, block, written);
                    assertThat(plain.read(nsid, block, BLOCK)).isEqualTo(written);
                }
            }
        }
        target.process().terminate();
        assertThat(target.process().exitCode()).isZero();
    }

    private static long rings(final NvmfTarget target) {
        final Path descriptors = Path.of("/proc/" + target.process().pid() + "/fd");
        try (Stream<Path> all = Files.list(descriptors)) {
            return all.filter(NvmfRingTest::isRing).count();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRing(final Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("io_uring");
        } catch (final IOException closed) {
            return false;
        }
    }

    private static void skipUnless(final boolean possible, final String why) {
        if (!possible) {
            System.out.println("A test of io_uring is skipped: " + why);
        }
        assumeTrue(possible, why);
    }
}
