// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.namespace.StorageWorkers;
import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Cqe;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.SubsystemOptions;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetOptions;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * A whole target on a {@link MemoryNetwork} with one medium and one host that has an I/O queue, turned by hand. What the
 * host sends arrives in whatever pieces a test wants; at the end all memory must have come back.
 */
final class PayloadRig implements AutoCloseable {
    static final int BLOCK = 512;
    static final long MEDIUM_BYTES = 4 << 20;

    private static final String NQN = "nqn.2026-01.io.example:payload";
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int MOST_TURNS = 1_000_000;

    /** What the host is asked for. */
    record Wanted(int tag, long offset, long length) {}

    private final List<Throwable> faults = new ArrayList<>();
    final MemoryNetwork network = new MemoryNetwork();
    private final EventLoop loop =
            new EventLoop("payload", network, IdlePolicy.SPIN, EventLoop.ANY_CPU, (where, fault) -> faults.add(fault));
    private final StorageWorkers workers = new StorageWorkers(1, (where, fault) -> faults.add(fault));
    private final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
    final TcpLoop tcp;
    final WatchedNamespace medium;
    private final boolean headerDigest;
    private final boolean dataDigest;
    private final Host host;
    private final MemoryNetwork.Wire io;
    private long nowNs = 1_000 * SECOND_NS;
    private final Map<TcpCounter, Long> before = new EnumMap<>(TcpCounter.class);
    private int lastCid;

    PayloadRig(
            final ReceiveOptions how,
            final VectorMemory vectors,
            final int mediumAlignment,
            final boolean headerDigest,
            final boolean dataDigest) {
        this.headerDigest = headerDigest;
        this.dataDigest = dataDigest;
        loop.runOnce(nowNs);
        final TcpOptions options = TargetRig.receiving(TargetRig.options(), how);
        tcp = new TcpLoop(loop, options, new ConnectionLimit(9), target::open, vectors, line -> {});
        try {
            final Namespace bytes = Namespaces.open(NamespaceSpec.parse("mem:" + MEDIUM_BYTES), BLOCK, NQN, 1, workers);
            medium = new WatchedNamespace(bytes, mediumAlignment);
            target.addSubsystem(SubsystemOptions.named(NQN).withAnyHost()).addNamespace(1, medium, 1);
        } catch (final NamespaceException impossible) {
            throw new IllegalStateException(impossible);
        }
        final MemoryNetwork.Wire admin = network.connect(tcp);
        final ConnectData data = new ConnectData(NQN);
        try (Host first = new Host(admin)) {
            first.open(false, false);
            first.connect(0, data);
            data.controllerId((int) (first.result & 0xFFFF));
            admin.arrive(PduBuilder.capsule(SqeBuilder.propertySet(0x14, 0x0046_0001))
                    .bytes());
            first.awaitAnswer();
        }
        io = network.connect(tcp);
        host = new Host(io);
        host.open(headerDigest, dataDigest);
        host.connect(1, data);
        for (final TcpCounter counter : TcpCounter.values()) {
            before.put(counter, tcp.counters().get(counter));
        }
    }

    /** A write with its data in the capsule, as bytes on the wire. */
    byte[] writeInCapsule(final long firstBlock, final byte[] data) {
        final SqeBuilder sqe = SqeBuilder.io(Opcode.WRITE, 1, firstBlock, data.length / BLOCK)
                .cid(++lastCid)
                .sgl(SqeBuilder.IN_CAPSULE, data.length);
        return digested(PduBuilder.capsule(sqe).data(data));
    }

    /** The same in front of its data, of which some bytes of framing come first. */
    int dataOffsetInCapsule() {
        return CapsuleCmd.BYTES + (headerDigest ? CommonHeader.DIGEST_BYTES : 0);
    }

    int dataOffsetInPdu() {
        return DataPdu.BYTES + (headerDigest ? CommonHeader.DIGEST_BYTES : 0);
    }

    /** Sends a write whose data is asked for; returns what it is asked for. */
    Wanted ask(final long firstBlock, final int length) {
        send(askFor(firstBlock, length));
        turnUntil(() -> !host.wanted.isEmpty());
        return host.wanted.remove();
    }

    byte[] askFor(final long firstBlock, final int length) {
        final SqeBuilder sqe = SqeBuilder.io(Opcode.WRITE, 1, firstBlock, length / BLOCK)
                .cid(++lastCid)
                .sgl(SqeBuilder.TRANSPORT, length);
        return digested(PduBuilder.capsule(sqe));
    }

    /** Waits for the next thing asked for. */
    Wanted wanted() {
        turnUntil(() -> !host.wanted.isEmpty());
        return host.wanted.remove();
    }

    /** Data that was asked for by the last command, as bytes on the wire. */
    byte[] data(final Wanted wanted, final byte[] data) {
        return digested(PduBuilder.h2cData(lastCid, wanted.tag(), wanted.offset(), data));
    }

    byte[] data(final int cid, final Wanted wanted, final byte[] data) {
        return digested(PduBuilder.h2cData(cid, wanted.tag(), wanted.offset(), data));
    }

    int lastCid() {
        return lastCid;
    }

    /** A read, as bytes on the wire. */
    byte[] read(final long firstBlock, final int length) {
        return digested(PduBuilder.capsule(SqeBuilder.io(Opcode.READ, 1, firstBlock, length / BLOCK)
                .cid(++lastCid)
                .sgl(SqeBuilder.TRANSPORT, length)));
    }

    private byte[] digested(final PduBuilder pdu) {
        return pdu.digests(headerDigest, dataDigest).bytes();
    }

