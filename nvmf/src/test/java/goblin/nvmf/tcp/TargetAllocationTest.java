// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import goblin.net.FaultReporter;
import goblin.net.uring.Ring;
import goblin.nvmf.namespace.FileIo;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.namespace.StorageWorkers;
import goblin.nvmf.raw.RawAnswer;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.SubsystemOptions;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetOptions;
import goblin.testkit.Mischief;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads and writes allocate no Java object, neither on the loop nor on the threads of storage, once their path is compiled:
 * whole runs are made until one allocates nothing. {@code -Dgoblin.allocation.ios=1000000} makes runs of as many commands.
 */
class TargetAllocationTest {
    private static final String NQN = "nqn.2026-01.io.example:still";
    private static final int IOS = Integer.getInteger("goblin.allocation.ios", 4_000);
    private static final int MOST_RUNS = 300;
    /** Commands under way at a time, half of them writes. */
    private static final int AT_ONCE = 8;

    private static final int BLOCK_BYTES = 4096;
    private static final int THREADS = 2;
    private static final ThreadMXBean ALLOCATIONS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    private Path folder;

    static Stream<Arguments> matrix() {
        return Stream.of(
                        Arguments.of("mem", SocketBackend.EPOLL, FileIo.THREADS),
                        Arguments.of("mem", SocketBackend.IO_URING, FileIo.THREADS),
                        Arguments.of("file", SocketBackend.EPOLL, FileIo.THREADS),
                        Arguments.of("file", SocketBackend.EPOLL, FileIo.IO_URING),
                        Arguments.of("file", SocketBackend.IO_URING, FileIo.IO_URING))
                .map(Arguments::get)
                .flatMap(how -> Stream.of(false, true)
                        .flatMap(digests -> Stream.of(
                                Arguments.of(how[0], how[1], how[2], 4096, SqeBuilder.IN_CAPSULE, digests),
                                Arguments.of(how[0], how[1], how[2], 4096, SqeBuilder.TRANSPORT, digests),
                                Arguments.of(how[0], how[1], how[2], 128 * 1024, SqeBuilder.TRANSPORT, digests))));
    }

    @ParameterizedTest(name = "{0} with {1} and {2}, {3} bytes, SGL type {4}, digests {5}")
    @MethodSource("matrix")
    @DisplayName("should allocate nothing for reads and writes")
    void shouldAllocateNothingForReadsAndWrites(
            final String medium,
            final SocketBackend sockets,
            final FileIo files,
            final int bytes,
            final int sglType,
            final boolean digests)
            throws NamespaceException {
        final boolean needsRing = sockets == SocketBackend.IO_URING || files == FileIo.IO_URING;
        assumeTrue(!needsRing || Ring.refusal().isEmpty(), "the kernel refuses io_uring");
        final String specification =
                "file".equals(medium) ? "file:" + folder.resolve("image") + ",size=16M" : medium + ":16M";
        final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
        // Of other tests.
        final Set<Thread> others = Thread.getAllStackTraces().keySet();
        try (StorageWorkers workers = new StorageWorkers(THREADS, FaultReporter.STANDARD_ERROR);
                Namespace namespace =
                        Namespaces.open(NamespaceSpec.parse(specification), BLOCK_BYTES, NQN, 1, workers)) {
            target.addSubsystem(SubsystemOptions.named(NQN).withAnyHost()).addNamespace(1, namespace, 1);
            try (TargetRig rig = new TargetRig(options(sockets, files), Mischief.NONE, target::open);
                    RawInitiator host =
                            RawInitiator.open(rig.address(), NQN, RawOptions.PLAIN.digests(digests, digests));
                    RawQueue queue = host.queue(1, 32)) {
                final long[] threads = threads(rig, others);
                final byte[] data = TcpQueueTest.bytes(bytes);
                List<Long> allocated;
                int runs = 0;
                do {
                    assertThat(++runs).as("runs until one allocated nothing").isLessThan(MOST_RUNS);
                    allocated = allocatedBy(threads, queue, data, sglType);
                } while (allocated.stream().anyMatch(each -> each > 0));
            }
        }
    }

    private static TcpOptions options(final SocketBackend sockets, final FileIo files) {
        return TargetRig.served(TargetRig.spinning(TargetRig.options()), sockets, files);
    }

    /** The loop's and those of storage. */
    private static long[] threads(final TargetRig rig, final Set<Thread> others) {
        final long[] threads = Stream.concat(
                        Stream.of(rig.threadId()),
                        Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().startsWith("storage-"))
                                .filter(thread -> !others.contains(thread))
                                .map(Thread::threadId))
                .mapToLong(Long::longValue)
                .toArray();
        assertThat(threads).hasSize(1 + THREADS);
        return threads;
    }

    private static List<Long> allocatedBy(
            final long[] threads, final RawQueue queue, final byte[] data, final int sglType) {
        final long[] before = ALLOCATIONS.getThreadAllocatedBytes(threads);
        final int blocks = data.length / BLOCK_BYTES;
        final int[] cids = new int[AT_ONCE];
        for (int done = 0; done < IOS; done += AT_ONCE) {
            for (int i = 0; i < AT_ONCE; i++) {
                final long first = (long) (i / 2) * blocks;
                final boolean write = i % 2 == 0;
                cids[i] = queue.submit(
                        SqeBuilder.io(write ? Opcode.WRITE : Opcode.READ, 1, first, blocks)
                                .sgl(write ? sglType : SqeBuilder.TRANSPORT, data.length),
                        write ? data : null);
            }
            for (final int cid : cids) {
                final RawAnswer answer = queue.await(cid);
                assertThat(answer.status()).isZero();
            }
        }
        final long[] after = ALLOCATIONS.getThreadAllocatedBytes(threads);
        final List<Long> allocated = new ArrayList<>();
        for (int i = 0; i < threads.length; i++) {
            allocated.add(after[i] - before[i]);
        }
        return allocated;
    }
}
