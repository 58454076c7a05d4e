// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.namespace.StorageWorkers;
import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IoAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUND = 2_000;
    private static final int MOST_ROUNDS = 300;

    @Test
    void shouldRunCommandsWithoutAllocating() throws NamespaceException {
        try (Rig rig = new Rig();
                StorageWorkers workers = new StorageWorkers(1, FaultReporter.STANDARD_ERROR);
                Namespace medium = Namespaces.open(NamespaceSpec.parse("mem:1M"), 512, Rig.NQN, 1, workers)) {
            rig.subsystem.addNamespace(1, medium, 1);
            final Controller controller = Rig.controller(rig.admin());
            final SteadyTransport transport = new SteadyTransport(rig.loop);
            final QueuePair queue = rig.target.open(transport);
            transport.queue = queue;
            final IoRequest connect = IoRequest.of(SqeBuilder.connect(1, 31, 0, 0)
                            .sgl(SqeBuilder.TRANSPORT, 1024)
                            .bytes())
                    .data(new ConnectData(Rig.NQN).controllerId(controller.id()).bytes(), 1024);
            run(queue, connect);
            assertThat(connect.status()).isZero();

            final List<IoRequest> all = new ArrayList<>();
            final byte[] ranges = ByteBuffer.allocate(16)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(4, 1)
                    .putLong(8, 3)
                    .array();
            all.add(io(Opcode.WRITE, 0x40));
            all.add(io(Opcode.READ, 0x40));
            all.add(io(Opcode.COMPARE, 0x40));
            all.add(io(Opcode.COMPARE, 0x41));
            all.add(io(Opcode.WRITE, 0x42));
            all.add(IoRequest.of(SqeBuilder.opcode(Opcode.FLUSH).nsid(-1).bytes()));
            all.add(IoRequest.of(SqeBuilder.io(Opcode.WRITE_ZEROES, 1, 4, 1).bytes()));
            all.add(IoRequest.of(SqeBuilder.opcode(Opcode.DATASET_MANAGEMENT)
                            .nsid(1)
                            .dword(11, 4)
                            .sgl(SqeBuilder.TRANSPORT, 16)
                            .bytes())
                    .data(ranges, 5));
            all.add(io(Opcode.READ, 0x40).blocks(9999, 2));
            for (int i = 0; i < all.size(); i++) {
                all.get(i).dword(0, (all.get(i).dword(0) & 0xFFFF) | (i << 16));
            }

            long allocated = Long.MAX_VALUE;
            for (int round = 0; round < MOST_ROUNDS && allocated != 0; round++) {
                final long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < ROUND; i++) {
                    for (int command = 0; command < all.size(); command++) {
                        run(queue, all.get(command));
                    }
                }
                allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            }

            assertThat(allocated).isZero();
            assertThat(all.subList(0, 8))
                    .allSatisfy(request -> assertThat(request.status()).isZero());
            assertThat(all.get(8).status()).isEqualTo(Status.LBA_OUT_OF_RANGE | Status.DO_NOT_RETRY);
            queue.closed();
            all.forEach(IoRequest::close);
            connect.close();
        }
    }

    private static IoRequest io(final int opcode, final int flags) {
        return IoRequest.of(SqeBuilder.io(opcode, 1, 0, 2)
                        .sgl(SqeBuilder.TRANSPORT, 1024)
                        .bytes())
                .flags(flags)
                .data(new byte[1024], 300);
    }

    private static void run(final QueuePair queue, final IoRequest request) {
        if (queue.begin(request)) {
            queue.execute(request);
        } else {
            queue.retire(request);
        }
    }

    private static final class SteadyTransport implements QueueTransport {
        private final HandLoop on;
        private QueuePair queue;

        SteadyTransport(final HandLoop on) {
            this.on = on;
        }

        @Override
        public EventLoop loop() {
            return on.loop;
        }

        @Override
        public CompletionInbox inbox() {
            return on.inbox;
        }

        @Override
        public String peerName() {
            return "192.0.2.7:40000";
        }

        @Override
        public String localName() {
            return "192.0.2.1:4420";
        }

        @Override
        public void complete(final Request request) {
            queue.retire(request);
        }

        @Override
        public boolean withdraw(final Request request) {
            return false;
        }

        @Override
        public void disconnect(final String reason) {
            throw new AssertionError(reason);
        }
    }
}
