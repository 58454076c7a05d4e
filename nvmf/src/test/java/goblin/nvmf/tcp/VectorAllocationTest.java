// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
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
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever vectors are like, a loop whose vectors have grown as far as they need to allocates nothing for writes. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class VectorAllocationTest {
    private static final String NQN = "nqn.2026-01.io.example:grown";
    private static final int BYTES = 128 << 10;
    private static final int ROUND = 200;
    private static final int MOST_ROUNDS = 200;
    private static final ThreadMXBean ALLOCATIONS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @CsvSource({
        "LENT, DYNAMIC, KEEP, 1448",
        "LENT, DYNAMIC, DECAY, 1448",
        "LENT, INLINE, KEEP, 1448",
        "LENT, FIXED, KEEP, 1448",
        "PLACED, DYNAMIC, KEEP, 4096",
        "PLACED, DYNAMIC, KEEP, 65536",
        "COPIED, DYNAMIC, KEEP, 65536",
    })
    void shouldAllocateNothingForWrites(
            final ReceivePath path, final VectorMode mode, final VectorRetention retention, final int segmentBytes)
            throws NamespaceException {
        final ReceiveOptions how = ReceiveOptions.DEFAULT
                .withPath(path)
                .withVectors(mode, retention)
                .withSizes(segmentBytes, 64 << 10);
        final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
        try (StorageWorkers workers = new StorageWorkers(1, FaultReporter.STANDARD_ERROR);
                Namespace namespace = Namespaces.open(NamespaceSpec.parse("mem:1M"), 512, NQN, 1, workers)) {
            target.addSubsystem(SubsystemOptions.named(NQN).withAnyHost()).addNamespace(1, namespace, 1);
            final TcpOptions options = TargetRig.receiving(TargetRig.spinning(TargetRig.options()), how);
            try (TargetRig rig = new TargetRig(options, Mischief.NONE, target::open);
                    RawInitiator host = RawInitiator.open(rig.address(), NQN, RawOptions.PLAIN);
                    RawQueue queue = host.queue(1, 32)) {
                final byte[] data = TcpQueueTest.bytes(BYTES);
                long allocated;
                int rounds = 0;
                do {
                    assertThat(++rounds)
                            .as("rounds until one allocated nothing")
                            .isLessThan(MOST_ROUNDS);
                    final long before = ALLOCATIONS.getThreadAllocatedBytes(rig.threadId());
                    for (int i = 0; i < ROUND; i++) {
                        TcpQueueTest.write(queue, 0, data);
                    }
                    allocated = ALLOCATIONS.getThreadAllocatedBytes(rig.threadId()) - before;
                } while (allocated > 0);
                final boolean grows = segmentBytes <= 4096 && mode == VectorMode.DYNAMIC;
                assertThat(rig.counter(TcpCounter.GROWN_BYTES)).matches(bytes -> grows == bytes > 0, "grown");
            }
        }
    }
}