    /** Lets bytes arrive as one piece. */
    void send(final byte[] bytes) {
        io.arrive(bytes);
    }

    MemoryNetwork.Wire io() {
        return io;
    }

    /** Waits for so many answers, all of success, and returns the data that was read since the last call. */
    byte[] awaitAnswers(final int count) {
        for (int i = 0; i < count; i++) {
            host.awaitAnswer();
        }
        final byte[] read = host.data.toByteArray();
        host.data.reset();
        return read;
    }

    /** What is on the medium. */
    byte[] stored(final long firstBlock, final int length) {
        send(read(firstBlock, length));
        return awaitAnswers(1);
    }

    void turns(final int count) {
        for (int i = 0; i < count; i++) {
            loop.runOnce(nowNs);
        }
        host.read();
    }

    /** Lets seconds pass, with their sweeps. */
    void pass(final int seconds) {
        for (int i = 0; i < seconds; i++) {
            nowNs += SECOND_NS;
            turns(4);
        }
    }

    /** What was counted since the queue was connected. */
    long counter(final TcpCounter counter) {
        return tcp.counters().get(counter) - before.get(counter);
    }

    /** Bytes of the last write that lay in the memory for transfers. */
    long writtenFromArena() {
        final TransferArena arena = tcp.credit().arena();
        return medium.written().stream()
                .filter(piece -> isIn(arena, piece.address()))
                .peek(piece -> assertThat(piece.address() & 4095)
                        .as("where in its page a copied byte lies")
                        .isEqualTo(piece.offset() & 4095))
                .mapToLong(WatchedNamespace.Piece::length)
                .sum();
    }

    private static boolean isIn(final TransferArena arena, final long address) {
        return address >= arena.address(0) && address < arena.address(0) + arena.bytes();
    }

    private void turnUntil(final BooleanSupplier condition) {
        for (int i = 0; !condition.getAsBoolean(); i++) {
            if (i == MOST_TURNS) {
                throw new AssertionError("nothing happens any more; faults: " + faults);
            }
            loop.runOnce(nowNs);
            if (host != null) {
                host.read();
            }
        }
    }

    @Override
    public void close() {
        tcp.endAll(null);
        pass(10);
        host.close();
        assertThat(faults).as("faults").isEmpty();
        assertThat(tcp.queues().size()).as("connections").isZero();
        assertThat(tcp.usedBytes()).as("arena").isZero();
        assertThat(tcp.grown().bytes()).as("larger vectors").isZero();
        network.pretendLent(0);
        assertThat(network.lentBytes()).as("segments").isZero();
        loop.close();
        tcp.destroy();
        medium.close();
        workers.close();
    }

    /** Reads what the target says; only what is legal and a success may come. */
    private final class Host implements PduSink, AutoCloseable {
        private final MemoryNetwork.Wire wire;
        private final PduReader reader = PduReader.ofHost(this, new Crc32c(), 1 << 20);
        private final Deque<Wanted> wanted = new ArrayDeque<>();
        private final ByteArrayOutputStream data = new ByteArrayOutputStream();
        private boolean isOpen;
        private int answers;
        private long result;

        Host(final MemoryNetwork.Wire wire) {
            this.wire = wire;
        }

        void open(final boolean ofHeader, final boolean ofData) {
            wire.arrive(PduBuilder.icReq(ofHeader, ofData).bytes());
            await(() -> isOpen);
            reader.digests(ofHeader, ofData);
        }

        void connect(final int qid, final ConnectData what) {
            final boolean isIo = qid > 0;
            wire.arrive(PduBuilder.capsule(SqeBuilder.connect(qid, 31, 4, 0).sgl(SqeBuilder.IN_CAPSULE, 1024))
                    .data(what.bytes())
                    .digests(isIo && headerDigest, isIo && dataDigest)
                    .bytes());
            awaitAnswer();
        }

        void awaitAnswer() {
            await(() -> answers > 0);
            answers--;
        }

        private void await(final BooleanSupplier condition) {
            turnUntil(() -> {
                read();
                return condition.getAsBoolean();
            });
        }

        void read() {
            final byte[] bytes = wire.takeSent();
            if (bytes.length > 0) {
                final NativeSegment segment = new NativeSegment(bytes, 0, bytes.length);
                assertThat(reader.read(segment, 0)).isEqualTo(bytes.length);
                segment.release();
            }
        }

        @Override
        public boolean onHeader(final int type, final long header, final int headerLength, final long dataLength) {
            switch (type) {
                case PduType.IC_RESP -> isOpen = true;
                case PduType.CAPSULE_RESP -> {
                    assertThat(Cqe.status(CapsuleResp.cqe(header))).as("status").isZero();
                    result = Cqe.result(CapsuleResp.cqe(header));
                    answers++;
                }
                case PduType.C2H_DATA -> answers += CommonHeader.has(header, CommonHeader.SUCCESS) ? 1 : 0;
                case PduType.R2T -> wanted.add(new Wanted(R2t.tag(header), R2t.offset(header), R2t.length(header)));
                default -> throw new AssertionError(PduType.name(type));
            }
            return true;
        }

        @Override
        public void onPayload(final ReceiveSegment segment, final long address, final int length) {
            data.writeBytes(Memory.toBytes(address, length));
        }

        @Override
        public void onPduEnd(final boolean digestValid) {
            assertThat(digestValid).isTrue();
        }

        @Override
        public void onFatal(final int status, final long information, final long header, final int headerLength) {
            throw new AssertionError("a malformed PDU: " + status + "/" + information);
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
