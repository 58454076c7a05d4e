// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

import static java.nio.charset.StandardCharsets.UTF_8;

import goblin.net.linux.Memory;
import goblin.nvmf.target.Opcode;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** The Connect of one queue (NVMe over Fabrics, Connect command), with its data. */
final class ConnectCommand {
    private static final int DATA_BYTES = 1024;
    private static final int CONTROLLER_ID = 16;
    private static final int SUBSYSTEM = 256;
    private static final int HOST = 512;
    private static final int FABRICS_TYPE = 4;
    private static final int QUEUE_ID = 42;
    private static final int SQ_SIZE = 44;
    private static final int ATTRIBUTES = 46;
    private static final int KEEP_ALIVE = 48;
    private static final byte FLOW_CONTROL_OFF = 4;

    private final InitiatorOptions options;
    private final long data = Memory.allocate(DATA_BYTES);

    ConnectCommand(final InitiatorOptions options, final int controllerId) {
        this.options = options;
        Memory.fill(data, DATA_BYTES, (byte) 0);
        Memory.putLong(data, Long.reverseBytes(options.hostId().getMostSignificantBits()));
        Memory.putLong(data + 8, Long.reverseBytes(options.hostId().getLeastSignificantBits()));
        Memory.putShort(data + CONTROLLER_ID, (short) controllerId);
        putName(SUBSYSTEM, options.subsystem());
        putName(HOST, options.hostNqn());
    }

    private void putName(final int at, final String nqn) {
        final byte[] name = nqn.getBytes(UTF_8);
        Memory.copyIn(name, 0, data + at, Math.min(name.length, 255));
    }

    /** Sends it with the next flush; tells the result of success, or the reason of failure. */
    void send(final HostQueue queue, final int sqSize, final Consumer<String> failed, final LongConsumer connected) {
        final HostCommand command = queue.take().describe(Opcode.FABRICS, 0).fromHost(data, DATA_BYTES);
        final long sqe = command.sqe();
        Memory.putByte(sqe + FABRICS_TYPE, (byte) Opcode.FABRICS_CONNECT);
        Memory.putShort(sqe + QUEUE_ID, (short) queue.qid());
        Memory.putShort(sqe + SQ_SIZE, (short) sqSize);
        Memory.putByte(sqe + ATTRIBUTES, options.flowControl() ? 0 : FLOW_CONTROL_OFF);
        Memory.putInt(sqe + KEEP_ALIVE, queue.qid() == 0 ? options.keepAliveMs() : 0);
        command.whenDone(done -> {
            Memory.free(data);
            queue.give(done);
            if (done.status() == 0) {
                connected.accept(done.result());
            } else if (done.status() != HostQueue.HOST_PATH_ERROR) {
                failed.accept(FabricsCommands.failure("Connect of queue " + queue.qid(), done));
            }
        });
        queue.submit(command);
    }
}
