// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

import goblin.net.linux.Memory;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.Status;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * The admin commands of an association's beginning and end, one at a time. A command that fails ends the association by
 * the consumer of reasons. Sends nothing by itself outside of completions: the caller flushes.
 */
final class FabricsCommands {
    static final int ANY_CONTROLLER = 0xFFFF;

    static final int CAP = 0x00;
    static final int VS = 0x08;
    static final int CC = 0x14;
    static final int CSTS = 0x1C;

    /** CC: enabled, NVM commands, entries of 64 and 16 bytes. */
    static final int ENABLE = 0x0046_0001;

    static final int NORMAL_SHUTDOWN = 1 << 14;
    static final int READY = 1;
    static final int FATAL = 2;
    static final int SHUTDOWN_STATUS = 3 << 2;
    static final int SHUTDOWN_COMPLETE = 2 << 2;
    static final long POLL_NS = 1_000_000;

    private static final int PAGE_BYTES = 4096;
    private static final int FABRICS_TYPE = 4;
    private static final int ATTRIBUTES = 40;
    private static final int PROPERTY = 44;
    private static final int VALUE = 48;
    private static final int NUMBER_OF_QUEUES = 7;

    private final HostQueue admin;
    private final Consumer<String> failed;
    private final long page = Memory.allocate(PAGE_BYTES);

    FabricsCommands(final HostQueue admin, final Consumer<String> failed) {
        this.admin = admin;
        this.failed = failed;
    }

    void get(final int property, final boolean eightBytes, final LongConsumer then) {
        final HostCommand command = fabrics(Opcode.FABRICS_PROPERTY_GET);
        Memory.putByte(command.sqe() + ATTRIBUTES, (byte) (eightBytes ? 1 : 0));
        Memory.putInt(command.sqe() + PROPERTY, property);
        submit(command, "Property Get", done -> then.accept(eightBytes ? done.result() : (int) done.result()));
    }

    void set(final int property, final int value, final Runnable then) {
        final HostCommand command = fabrics(Opcode.FABRICS_PROPERTY_SET);
        Memory.putInt(command.sqe() + PROPERTY, property);
        Memory.putLong(command.sqe() + VALUE, value & 0xFFFF_FFFFL);
        submit(command, "Property Set", done -> then.run());
    }

    /** Identify; the page is valid during the call. */
    void identify(final int cns, final int nsid, final LongConsumer then) {
        final HostCommand command = admin.take();
        command.describe(Opcode.IDENTIFY, nsid).dword(10, cns).toHost(page, PAGE_BYTES);
        submit(command, "Identify", done -> {
            if (done.received() != PAGE_BYTES) {
                failed.accept("Identify brought " + done.received() + " bytes");
            } else {
                then.accept(page);
            }
        });
    }

    /** Set Features, Number of Queues; tells how many I/O queues are granted. */
    void numberOfQueues(final int wanted, final IntConsumer then) {
        final HostCommand command = admin.take();
        final int both = (wanted - 1) << 16 | (wanted - 1);
        command.describe(Opcode.SET_FEATURES, 0).dword(10, NUMBER_OF_QUEUES).dword(11, both);
        submit(command, "Set Features", done -> {
            final int granted = (int) done.result();
            then.accept(Math.min(granted & 0xFFFF, granted >>> 16) + 1);
        });
    }

    private HostCommand fabrics(final int type) {
        final HostCommand command = admin.take().describe(Opcode.FABRICS, 0);
        Memory.putByte(command.sqe() + FABRICS_TYPE, (byte) type);
        return command;
    }

    private void submit(final HostCommand command, final String name, final Consumer<HostCommand> then) {
        command.whenDone(done -> {
            admin.give(done);
            if (done.status() == HostQueue.HOST_PATH_ERROR) {
                // The connection's end tells more.
                return;
            }
            if (done.status() != 0) {
                failed.accept(failure(name, done));
                return;
            }
            try {
                then.accept(done);
            } catch (final InitiatorException wrong) {
                failed.accept(wrong.getMessage());
            }
        });
        admin.submit(command);
    }

    /** A failed command in words. */
    static String failure(final String name, final HostCommand command) {
        final int status = command.status();
        return "%s fails with status %d/%02Xh%s, result %Xh"
                .formatted(
                        name,
                        Status.type(status),
                        Status.code(status),
                        (status & Status.DO_NOT_RETRY) == 0 ? "" : " (do not retry)",
                        command.result());
    }

    void freeMemory() {
        Memory.free(page);
    }
}
