// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What is copied lies in memory that devices may use: it begins at pages and stays where it is. */
class LockedCopyTest {
    private static final long KIB = 1024;

    @Test
    void shouldLockWhatItCopiesIntoOrSayThatItIsNot() throws IOException {
        final List<String> lines = new CopyOnWriteArrayList<>();
        final TcpOptions options =
                TargetRig.copied(TcpOptions.defaults(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0)));
        final long before = lockedBytes();
        try (TcpTarget target = new TcpTarget(options, transport -> null, lines::add, (where, fault) -> {})) {
            final long locked = lockedBytes() - before;
            final long arena = target.counter(TcpCounter.ARENA_LOCKED_BYTES);
            final long segments = target.counter(TcpCounter.SEGMENT_LOCKED_BYTES);
            assertThat(locked).as("VmLck of the process").isEqualTo(arena + segments);
            if (arena < target.counter(TcpCounter.ARENA_BYTES)) {
                assertThat(lines).anyMatch(line -> line.contains("are locked into RAM: raise RLIMIT_MEMLOCK"));
            } else {
                assertThat(arena).isGreaterThanOrEqualTo(options.transferBytes());
            }
        }
        assertThat(lockedBytes()).isEqualTo(before);
    }

    private static long lockedBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmLck:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB)
                .sum();
    }
}
