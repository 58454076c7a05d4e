// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/** Byte 0 of every PDU (TCP Transport specification, PDU Type). */
public final class PduType {
    /** Initialize Connection Request, host to controller; see {@link IcReq}. */
    public static final int IC_REQ = 0x00;

    /** Initialize Connection Response, controller to host; see {@link IcResp}. */
    public static final int IC_RESP = 0x01;

    /** Host to Controller Terminate Connection Request; see {@link TermReq}. */
    public static final int H2C_TERM_REQ = 0x02;

    /** Controller to Host Terminate Connection Request; see {@link TermReq}. */
    public static final int C2H_TERM_REQ = 0x03;

    /** Command Capsule, host to controller; see {@link CapsuleCmd}. */
    public static final int CAPSULE_CMD = 0x04;

    /** Response Capsule, controller to host; see {@link CapsuleResp}. */
    public static final int CAPSULE_RESP = 0x05;

    /** Host to Controller Data Transfer; see {@link DataPdu}. */
    public static final int H2C_DATA = 0x06;

    /** Controller to Host Data Transfer; see {@link DataPdu}. */
    public static final int C2H_DATA = 0x07;

    /** Ready to Transfer, controller to host; see {@link R2t}. */
    public static final int R2T = 0x09;

    private PduType() {}

    /**
     * A type's name.
     *
     * @param type 0 to 255
     * @return for people
     */
    public static String name(final int type) {
        return switch (type) {
            case IC_REQ -> "ICReq";
            case IC_RESP -> "ICResp";
            case H2C_TERM_REQ -> "H2CTermReq";
            case C2H_TERM_REQ -> "C2HTermReq";
            case CAPSULE_CMD -> "CapsuleCmd";
            case CAPSULE_RESP -> "CapsuleResp";
            case H2C_DATA -> "H2CData";
            case C2H_DATA -> "C2HData";
            case R2T -> "R2T";
            default -> "type " + Integer.toHexString(type) + "h";
        };
    }
}
