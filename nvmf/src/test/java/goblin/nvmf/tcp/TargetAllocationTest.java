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
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steady state of a loop that serves reads and writes allocates no Java object, once C2 has compiled the path. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TargetAllocationTest {
    private static final String NQN = "nqn.2026-01.io.example:still";
    private static final int ROUND = 2_000;
    private static final int MAX_ROUNDS = 120;

    @ParameterizedTest
    @CsvSource({"4096, false", "65536, true"})
    void shouldAllocateNothingForReadsAndWrites(final int bytes, final boolean digests) throws NamespaceException {
        final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
        try (StorageWorkers workers = new StorageWorkers(1, FaultReporter.STANDARD_ERROR);
                Namespace namespace = Namespaces.open(NamespaceSpec.parse("mem:16M"), 512, NQN, 1, workers)) {
            target.addSubsystem(SubsystemOptions.named(NQN).withAnyHost()).addNamespace(1, namespace, 1);
            try (TargetRig rig = new TargetRig(TargetRig.spinning(TargetRig.options()), Mischief.NONE, target::open);
                    RawInitiator host =
                            RawInitiator.open(rig.address(), NQN, RawOptions.PLAIN.digests(digests, digests));
                    RawQueue queue = host.queue(1, 32)) {
                final byte[] data = TcpQueueTest.bytes(bytes);
                long allocated = 1;
                for (int round = 0; round < MAX_ROUNDS && allocated > 0; round++) {
                    allocated = measure(rig, queue, data);
                }
                assertThat(allocated).isZero();
            }
        }
    }

    private static long measure(final TargetRig rig, final RawQueue queue, final byte[] data) {
        final long thread = rig.threadId();
        final com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long before = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < ROUND; i++) {
            TcpQueueTest.write(queue, i % 64 * 128L, data);
            TcpQueueTest.read(queue, i % 64 * 128L, data.length);
        }
        return threads.getThreadAllocatedBytes(thread) - before;
    }
}
