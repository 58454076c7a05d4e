// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.raw;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A PDU that arrived, its digests already checked. */
public final class RawPdu {
    static final int IC_REQ = 0x00;
    static final int IC_RESP = 0x01;
    static final int H2C_TERM = 0x02;
    static final int C2H_TERM = 0x03;
    static final int COMMAND = 0x04;
    static final int RESPONSE = 0x05;
    static final int H2C_DATA = 0x06;
    static final int C2H_DATA = 0x07;
    static final int R2T = 0x09;

    static final int FLAG_HEADER_DIGEST = 1;
    static final int FLAG_DATA_DIGEST = 2;
    static final int FLAG_LAST = 4;
    static final int FLAG_SUCCESS = 8;

    private final byte[] header;
    private final byte[] data;

    RawPdu(final byte[] header, final byte[] data) {
        this.header = header;
        this.data = data;
    }

    /** The header, HLEN bytes, not a copy. */
    public byte[] header() {
        return header;
    }

    /** What followed it, padding and digests taken off; empty when there was nothing. Not a copy. */
    public byte[] data() {
        return data;
    }

    /** The PDU's type. */
    public int type() {
        return u8(0);
    }

    /** Its flags. */
    public int flags() {
        return u8(1);
    }

    boolean last() {
        return (flags() & FLAG_LAST) != 0;
    }

    boolean success() {
        return (flags() & FLAG_SUCCESS) != 0;
    }

    /** A byte of the header. */
    public int u8(final int at) {
        return header[at] & 0xFF;
    }

    /** Two bytes of the header. */
    public int u16(final int at) {
        return little(header).getShort(at) & 0xFFFF;
    }

    /** Four bytes of the header. */
    public long u32(final int at) {
        return little(header).getInt(at) & 0xFFFF_FFFFL;
    }

    /** Eight bytes of the header. */
    public long u64(final int at) {
        return little(header).getLong(at);
    }

    /** Bytes as the wire counts them. */
    public static ByteBuffer little(final byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public String toString() {
        return "PDU of type %02Xh, flags %02Xh, %d bytes of data".formatted(type(), flags(), data.length);
    }
}
