// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/** Opcodes of the commands we know by name (NVM Express Base and NVM Command Set specifications). */
public final class Opcode {
    // Admin

    /** Get Log Page. */
    public static final int GET_LOG_PAGE = 0x02;

    /** Identify. */
    public static final int IDENTIFY = 0x06;

    /** Abort. */
    public static final int ABORT = 0x08;

    /** Set Features. */
    public static final int SET_FEATURES = 0x09;

    /** Get Features. */
    public static final int GET_FEATURES = 0x0A;

    /** Asynchronous Event Request. */
    public static final int ASYNC_EVENT_REQUEST = 0x0C;

    /** Keep Alive. */
    public static final int KEEP_ALIVE = 0x18;

    /** Fabrics commands, on both kinds of queue; the type is in byte 4. */
    public static final int FABRICS = 0x7F;

    // I/O

    /** Flush. */
    public static final int FLUSH = 0x00;

    /** Write. */
    public static final int WRITE = 0x01;

    /** Read. */
    public static final int READ = 0x02;

    /** Compare. */
    public static final int COMPARE = 0x05;

    /** Write Zeroes. */
    public static final int WRITE_ZEROES = 0x08;

    /** Dataset Management. */
    public static final int DATASET_MANAGEMENT = 0x09;

    /** Verify. */
    public static final int VERIFY = 0x0C;

    // Fabrics command types

    /** Property Set. */
    public static final int FABRICS_PROPERTY_SET = 0x00;

    /** Connect. */
    public static final int FABRICS_CONNECT = 0x01;

    /** Property Get. */
    public static final int FABRICS_PROPERTY_GET = 0x04;

    /** Authentication Send. */
    public static final int FABRICS_AUTHENTICATION_SEND = 0x05;

    /** Authentication Receive. */
    public static final int FABRICS_AUTHENTICATION_RECEIVE = 0x06;

    /** Disconnect. */
    public static final int FABRICS_DISCONNECT = 0x08;

    private Opcode() {}
}
