// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.nvmf.namespace.FileIo;
import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.Request;
import goblin.nvmf.target.ScriptedPair;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The last that a host gets, and connections that end by a fault of ours, on a loop turned by hand. */
class EndOfStreamTest {
    private static final int PAGE = 4096;

    private final List<Throwable> faults = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final MemoryNetwork network = new MemoryNetwork();
    private final EventLoop loop =
            new EventLoop("by hand", network, IdlePolicy.SPIN, EventLoop.ANY_CPU, (where, fault) -> faults.add(fault));
    private final ScriptedPair.Medium medium = new ScriptedPair.Medium(1 << 20, 0);
    private Function<QueuePair, QueuePair> wrapping = pair -> pair;
    // Memory for one command at a time.
    private final TcpOptions options = new TcpOptions(
            List.of(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 4420)),
            List.of(EventLoop.ANY_CPU),
            IdlePolicy.SPIN,
            PAGE,
            PAGE,
            8192,
            0,
            true,
            true,
            PAGE,
            1 << 20,
            ReceiveOptions.DEFAULT,
            TestedSockets.BACKEND,
            FileIo.THREADS,
            16,
            true);
    private final TcpLoop tcp = new TcpLoop(
            loop,
            options,
            new ConnectionLimit(16),
            side -> wrapping.apply(new ScriptedPair(side, medium)),
            VectorMemory.HEAP,
            lines::add);
    private long nowNs = 1_000_000_000_000L;

    @AfterEach
    void everythingShouldComeBack() {
        tcp.endAll(null);
        turn();
        assertThat(tcp.queues().size()).isZero();
        assertThat(tcp.usedBytes()).isZero();
        assertThat(network.lentBytes()).isZero();
        loop.close();
        tcp.destroy();
    }

    @Test
    @DisplayName("nothing follows a termination request: no R2T, though memory came back with the fault")
    void shouldAskForNothingAfterATerminationRequest() {
        shouldEndWithATerminationRequest(Opcode.WRITE);
    }

    @Test
    @DisplayName("nothing follows a termination request: no data, though memory came back with the fault")
    void shouldReadNothingAfterATerminationRequest() {
        shouldEndWithATerminationRequest(Opcode.READ);
    }

    private void shouldEndWithATerminationRequest(final int waiting) {
        final MemoryNetwork.Wire wire = connected();
        wire.arrive(Pdus.join(io(Opcode.WRITE, 1), io(waiting, 2)));
        turn();
        final byte[] r2t = wire.takeSent();
        assertThat(r2t).hasSize(R2t.BYTES);
        assertThat(tcp.credit().waiting()).isEqualTo(1);

        final byte[] data = Pdus.plain()
                .data(
                        PduType.H2C_DATA,
                        CommonHeader.LAST,
                        1,
                        (r2t[10] & 0xFF) | (r2t[11] & 0xFF) << 8,
                        0,
                        new byte[PAGE]);
        wire.arrive(Pdus.join(data, Pdus.icReq()));
        turn();

        final byte[] sent = wire.takeSent();
        assertThat(sent[0]).as("the answer to the first command").isEqualTo((byte) PduType.CAPSULE_RESP);
        assertThat(sent[CapsuleResp.BYTES]).isEqualTo((byte) PduType.C2H_TERM_REQ);
        assertThat(sent).hasSize(CapsuleResp.BYTES + (sent[CapsuleResp.BYTES + 4] & 0xFF));
        assertThat(faults).isEmpty();
    }

    @Test
    @DisplayName("a fault with one connection's sending ends that one alone, and is reported once")
    void shouldEndAConnectionWhoseSendingBreaks() {
        final MemoryNetwork.Wire good = connected();
        final MemoryNetwork.Wire bad = connected();
        bad.breakSending(new IllegalStateException("broken"));
        bad.arrive(io(Opcode.FLUSH, 1));
        good.arrive(io(Opcode.FLUSH, 1));
        turn();
        turn();

        assertThat(faults).singleElement().asString().contains("broken");
        assertThat(tcp.queues().size()).isEqualTo(1);
        assertThat(good.takeSent()).hasSize(CapsuleResp.BYTES);
        good.arrive(io(Opcode.FLUSH, 2));
        turn();
        assertThat(good.takeSent()).hasSize(CapsuleResp.BYTES);
    }

    @Test
    @DisplayName("a fault of whom the end is told ends the connection all the same, and is reported once")
    void shouldEndAConnectionWhoseOtherSideBreaks() {
        wrapping = pair -> new Breaking(pair, true, -1);
        final MemoryNetwork.Wire bad = connected();
        wrapping = pair -> pair;
        final MemoryNetwork.Wire good = connected();
        bad.end(MemoryNetwork.End.RESET);
        good.arrive(io(Opcode.FLUSH, 1));
        turn();
        turn();

        assertThat(faults).singleElement().asString().contains("broken end");
        assertThat(tcp.queues().size()).isEqualTo(1);
        assertThat(good.takeSent()).hasSize(CapsuleResp.BYTES);
    }

    @Test
    @DisplayName("a fault with one command's completion ends its connection and leaves nothing of it")
    void shouldEndAConnectionWhoseCompletionBreaks() {
        wrapping = pair -> new Breaking(pair, false, 9);
        final MemoryNetwork.Wire bad = connected();
        bad.arrive(Pdus.join(io(Opcode.READ, 9), io(Opcode.READ, 1)));
        turn();
        turn();

        assertThat(faults).singleElement().asString().contains("broken completion");
        assertThat(tcp.queues().size()).isZero();
        assertThat(lines).singleElement().asString().contains("a fault of the target");
    }

    private MemoryNetwork.Wire connected() {
        final MemoryNetwork.Wire wire = network.connect(tcp);
        wire.arrive(Pdus.icReq());
        wire.arrive(Pdus.plain()
                .capsule(
                        SqeBuilder.connect(1, 31, 0, 0)
                                .sgl(SqeBuilder.IN_CAPSULE, 1024)
                                .bytes(),
                        new ConnectData("nqn.2014-08.org.example:a").bytes()));
        turn();
        assertThat(wire.takeSent()).hasSize(IcResp.BYTES + CapsuleResp.BYTES);
        return wire;
    }

    private static byte[] io(final int opcode, final int cid) {
        final SqeBuilder sqe = SqeBuilder.io(opcode, 1, 0, PAGE / 512).cid(cid);
        return Pdus.plain().capsule(sqe.sgl(SqeBuilder.TRANSPORT, PAGE).bytes(), new byte[0]);
    }

    private void turn() {
        nowNs += 1000;
        while (loop.runOnce(nowNs) > 0) {
            nowNs += 1000;
        }
    }

    /** A queue that breaks when it is told its end, or a command's. */
    private record Breaking(QueuePair pair, boolean atEnd, int cid) implements QueuePair {
        @Override
        public boolean begin(final Request request) {
            return pair.begin(request);
        }

        @Override
        public void execute(final Request request) {
            pair.execute(request);
        }

        @Override
        public int retire(final Request request) {
            if (request.cid() == cid) {
                throw new IllegalStateException("broken completion");
            }
            return pair.retire(request);
        }

        @Override
        public int depth() {
            return pair.depth();
        }

        @Override
        public boolean flowControlDisabled() {
            return pair.flowControlDisabled();
        }

        @Override
        public boolean isAdmin() {
            return pair.isAdmin();
        }

        @Override
        public boolean isConnected() {
            return pair.isConnected();
        }

        @Override
        public String name() {
            return pair.name();
        }

        @Override
        public void closed() {
            pair.closed();
            if (atEnd) {
                throw new IllegalStateException("broken end");
            }
        }
    }
}
