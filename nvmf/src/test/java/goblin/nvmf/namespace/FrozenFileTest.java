// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file system that takes no writes for a while, where one may be made: it keeps neither the loop nor other files. */
@ParameterizedClass
@EnumSource(FileIo.class)
class FrozenFileTest {
    private static final int BLOCK = 4096;
    private static final int WRITES = 700;
    private static final long IMAGE_BYTES = 64 << 20;

    private final MediumRig rig;

    @TempDir
    private Path directory;

    private Path mount;

    FrozenFileTest(final FileIo files) {
        rig = new MediumRig(files);
    }

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        final Path image = directory.resolve("image");
        mount = Files.createDirectory(directory.resolve("mount"));
        Files.write(image, new byte[(int) IMAGE_BYTES]);
        final String made = call("mkfs.ext4", "-q", "-F", image.toString());
        assumeTrue(made.isEmpty(), () -> "no file system can be made here: " + made);
        final String mounted = call("mount", "-o", "loop", image.toString(), mount.toString());
        assumeTrue(mounted.isEmpty(), () -> "none can be mounted here: " + mounted);
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        rig.close();
        call("umount", mount.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",direct"})
    void shouldKeepNeitherTheLoopNorOtherFiles(final String how) throws IOException, InterruptedException {
        final List<TestOperation> kept = new ArrayList<>();
        final Path frozen = Files.write(mount.resolve("a.img"), new byte[WRITES * BLOCK]);
        try (Namespace slow = rig.open("file:" + frozen + how, BLOCK);
                Namespace other = rig.open("file:" + directory.resolve("b.img") + ",size=1M", BLOCK)) {
            assumeTrue(call("fsfreeze", "-f", mount.toString()).isEmpty(), "it cannot be frozen");
            try {
                for (int i = 0; i < WRITES; i++) {
                    kept.add(rig.submit(slow, TestOperation.write((long) i * BLOCK, new byte[BLOCK])));
                }
                CompletableFuture.runAsync(() -> {}, rig.loop)
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join();
                for (long at = 0; at < 3 * BLOCK; at += BLOCK) {
                    assertThat(rig.run(other, TestOperation.write(at, new byte[BLOCK])))
                            .isEqualTo(BlockOutcome.DONE);
                    assertThat(rig.read(other, at, BLOCK)).isEqualTo(new byte[BLOCK]);
                }
                assertThat(kept).noneMatch(TestOperation::isDone);
            } finally {
                // Else nothing could be closed.
                call("fsfreeze", "-u", mount.toString());
            }
            for (final TestOperation each : kept) {
                assertThat(each.await()).isEqualTo(BlockOutcome.DONE);
                each.close();
            }
        }
    }

    /** What it says, which is nothing when it succeeds. */
    private static String call(final String... command) throws IOException, InterruptedException {
        try {
            final Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            return process.exitValue() == 0 ? said : "status " + process.exitValue() + " " + said;
        } catch (final IOException missing) {
            return missing.getMessage();
        }
    }
}
