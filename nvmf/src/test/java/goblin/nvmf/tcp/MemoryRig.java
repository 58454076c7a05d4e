// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.QueueTransport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One loop of a target on a {@link MemoryNetwork}, whose turns and time are a test's; at its end all must have come back. */
final class MemoryRig implements AutoCloseable {
    private static final String NQN = "nqn.2014-08.org.example:a";

    private final List<Throwable> faults = new ArrayList<>();
    final List<String> lines = new ArrayList<>();
    final MemoryNetwork network = new MemoryNetwork();
    private final EventLoop loop =
            new EventLoop("by hand", network, IdlePolicy.SPIN, EventLoop.ANY_CPU, (where, fault) -> faults.add(fault));
    final TcpLoop tcp;
    private long nowNs = 1_000_000_000_000L;

    MemoryRig(final TcpOptions options, final Function<QueueTransport, QueuePair> opener) {
        loop.runOnce(nowNs);
        tcp = new TcpLoop(loop, options, new ConnectionLimit(1_000), opener, VectorMemory.HEAP, lines::add);
    }

    /** A connection that was opened and nothing more. */
    MemoryNetwork.Wire opened() {
        final MemoryNetwork.Wire wire = network.connect(tcp);
        wire.arrive(PduBuilder.icReq(false, false).bytes());
        turns(2);
        assertThat(sent(wire)).extracting(PduType::name).containsExactly("ICResp");
        return wire;
    }

    /** A connection whose queue is connected. */
    MemoryNetwork.Wire connected(final int qid) {
        final MemoryNetwork.Wire wire = connecting(qid);
        assertThat(sent(wire)).extracting(PduType::name).containsExactly("CapsuleResp");
        return wire;
    }

    /** A connection whose Connect is sent. */
    MemoryNetwork.Wire connecting(final int qid) {
        final MemoryNetwork.Wire wire = opened();
        final SqeBuilder connect = SqeBuilder.connect(qid, 31, 4, 0).sgl(SqeBuilder.IN_CAPSULE, 1024);
        wire.arrive(
                PduBuilder.capsule(connect).data(new ConnectData(NQN).bytes()).bytes());
        turns(2);
        return wire;
    }

    /** A connected I/O queue of a controller of a real target, which is enabled by its admin queue. */
    MemoryNetwork.Wire associated(final String subsystem) {
        final MemoryNetwork.Wire admin = opened();
        final SqeBuilder connect = SqeBuilder.connect(0, 31, 4, 0).sgl(SqeBuilder.IN_CAPSULE, 1024);
        final ConnectData data = new ConnectData(subsystem);
        admin.arrive(PduBuilder.capsule(connect).data(data.bytes()).bytes());
        turns(2);
        data.controllerId(
                ByteBuffer.wrap(admin.takeSent()).order(ByteOrder.LITTLE_ENDIAN).getShort(CommonHeader.BYTES));
        admin.arrive(
                PduBuilder.capsule(SqeBuilder.propertySet(0x14, 0x0046_0001)).bytes());
        turns(2);
        final MemoryNetwork.Wire io = opened();
        final SqeBuilder toIo = SqeBuilder.connect(1, 31, 4, 0).sgl(SqeBuilder.IN_CAPSULE, 1024);
        io.arrive(PduBuilder.capsule(toIo).data(data.bytes()).bytes());
        turns(3);
        assertThat(sent(io)).extracting(PduType::name).containsExactly("CapsuleResp");
        return io;
    }

    long counter(final TcpCounter counter) {
        return tcp.counters().get(counter);
    }

    void turns(final int count) {
        for (int i = 0; i < count; i++) {
            loop.runOnce(nowNs);
        }
    }

    /** Turns the loop until there is nothing to do. */
    void rest() {
        for (int turn = 0; loop.runOnce(nowNs) > 0; turn++) {
            assertThat(turn).as("turns without rest").isLessThan(100_000);
        }
    }

    /** Lets time pass, sweeping each second of it. */
    void pass(final Duration time) {
        for (long left = time.toSeconds(); left > 0; left--) {
            nowNs += 1_000_000_000L;
            turns(4);
        }
    }

    /** The types of the PDUs that a host was sent since the last call. */
    static List<Integer> sent(final MemoryNetwork.Wire wire) {
        final ByteBuffer bytes = ByteBuffer.wrap(wire.takeSent()).order(ByteOrder.LITTLE_ENDIAN);
        final List<Integer> types = new ArrayList<>();
        for (int at = 0; at < bytes.capacity(); at += bytes.getInt(at + 4)) {
            types.add(bytes.get(at) & 0xFF);
        }
        return types;
    }

    @Override
    public void close() {
        tcp.endAll(null);
        pass(Duration.ofSeconds(10));
        assertThat(faults).as("faults").isEmpty();
        assertThat(tcp.queues().size()).as("connections").isZero();
        assertThat(tcp.usedBytes()).as("arena").isZero();
        assertThat(network.lentBytes()).as("segments").isZero();
        loop.close();
        tcp.destroy();
    }
}
