// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.raw;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Makes any PDU of a host, well-formed or not. What is not said otherwise is as the specification wants it; {@link #u8},
 * {@link #u16} and {@link #u32} have the last word over the header, and a header digest is computed after them.
 */
public final class PduBuilder {
    private static final int DIGEST_BYTES = 4;

    private final byte[] header;
    private final List<Consumer<ByteBuffer>> changes = new ArrayList<>();
    private byte[] data = {};
    private int flags;
    private int dataOffset;
    private boolean headerDigest;
    private boolean dataDigest;
    private int headerDigestXor;
    private int dataDigestXor;

    private PduBuilder(final int type, final int headerBytes) {
        header = new byte[headerBytes];
        header[0] = (byte) type;
        header[2] = (byte) headerBytes;
    }

    /** A PDU of any type with a header of so many bytes. */
    public static PduBuilder pdu(final int type, final int headerBytes) {
        return new PduBuilder(type, headerBytes);
    }

    /** An initialization request. */
    public static PduBuilder icReq(final boolean headerDigest, final boolean dataDigest) {
        return pdu(RawPdu.IC_REQ, 128).u8(11, (headerDigest ? 1 : 0) | (dataDigest ? 2 : 0));
    }

    /** A command capsule without data. */
    public static PduBuilder capsule(final SqeBuilder sqe) {
        final PduBuilder capsule = pdu(RawPdu.COMMAND, 72);
        System.arraycopy(sqe.bytes(), 0, capsule.header, 8, 64);
        return capsule;
    }

    /** Data to the controller, LAST set. */
    public static PduBuilder h2cData(final int cid, final int tag, final long offset, final byte[] data) {
        return pdu(RawPdu.H2C_DATA, 24)
                .u16(8, cid)
                .u16(10, tag)
                .u32(12, offset)
                .u32(16, data.length)
                .flags(RawPdu.FLAG_LAST)
                .data(data);
    }

    /** A request to end the connection; the data is a copy of the header at fault. */
    public static PduBuilder termReq(final int status, final long information, final byte[] data) {
        return pdu(RawPdu.H2C_TERM, 24).u16(8, status).u32(10, information).data(data);
    }

    /** What follows the header. */
    public PduBuilder data(final byte[] bytes) {
        data = bytes;
        return this;
    }

    /** The flags besides those of the digests. */
    public PduBuilder flags(final int bits) {
        flags = bits;
        return this;
    }

    /** Where data begins, padding before it: PDO and the place itself. */
    public PduBuilder dataAt(final int offset) {
        dataOffset = offset;
        return this;
    }

    /** Adds the digests that were agreed on. */
    public PduBuilder digests(final boolean ofHeader, final boolean ofData) {
        headerDigest = ofHeader;
        dataDigest = ofData;
        return this;
    }

    /** Damages the header digest by these bits. */
    public PduBuilder damageHeaderDigest(final int bits) {
        headerDigestXor = bits;
        return this;
    }

    /** Damages the data digest by these bits. */
    public PduBuilder damageDataDigest(final int bits) {
        dataDigestXor = bits;
        return this;
    }

    /** Sets a byte of the header, whatever belongs there. */
    public PduBuilder u8(final int at, final int value) {
        changes.add(bytes -> bytes.put(at, (byte) value));
        return this;
    }

    /** Sets two bytes of the header, whatever belongs there. */
    public PduBuilder u16(final int at, final int value) {
        changes.add(bytes -> bytes.putShort(at, (short) value));
        return this;
    }

    /** Sets four bytes of the header, whatever belongs there. */
    public PduBuilder u32(final int at, final long value) {
        changes.add(bytes -> bytes.putInt(at, (int) value));
        return this;
    }

    /** The PDU's length. */
    public PduBuilder plen(final long value) {
        return u32(4, value);
    }

    /** The header's claim where data begins, whatever the truth. */
    public PduBuilder pdo(final int value) {
        return u8(3, value);
    }

    /** Everything that goes onto the wire. */
    public byte[] bytes() {
        final int afterHeader = header.length + (headerDigest ? DIGEST_BYTES : 0);
        final int dataBegin = data.length == 0 ? afterHeader : Math.max(afterHeader, dataOffset);
        final boolean digestOfData = dataDigest && data.length > 0;
        final int total = dataBegin + data.length + (digestOfData ? DIGEST_BYTES : 0);

        final byte[] bytes = new byte[total];
        final ByteBuffer wire = RawPdu.little(bytes);
        wire.put(0, header);
        wire.put(1, (byte) (flags
                | (headerDigest ? RawPdu.FLAG_HEADER_DIGEST : 0)
                | (digestOfData ? RawPdu.FLAG_DATA_DIGEST : 0)));
        wire.put(3, (byte) (data.length == 0 ? 0 : dataBegin));
        wire.putInt(4, total);
        changes.forEach(change -> change.accept(wire));
        if (headerDigest) {
            wire.putInt(header.length, crc(bytes, 0, header.length) ^ headerDigestXor);
        }
        wire.put(dataBegin, data);
        if (digestOfData) {
            wire.putInt(dataBegin + data.length, crc(bytes, dataBegin, data.length) ^ dataDigestXor);
        }
        return bytes;
    }

    static int crc(final byte[] bytes, final int offset, final int length) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }
}
