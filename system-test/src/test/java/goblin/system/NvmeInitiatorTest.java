// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import goblin.system.rig.LinuxHost;
import goblin.system.rig.NvmfTarget;
import goblin.system.rig.ServerProcess;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Linux's own NVMe/TCP host against the target. The two combinations here cover both media, both block sizes, one queue
 * and four, with and without digests, and 1 MiB commands, on epoll and on io_uring with two loops; {@code ./goblin rig} runs
 * every combination.
 */
final class NvmeInitiatorTest {
    private static final String DEFAULTS = "--sockets epoll --file-io threads --loops 1";
    private static final String RINGS = "--sockets io_uring --file-io io_uring --loops 2";

    @TempDir
    private static Path folder;

    // A booted host takes its time and little of it on the processor, so these run while the others do.
    private static NvmfTarget memory;
    private static ServerProcess memoryHost;
    private static NvmfTarget file;
    private static ServerProcess fileHost;

    @BeforeAll
    static void askForAHost() {
        final String why = LinuxHost.unavailable();
        if (!why.isEmpty()) {
            System.out.println("Tests with Linux's NVMe/TCP host are skipped: " + why);
        }
        assumeTrue(why.isEmpty(), why);
        memory = open(DEFAULTS, "--namespace", "mem:256M", "--block-size", "512");
        memoryHost = LinuxHost.start(memory, "--queues", "1");
        file = open(RINGS, "--namespace", "file:" + folder.resolve("disk") + ",size=256M");
        fileHost = LinuxHost.start(file, "--queues", "4", "--digest", "hdr,data");
    }

    @AfterAll
    static void endAll() {
        for (final ServerProcess host : new ServerProcess[] {memoryHost, fileHost}) {
            if (host != null) {
                host.terminate();
                host.exitCode();
            }
        }
        for (final NvmfTarget target : new NvmfTarget[] {memory, file}) {
            if (target != null) {
                target.close();
            }
        }
    }

    @Test
    void shouldServeMemoryInSmallBlocksToOneQueue() {
        assertPasses(memoryHost, memory);
    }

    @Test
    void shouldServeAFileInLargeBlocksToFourQueuesWithDigestsByIoUring() {
        assertPasses(fileHost, file);
    }

    @ParameterizedTest
    @ValueSource(strings = {DEFAULTS, RINGS})
    void shouldLoseNothingWhenItIsKilledAndThenDrainedUnderFio(final String served, @TempDir final Path ownFolder) {
        try (NvmfTarget target = open(served, "--namespace", "file:" + ownFolder.resolve("restarted") + ",size=256M")) {
            final ServerProcess host = LinuxHost.start(target, "--script", LinuxHost.script("restarted-under-fio.sh"));
            host.awaitStdout("mark: writing", LinuxHost.PATIENCE);
            target.kill();
            target.start();

            host.awaitStdout("mark: writing again", LinuxHost.PATIENCE);
            assertThat(target.ctl("drain").exitCode()).isZero();
            target.process().terminate();
            assertThat(target.process().exitCode()).isZero();
            target.start();

            assertEndsWell(host, target);
        }
    }

    @Test
    void shouldMakeTheHostDropADiskWhoseMemoryIsGone() {
        try (NvmfTarget target = open(RINGS, "--namespace", "mem:64M")) {
            final ServerProcess host = LinuxHost.start(target, "--script", LinuxHost.script("memory-restarted.sh"));
            host.awaitStdout("mark: written", LinuxHost.PATIENCE);

            target.kill();
            target.start();

            assertEndsWell(host, target);
        }
    }

    private static NvmfTarget open(final String served, final String... options) {
        return NvmfTarget.open(Stream.concat(Arrays.stream(served.split(" ")), Arrays.stream(options))
                .toArray(String[]::new));
    }

    private static void assertPasses(final ServerProcess host, final NvmfTarget target) {
        assertEndsWell(host, target);
        assertThat(host.stdout())
                .as("the host splits nothing below 1 MiB")
                .anyMatch(line -> line.contains("largest request 1024 KiB of 1024,"))
                .as("every step ran")
                .noneMatch(line -> line.contains("# skipped"));
        target.process().terminate();
        assertThat(target.process().exitCode()).isZero();
    }

    private static void assertEndsWell(final ServerProcess host, final NvmfTarget target) {
        assertThat(host.exitCode(LinuxHost.PATIENCE))
                .as(
                        "host: %s%n%s%ntarget: %s",
                        String.join("\n", host.stdout()),
                        String.join("\n", host.stderr()),
                        String.join("\n", target.process().stderr()))
                .isZero();
    }
}
