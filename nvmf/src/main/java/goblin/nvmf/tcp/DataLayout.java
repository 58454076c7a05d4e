// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/** Where header digest, padding, data and data digest of a PDU stand (TCP Transport specification, PDU structure). */
final class DataLayout {

    private DataLayout() {}

    /**
     * Where data begins at the earliest.
     *
     * @param headerEnd first byte after header and header digest
     * @param alignment HPDA or CPDA
     * @return PDO; past {@link CommonHeader#MAX_DATA_OFFSET} for some alignments that are no power of two less one
     */
    static int dataOffset(final int headerEnd, final int alignment) {
        final int unit = (alignment + 1) * 4;
        return (headerEnd + unit - 1) / unit * unit;
    }

    /** Writes a common header for a PDU with {@code dataLength} bytes of data; returns the bytes of padding. */
    static int put(
            final long pdu,
            final int type,
            final int flags,
            final int headerLength,
            final int alignment,
            final long dataLength) {
        final int headerEnd = headerLength + digestBytes(flags, CommonHeader.HEADER_DIGEST);
        if (dataLength == 0) {
            CommonHeader.put(pdu, type, flags & ~CommonHeader.DATA_DIGEST, headerLength, 0, headerEnd);
            return 0;
        }
        final int dataOffset = dataOffset(headerEnd, alignment);
        final long length = dataOffset + dataLength + digestBytes(flags, CommonHeader.DATA_DIGEST);
        CommonHeader.put(pdu, type, flags, headerLength, dataOffset, length);
        return dataOffset - headerEnd;
    }

    private static int digestBytes(final int flags, final int flag) {
        return (flags & flag) == 0 ? 0 : CommonHeader.DIGEST_BYTES;
    }
}
