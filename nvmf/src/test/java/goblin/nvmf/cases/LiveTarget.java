// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.TransportCounter;
import goblin.nvmf.initiator.InitiatorOptions;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.namespace.StorageWorkers;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.target.Subsystem;
import goblin.nvmf.target.SubsystemOptions;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetOptions;
import goblin.nvmf.tcp.ReceiveOptions;
import goblin.nvmf.tcp.TcpCounter;
import goblin.nvmf.tcp.TcpOptions;
import goblin.nvmf.tcp.TcpTarget;
import goblin.nvmf.tcp.TestedSockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/**
 * A whole target on a free loopback port, with namespaces. When it is closed it must not have reported a fault, and nothing
 * of its memory may be in use.
 */
final class LiveTarget implements AutoCloseable {
    static final String SUBSYSTEM = "nqn.2026-01.org.goblin:case";
    static final String DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery";

    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final List<Namespace> namespaces = new ArrayList<>();
    private final StorageWorkers workers;
    private final Target target;
    private final Subsystem subsystem;
    private final TcpTarget tcp;

    private LiveTarget(final Config config) {
        workers = new StorageWorkers(config.storageThreads, (where, fault) -> faults.add(fault));
        target = new Target(
                new TargetOptions(config.maxIoBytes, config.queueEntries, config.inCapsuleBytes, 128, "test"),
                lines::add);
        subsystem = target.addSubsystem(config.subsystem.apply(SubsystemOptions.named(SUBSYSTEM)));
        tcp = new TcpTarget(
                new TcpOptions(
                        List.of(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0)),
                        Collections.nCopies(config.loops, EventLoop.ANY_CPU),
                        IdlePolicy.BACKOFF,
                        config.maxIoBytes,
                        config.maxH2cBytes,
                        config.inCapsuleBytes,
                        config.alignment,
                        true,
                        true,
                        config.receiveMemory,
                        config.segmentMemory,
                        config.receive,
                        TestedSockets.BACKEND,
                        TestedSockets.FILE_IO,
                        16_384,
                        config.checking),
                target::open,
                lines::add,
                (where, fault) -> faults.add(fault));
        tcp.start();
    }

    static Config config() {
        return new Config();
    }

    /** A target with 2048 blocks of 512 bytes as namespace 1. */
    static LiveTarget small() {
        return config().start().add(1, "mem:1M", 512);
    }

    LiveTarget add(final int nsid, final String specification, final int blockBytes) {
        try {
            return add(nsid, Namespaces.open(NamespaceSpec.parse(specification), blockBytes, SUBSYSTEM, nsid, workers));
        } catch (final NamespaceException failed) {
            throw new AssertionError(failed);
        }
    }

    LiveTarget add(final int nsid, final Namespace namespace) {
        namespaces.add(namespace);
        try {
            subsystem.addNamespace(nsid, namespace, 1);
            return this;
        } catch (final NamespaceException failed) {
            throw new AssertionError(failed);
        }
    }

    InetSocketAddress address() {
        final Endpoint.Tcp endpoint = tcp.endpoints().getFirst();
        return new InetSocketAddress(endpoint.address(), endpoint.port());
    }

    RawInitiator raw() {
        return raw(RawOptions.PLAIN);
    }

    RawInitiator raw(final RawOptions options) {
        return RawInitiator.open(address(), SUBSYSTEM, options);
    }

    RawQueue bare() {
        return bare(RawOptions.PLAIN);
    }

    /** A connection after ICReq and ICResp. */
    RawQueue bare(final RawOptions options) {
        return RawQueue.open(address(), options, 8192);
    }

    InitiatorOptions options() {
        return InitiatorOptions.of(address().getAddress(), address().getPort(), SUBSYSTEM);
    }

    StorageWorkers workers() {
        return workers;
    }

    Target target() {
        return target;
    }

    Subsystem subsystem() {
        return subsystem;
    }

    EventLoop loop(final int index) {
        return tcp.loops().get(index);
    }

    long counter(final TcpCounter counter) {
        return tcp.counter(counter);
    }

    long counter(final TransportCounter counter) {
        return tcp.counter(counter);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    /** Waits until no connection is left and nothing is held for one. */
    void awaitNothingLeft() {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(counter(TcpCounter.CONNECTIONS)).as("connections").isZero();
            assertThat(counter(TcpCounter.REQUESTS)).as("requests").isZero();
            assertThat(counter(TcpCounter.ARENA_USED_BYTES)).as("arena bytes").isZero();
            assertThat(subsystem.controllers()).as("controllers").isEmpty();
        });
    }

    @Override
    public void close() {
        tcp.stop();
        namespaces.forEach(Namespace::close);
        workers.close();
        assertThat(faults).as("faults").isEmpty();
    }

    /** What a target is made of; the defaults of the programs, one loop, every host welcome. */
    static final class Config {
        private int loops = Integer.getInteger("goblin.loops", 1);
        private int storageThreads = 2;
        private int maxIoBytes = 1 << 20;
        private int maxH2cBytes = 1 << 20;
        private int inCapsuleBytes = 8192;
        private int alignment;
        private int queueEntries = 128;
        private long receiveMemory = 64 << 20;
        private long segmentMemory = 64 << 20;
        private ReceiveOptions receive = ReceiveOptions.DEFAULT;
        private boolean checking = true;
        private UnaryOperator<SubsystemOptions> subsystem = SubsystemOptions::withAnyHost;

        Config storageThreads(final int count) {
            storageThreads = count;
            return this;
        }

        Config loops(final int count) {
            loops = count;
            return this;
        }

        Config maxIo(final int bytes) {
            maxIoBytes = bytes;
            maxH2cBytes = bytes;
            return this;
        }

        Config maxH2c(final int bytes) {
            maxH2cBytes = bytes;
            return this;
        }

        Config inCapsule(final int bytes) {
            inCapsuleBytes = bytes;
            return this;
        }

        Config alignment(final int cpda) {
            alignment = cpda;
            return this;
        }

        Config queueEntries(final int entries) {
            queueEntries = entries;
            return this;
        }

        Config memory(final long receive, final long segments) {
            receiveMemory = receive;
            segmentMemory = segments;
            return this;
        }

        Config receive(final ReceiveOptions options) {
            receive = options;
            return this;
        }

        Config unchecked() {
            checking = false;
            return this;
        }

        Config subsystem(final UnaryOperator<SubsystemOptions> change) {
            subsystem = change;
            return this;
        }

        LiveTarget start() {
            return new LiveTarget(this);
        }
    }
}
