// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.raw;

import java.nio.ByteBuffer;

/** Makes any submission queue entry. PSDT is 1 (SGLs) from the start. */
public final class SqeBuilder {
    /** The SGL type of data in the capsule. */
    public static final int IN_CAPSULE = 0x01;
    /** The SGL type of data that the transport moves. */
    public static final int TRANSPORT = 0x5A;

    private final byte[] bytes = new byte[64];
    private final ByteBuffer entry = RawPdu.little(bytes);

    private SqeBuilder() {}

    /** An entry of any opcode. */
    public static SqeBuilder opcode(final int opcode) {
        return new SqeBuilder().u8(0, opcode).u8(1, 0x40);
    }

    /** A fabrics command. */
    public static SqeBuilder fabrics(final int type) {
        return opcode(0x7F).u8(4, type);
    }

    /** The transport's SGL of a Connect, and its parameters. */
    public static SqeBuilder connect(final int qid, final int sqSize, final int attributes, final long keepAliveMs) {
        return fabrics(0x01).u16(42, qid).u16(44, sqSize).u8(46, attributes).u32(48, keepAliveMs);
    }

    /** Property Get of 4 or 8 bytes. */
    public static SqeBuilder propertyGet(final int offset, final int size) {
        return fabrics(0x04).u8(40, size == 8 ? 1 : 0).u32(44, offset);
    }

    /** Property Set of 4 bytes. */
    public static SqeBuilder propertySet(final int offset, final long value) {
        return fabrics(0x00).u32(44, offset).u64(48, value);
    }

    /** Identify. */
    public static SqeBuilder identify(final int cns, final int nsid) {
        return opcode(0x06).nsid(nsid).u8(40, cns).sgl(TRANSPORT, 4096);
    }

    /** Get Log Page of a multiple of 4 bytes. */
    public static SqeBuilder logPage(final int page, final int length, final long offset) {
        final int dwords = length / 4 - 1;
        return opcode(0x02)
                .nsid(0xFFFF_FFFF)
                .u8(40, page)
                .u16(42, dwords)
                .u16(44, dwords >>> 16)
                .u64(48, offset)
                .sgl(TRANSPORT, length);
    }

    /** Read or Write, Compare, Write Zeroes and Verify alike; the SGL is a thing of its own. */
    public static SqeBuilder io(final int opcode, final int nsid, final long firstBlock, final int blocks) {
        return opcode(opcode).nsid(nsid).u64(40, firstBlock).u16(48, blocks - 1);
    }

    /** The command's identifier. */
    public SqeBuilder cid(final int cid) {
        return u16(2, cid);
    }

    /** The namespace. */
    public SqeBuilder nsid(final int nsid) {
        return u32(4, nsid);
    }

    /** The SGL's type and length. */
    public SqeBuilder sgl(final int type, final long length) {
        return u32(32, length).u8(39, type);
    }

    /** One of the dwords 10 to 15. */
    public SqeBuilder dword(final int dword, final long value) {
        return u32(dword * 4, value);
    }

    /** Sets a byte. */
    public SqeBuilder u8(final int at, final int value) {
        entry.put(at, (byte) value);
        return this;
    }

    /** Sets two bytes. */
    public SqeBuilder u16(final int at, final int value) {
        entry.putShort(at, (short) value);
        return this;
    }

    /** Sets four bytes. */
    public SqeBuilder u32(final int at, final long value) {
        entry.putInt(at, (int) value);
        return this;
    }

    /** Sets eight bytes. */
    public SqeBuilder u64(final int at, final long value) {
        entry.putLong(at, value);
        return this;
    }

    int cid() {
        return entry.getShort(2) & 0xFFFF;
    }

    int sglType() {
        return entry.get(39) & 0xFF;
    }

    long sglLength() {
        return entry.getInt(32) & 0xFFFF_FFFFL;
    }

    /** The 64 bytes, not a copy. */
    public byte[] bytes() {
        return bytes;
    }
}
