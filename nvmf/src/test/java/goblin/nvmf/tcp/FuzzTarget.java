// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.namespace.StorageWorkers;
import goblin.nvmf.target.AnaState;
import goblin.nvmf.target.Subsystem;
import goblin.nvmf.target.SubsystemOptions;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetOptions;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A whole target on a {@link MemoryNetwork}, turned by hand, that lives for all inputs of a fuzzer: between two of them
 * nothing may be left of the hosts of the first.
 */
final class FuzzTarget {
    static final String NQN = "nqn.2026-01.io.example:fuzz";
    static final int BLOCK_BYTES = 512;

    private static final int MAX_IO_BYTES = 64 * 1024;
    private static final int MOST_TURNS = 100_000;
    private static final int GROUP = 1;
    private static final List<AnaState> STATES = List.of(AnaState.values());

    private final List<Throwable> faults = new ArrayList<>();
    private final MemoryNetwork network = new MemoryNetwork();
    private final EventLoop loop =
            new EventLoop("fuzz", network, IdlePolicy.SPIN, EventLoop.ANY_CPU, (where, fault) -> faults.add(fault));
    private final Target target =
            new Target(TargetOptions.DEFAULTS.withMaxIoBytes(MAX_IO_BYTES).withMaxQueueDepth(32), line -> {});
    private final Subsystem subsystem =
            target.addSubsystem(SubsystemOptions.named(NQN).withAnyHost());
    private final TcpLoop tcp;
    private final LateNamespace memory;
    private long nowNs = 1_000_000_000_000L;

    FuzzTarget() {
        final TcpOptions base = TcpOptions.defaults(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 4420));
        final TcpOptions options = new TcpOptions(
                base.listen(),
                base.cpus(),
                IdlePolicy.SPIN,
                MAX_IO_BYTES,
                16 * 1024,
                base.inCapsuleBytes(),
                0,
                true,
                true,
                MAX_IO_BYTES,
                1 << 20,
                base.receive(),
                TestedSockets.BACKEND,
                base.files(),
                64,
                true);
        tcp = new TcpLoop(loop, options, new ConnectionLimit(64), target::open, VectorMemory.HEAP, line -> {});
        try {
            final StorageWorkers workers = new StorageWorkers(1, (where, fault) -> faults.add(fault));
            memory = new LateNamespace(Namespaces.open(NamespaceSpec.parse("mem:1M"), BLOCK_BYTES, NQN, 1, workers));
            subsystem.addNamespace(1, memory, GROUP);
            subsystem.addNamespace(3, Namespaces.open(NamespaceSpec.parse("null:1M"), 4096, NQN, 3, workers), GROUP);
        } catch (final NamespaceException impossible) {
            throw new IllegalStateException(impossible);
        }
        turn();
    }

    MemoryNetwork.Wire connect() {
        return network.connect(tcp);
    }

    static PduReader.State state(final MemoryNetwork.Wire wire) {
        return ((TcpQueue) wire.handler()).readerState();
    }

    /** One turn of the loop; tells whether there was something to do. */
    boolean step() {
        return loop.runOnce(nowNs) > 0;
    }

    void turn() {
        for (int turns = 0; step(); turns++) {
            if (turns == MOST_TURNS) {
                throw new AssertionError("the loop does not come to rest");
            }
        }
    }

    void advanceMs(final long milliseconds) {
        nowNs += milliseconds * 1_000_000;
    }

    /** Something happens to the subsystem that its hosts may want to know. */
    void change(final int what) {
        if ((what & 1) == 0) {
            subsystem.anaState(GROUP, STATES.get((what >> 1) % STATES.size()));
            return;
        }
        try {
            subsystem.resizeNamespace(1, 1024 + (what >> 1) % 1024);
        } catch (final NamespaceException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Lets storage wait, or go on. */
    void hold(final boolean wait) {
        loop.execute(wait ? memory::hold : memory::release);
    }

    /** All hosts have gone: so must everything of theirs. */
    void shouldBeEmpty() {
        hold(false);
        turn();
        // Ends have their grace, an association without an admin queue has none.
        for (int i = 0; i < 4 && tcp.counters().get(TcpCounter.CONNECTIONS) > 0; i++) {
            advanceMs(3_000);
            turn();
        }
        subsystem.anaState(GROUP, AnaState.OPTIMIZED);
        turn();
        if (!faults.isEmpty()) {
            throw new AssertionError("a fault on the loop", faults.getFirst());
        }
        shouldBeZero("connections", tcp.counters().get(TcpCounter.CONNECTIONS));
        shouldBeZero("requests", tcp.counters().get(TcpCounter.REQUESTS));
        shouldBeZero("bytes of the arena", tcp.usedBytes());
        shouldBeZero("bytes of segments", network.lentBytes());
        shouldBeZero(
                "controllers",
                target.subsystems().stream()
                        .mapToLong(each -> each.controllers().size())
                        .sum());
    }

    private static void shouldBeZero(final String what, final long count) {
        if (count != 0) {
            throw new AssertionError(count + " " + what + " are left");
        }
    }
}
