// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;
import java.nio.charset.StandardCharsets;

/** The log pages of one length. Each method writes its page and gives back its length. */
final class FixedLogs {
    private static final int SUPPORTED_BYTES = 1024;
    private static final int FIRMWARE_BYTES = 512;
    private static final int LIST_BYTES = 4096;
    private static final int EFFECTS_BYTES = 4096;
    private static final int IDENTIFIERS = 256;
    private static final int IO_EFFECTS = 1024;

    // Commands Supported and Effects data structure.
    private static final int SUPPORTED = 1;
    private static final int CHANGES_BLOCKS = 1 << 1;

    private FixedLogs() {}

    static long supported(final VectorWriter writer, final boolean discovery) {
        for (int id = 0; id < IDENTIFIERS; id++) {
            if (LogPage.find(id, discovery) != null) {
                Memory.putInt(writer.part() + id * 4L, SUPPORTED);
            }
        }
        writer.send(0, SUPPORTED_BYTES);
        return SUPPORTED_BYTES;
    }

    static long errors(final VectorWriter writer, final ErrorLog errors) {
        errors.put(writer.part());
        final int length = ControllerPage.ERROR_ENTRIES * ErrorLog.ENTRY_BYTES;
        writer.send(0, length);
        return length;
    }

    static long smart(final VectorWriter writer, final Controller controller) {
        controller
                .subsystem()
                .smart()
                .put(writer.part(), System.nanoTime(), controller.errors().total());
        writer.send(0, SmartCounters.PAGE_BYTES);
        return SmartCounters.PAGE_BYTES;
    }

    static long firmware(final VectorWriter writer, final String revision) {
        // Slot 1 is active, and the only one.
        Memory.putByte(writer.part(), (byte) 1);
        final byte[] text = revision.getBytes(StandardCharsets.US_ASCII);
        Memory.fill(writer.part() + 8, 8, (byte) ' ');
        Memory.copyIn(text, 0, writer.part() + 8, text.length);
        writer.send(0, FIRMWARE_BYTES);
        return FIRMWARE_BYTES;
    }

    static long changed(final VectorWriter writer, final ChangedNamespaces changed) {
        if (changed.overflown()) {
            Memory.putInt(writer.part(), 0xFFFF_FFFF);
        } else {
            for (int i = 0; i < changed.count(); i++) {
                Memory.putInt(writer.part() + i * 4L, changed.nsid(i));
            }
        }
        writer.send(0, LIST_BYTES);
        return LIST_BYTES;
    }

    static long effects(final VectorWriter writer) {
        final long admin = writer.part();
        put(admin, Opcode.GET_LOG_PAGE, SUPPORTED);
        put(admin, Opcode.IDENTIFY, SUPPORTED);
        put(admin, Opcode.ABORT, SUPPORTED);
        put(admin, Opcode.SET_FEATURES, SUPPORTED);
        put(admin, Opcode.GET_FEATURES, SUPPORTED);
        put(admin, Opcode.ASYNC_EVENT_REQUEST, SUPPORTED);
        put(admin, Opcode.KEEP_ALIVE, SUPPORTED);
        put(admin, Opcode.FABRICS, SUPPORTED);
        final long io = admin + IO_EFFECTS;
        put(io, Opcode.FLUSH, SUPPORTED);
        put(io, Opcode.WRITE, SUPPORTED | CHANGES_BLOCKS);
        put(io, Opcode.READ, SUPPORTED);
        put(io, Opcode.COMPARE, SUPPORTED);
        put(io, Opcode.WRITE_ZEROES, SUPPORTED | CHANGES_BLOCKS);
        put(io, Opcode.DATASET_MANAGEMENT, SUPPORTED | CHANGES_BLOCKS);
        put(io, Opcode.VERIFY, SUPPORTED);
        put(io, Opcode.FABRICS, SUPPORTED);
        writer.send(0, EFFECTS_BYTES);
        return EFFECTS_BYTES;
    }

    private static void put(final long table, final int opcode, final int effects) {
        Memory.putInt(table + opcode * 4L, effects);
    }
}
