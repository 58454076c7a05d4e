// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/** PDUs as bytes: legal ones by the flyweights, others by the caller's own changes before the digests are made. */
final class Pdus {
    private final boolean headerDigest;
    private final boolean dataDigest;
    private final int alignment;

    Pdus(final boolean headerDigest, final boolean dataDigest, final int alignment) {
        this.headerDigest = headerDigest;
        this.dataDigest = dataDigest;
        this.alignment = alignment;
    }

    static Pdus plain() {
        return new Pdus(false, false, 0);
    }

    static byte[] icReq() {
        return written(IcReq.BYTES, pdu -> {
            IcReq.put(pdu, 0, 0, 0);
        });
    }

    static byte[] icResp() {
        return written(IcResp.BYTES, pdu -> {
            IcResp.put(pdu, 0, 0, IcResp.MIN_MAX_DATA);
        });
    }

    static byte[] termReq(final int type, final int status, final long information, final byte[] data) {
        final byte[] header = written(TermReq.BYTES, pdu -> {
            TermReq.put(pdu, type, status, information, data.length);
        });
        return join(header, data);
    }

    byte[] capsule(final byte[] sqe, final byte[] data) {
        final byte[] header = written(CapsuleCmd.BYTES, pdu -> {
            Memory.copyIn(sqe, 0, CapsuleCmd.sqe(pdu), sqe.length);
            CapsuleCmd.putHeader(pdu, digests(), alignment, data.length);
        });
        return sealed(header, data);
    }

    byte[] capsuleResp(final byte[] cqe) {
        final byte[] header = written(CapsuleResp.BYTES, pdu -> {
            Memory.copyIn(cqe, 0, CapsuleResp.cqe(pdu), cqe.length);
            CapsuleResp.putHeader(pdu, digests());
        });
        return sealed(header, new byte[0]);
    }

    byte[] data(final int type, final int flags, final int cid, final int tag, final long offset, final byte[] data) {
        final byte[] header = written(
                DataPdu.BYTES,
                pdu -> DataPdu.put(pdu, type, flags | digests(), alignment, cid, tag, offset, data.length));
        return sealed(header, data);
    }

    byte[] r2t(final int cid, final int tag, final long offset, final long length) {
        final byte[] header = written(R2t.BYTES, pdu -> {
            R2t.put(pdu, digests(), cid, tag, offset, length);
        });
        return sealed(header, new byte[0]);
    }

    /** Header, its digest, padding that is not zero, data, its digest; both digests right for what is given. */
    byte[] sealed(final byte[] header, final byte[] data) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(header);
        if (headerDigest) {
            out.writeBytes(digest(header));
        }
        if (data.length > 0) {
            while (out.size() < (header[CommonHeader.DATA_OFFSET_OFFSET] & 0xFF)) {
                out.write(0xEE);
            }
            out.writeBytes(data);
            if (dataDigest) {
                out.writeBytes(digest(data));
            }
        }
        return out.toByteArray();
    }

    /** A PDU of usual HLEN whose header digest is made right again after a change. */
    byte[] resealed(final byte[] pdu) {
        final int headerLength = (pdu[0] & 0xFF) == PduType.CAPSULE_CMD ? CapsuleCmd.BYTES : DataPdu.BYTES;
        if (!headerDigest || pdu.length < headerLength + CommonHeader.DIGEST_BYTES) {
            return pdu;
        }
        final byte[] sealed = pdu.clone();
        System.arraycopy(digest(Arrays.copyOf(pdu, headerLength)), 0, sealed, headerLength, CommonHeader.DIGEST_BYTES);
        return sealed;
    }

    static byte[] join(final byte[]... parts) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (final byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** The bytes with one changed. */
    static byte[] with(final byte[] pdu, final int at, final int value) {
        final byte[] changed = pdu.clone();
        changed[at] = (byte) value;
        return changed;
    }

    /** The bytes with another PLEN. */
    static byte[] withLength(final byte[] pdu, final long length) {
        return with32(pdu, CommonHeader.LENGTH_OFFSET, length);
    }

    /** The bytes with another 32-bit number at some place. */
    static byte[] with32(final byte[] pdu, final int at, final long value) {
        final byte[] changed = pdu.clone();
        for (int i = 0; i < 4; i++) {
            changed[at + i] = (byte) (value >>> (8 * i));
        }
        return changed;
    }

    static byte[] digest(final byte[] bytes) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes);
        return with32(new byte[4], 0, crc.getValue());
    }

    /** What a flyweight writes, in memory that was not zero before. */
    static byte[] written(final int length, final LongConsumer writer) {
        final long block = Memory.allocate(length);
        Memory.fill(block, length, (byte) 0xA5);
        writer.accept(block);
        final byte[] bytes = Memory.toBytes(block, length);
        Memory.free(block);
        return bytes;
    }

    private int digests() {
        return (headerDigest ? CommonHeader.HEADER_DIGEST : 0) | (dataDigest ? CommonHeader.DATA_DIGEST : 0);
    }
}
