// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.Arrays;

/** The data of a Connect command (NVMe over Fabrics, Connect). */
final class ConnectData {
    static final int BYTES = 1024;
    static final int HOST_ID_AT = 0;
    static final int CONTROLLER_ID_AT = 16;
    static final int SUBSYSTEM_AT = 256;
    static final int HOST_AT = 512;

    static final int HOST_ID_BYTES = 16;
    private static final int NAME_BYTES = 256;

    final byte[] hostId;
    final int controllerId;
    /** Null when it does not end in its field, or is not UTF-8. */
    final String subsystem;
    /** The same. */
    final String host;
    /** For people, never null. */
    final String subsystemText;
    /** For people, never null. */
    final String hostText;

    ConnectData(final byte[] bytes) {
        hostId = Arrays.copyOfRange(bytes, HOST_ID_AT, HOST_ID_AT + HOST_ID_BYTES);
        controllerId = (bytes[CONTROLLER_ID_AT] & 0xFF) | (bytes[CONTROLLER_ID_AT + 1] & 0xFF) << 8;
        subsystem = Nqn.read(bytes, SUBSYSTEM_AT, NAME_BYTES);
        host = Nqn.read(bytes, HOST_AT, NAME_BYTES);
        subsystemText = Nqn.readPrintable(bytes, SUBSYSTEM_AT, NAME_BYTES);
        hostText = Nqn.readPrintable(bytes, HOST_AT, NAME_BYTES);
    }

    boolean hasHostId() {
        for (final byte b : hostId) {
            if (b != 0) {
                return true;
            }
        }
        return false;
    }
}
