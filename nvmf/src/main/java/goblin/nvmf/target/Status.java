// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/**
 * Completion statuses: the status type in bits 8 to 10, the code in bits 0 to 7, as the completion's status field holds
 * them above its phase bit.
 */
public final class Status {
    /** Successful Completion. */
    public static final int SUCCESS = 0x000;

    /** Invalid Command Opcode. */
    public static final int INVALID_OPCODE = 0x001;

    /** Invalid Field in Command. */
    public static final int INVALID_FIELD = 0x002;

    /** Command ID Conflict. */
    public static final int COMMAND_ID_CONFLICT = 0x003;

    /** Data Transfer Error. */
    public static final int DATA_TRANSFER_ERROR = 0x004;

    /** Internal Error. */
    public static final int INTERNAL_ERROR = 0x006;

    /** Command Abort Requested. */
    public static final int ABORTED_BY_REQUEST = 0x007;

    /** Command Aborted due to SQ Deletion. */
    public static final int ABORTED_SQ_DELETION = 0x008;

    /** Command Aborted due to Failed Fused Command. */
    public static final int ABORTED_FAILED_FUSED = 0x009;

    /** Command Aborted due to Missing Fused Command. */
    public static final int ABORTED_MISSING_FUSED = 0x00A;

    /** Invalid Namespace or Format. */
    public static final int INVALID_NAMESPACE = 0x00B;

    /** Command Sequence Error. */
    public static final int SEQUENCE_ERROR = 0x00C;

    /** Data SGL Length Invalid. */
    public static final int DATA_SGL_LENGTH_INVALID = 0x00F;

    /** SGL Descriptor Type Invalid. */
    public static final int SGL_TYPE_INVALID = 0x011;

    /** SGL Offset Invalid. */
    public static final int SGL_OFFSET_INVALID = 0x016;

    /** Keep Alive Timeout Invalid. */
    public static final int KEEP_ALIVE_INVALID = 0x01A;

    /** Namespace is Write Protected. */
    public static final int NAMESPACE_WRITE_PROTECTED = 0x020;

    /** Transient Transport Error: a data digest was wrong. */
    public static final int TRANSIENT_TRANSPORT_ERROR = 0x022;

    /** LBA Out of Range. */
    public static final int LBA_OUT_OF_RANGE = 0x080;

    /** Capacity Exceeded. */
    public static final int CAPACITY_EXCEEDED = 0x081;

    /** Invalid Queue Identifier. */
    public static final int INVALID_QUEUE_ID = 0x101;

    /** Abort Command Limit Exceeded. */
    public static final int ABORT_LIMIT_EXCEEDED = 0x103;

    /** Asynchronous Event Request Limit Exceeded. */
    public static final int AER_LIMIT_EXCEEDED = 0x105;

    /** Invalid Log Page. */
    public static final int INVALID_LOG_PAGE = 0x109;

    /** Feature Identifier Not Saveable. */
    public static final int FEATURE_NOT_SAVEABLE = 0x10D;

    /** Feature Not Changeable. */
    public static final int FEATURE_NOT_CHANGEABLE = 0x10E;

    /** Feature Not Namespace Specific. */
    public static final int FEATURE_NOT_NAMESPACE_SPECIFIC = 0x10F;

    /** Connect: Incompatible Format. */
    public static final int CONNECT_INCOMPATIBLE_FORMAT = 0x180;

    /** Connect: Controller Busy. */
    public static final int CONNECT_CONTROLLER_BUSY = 0x181;

    /** Connect: Invalid Parameters. */
    public static final int CONNECT_INVALID_PARAMETERS = 0x182;

    /** Connect: Restart Discovery. */
    public static final int CONNECT_RESTART_DISCOVERY = 0x183;

    /** Connect: Invalid Host. */
    public static final int CONNECT_INVALID_HOST = 0x184;

    /** Invalid Queue Type. */
    public static final int INVALID_QUEUE_TYPE = 0x185;

    /** Authentication Required. */
    public static final int AUTHENTICATION_REQUIRED = 0x191;

    /** Write Fault. */
    public static final int WRITE_FAULT = 0x280;

    /** Unrecovered Read Error. */
    public static final int UNRECOVERED_READ_ERROR = 0x281;

    /** Compare Failure. */
    public static final int COMPARE_FAILURE = 0x285;

    /** Asymmetric Access Persistent Loss. */
    public static final int ANA_PERSISTENT_LOSS = 0x301;

    /** Asymmetric Access Inaccessible. */
    public static final int ANA_INACCESSIBLE = 0x302;

    /** Asymmetric Access Transition. */
    public static final int ANA_TRANSITION = 0x303;

    /** Added to a status: the same command would fail again (Do Not Retry). */
    public static final int DO_NOT_RETRY = 0x4000;

    /**
     * The status type.
     *
     * @param status a constant of this class, with or without {@link #DO_NOT_RETRY}
     * @return 0 generic, 1 command specific, 2 media, 3 path
     */
    public static int type(final int status) {
        return (status >>> 8) & 7;
    }

    /**
     * The status code within its type.
     *
     * @param status a constant of this class, with or without {@link #DO_NOT_RETRY}
     * @return 0 to 255
     */
    public static int code(final int status) {
        return status & 0xFF;
    }

    private Status() {}
}
