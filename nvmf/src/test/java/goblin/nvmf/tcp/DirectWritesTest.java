// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.FaultReporter;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.namespace.StorageWorkers;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.target.SubsystemOptions;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetOptions;
import goblin.testkit.Mischief;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file that is used directly gets all its data as it lies, whatever way it was received. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DirectWritesTest {
    private static final String NQN = "nqn.2026-01.io.example:direct";
    private static final int BLOCK = 4096;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "LENT, false, 65536", "LENT, true, 65536", "PLACED, false, 65536", "PLACED, true, 65536",
        "COPIED, false, 65536", "PLACED, true, 4096", "PLACED, false, 16384", "PLACED, false, 1024",
    })
    void shouldNeverBeCopiedByTheFile(final ReceivePath path, final boolean digests, final int segmentBytes)
            throws NamespaceException {
        final ReceiveOptions how =
                ReceiveOptions.DEFAULT.withPath(path).withSizes(segmentBytes, 4 * Math.max(16_384, segmentBytes));
        final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
        final String file = "file:" + directory.resolve("direct") + ",size=16M,direct";
        try (StorageWorkers workers = new StorageWorkers(2, FaultReporter.STANDARD_ERROR);
                Namespace namespace = Namespaces.open(NamespaceSpec.parse(file), BLOCK, NQN, 1, workers)) {
            assertThat(namespace.traits().dataAlignment()).isGreaterThan(1);
            target.addSubsystem(SubsystemOptions.named(NQN).withAnyHost()).addNamespace(1, namespace, 1);
            try (TargetRig rig =
                            new TargetRig(TargetRig.receiving(TargetRig.options(), how), Mischief.NONE, target::open);
                    RawInitiator host =
                            RawInitiator.open(rig.address(), NQN, RawOptions.PLAIN.digests(digests, digests));
                    RawQueue queue = host.queue(1, 32)) {
                final long begun = rig.counter(TcpCounter.IN_PLACE_BYTES);
                long all = 0;
                for (final int length : new int[] {4096, 8192, 12_288, 65_536, 131_072, 1 << 20, 131_072}) {
                    final byte[] data = TcpQueueTest.bytes(length);
                    TcpQueueTest.write(queue, 7, data, BLOCK);
                    assertThat(TcpQueueTest.read(queue, 7, length, BLOCK)).isEqualTo(data);
                    all += length;
                }
                assertThat(namespace.copiedBytes()).as("copied by the file").isZero();
                final long inPlace = rig.counter(TcpCounter.IN_PLACE_BYTES) - begun;
                // An io_uring has its places already, wherever the payload begins.
                if (path == ReceivePath.PLACED
                        && segmentBytes % BLOCK == 0
                        && TestedSockets.BACKEND == SocketBackend.EPOLL) {
                    // Not what comes in capsules, nor where one receive ends in the middle of a block.
                    assertThat(inPlace).as("in place of " + all).isGreaterThan(all / 2);
                }
            }
        }
    }
}
