// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/**
 * What a legal header looks like to one side of a connection. A verdict is {@link #LEGAL}, {@link #QUIET} or a fatal
 * error; {@link #status} and {@link #information} take it apart. Lengths are unsigned, sums in {@code long}.
 *
 * <p>Of several things wrong with one header this is named first: sequence, type, HLEN, HDGSTF, PLEN out of all bounds,
 * DDGSTF, PDO, PLEN against PDO; and once the header is whole: its digest, then its own fields in their order.
 */
final class PduRules {
    /** Nothing is wrong. */
    static final long LEGAL = 0;

    /** End without a termination request: a termination request is never answered by another. */
    static final long QUIET = -1;

    /** The longest legal header. */
    static final int MAX_HEADER_BYTES = IcReq.BYTES;

    private final boolean controller;
    private final long maxCapsuleData;
    private final long maxData;

    boolean headerDigest;
    boolean dataDigest;

    private boolean opened;
    private int alignmentBytes = 4;
    private long dataLength;
    private int padding;

    PduRules(final boolean controller, final long maxCapsuleData, final long maxData) {
        this.controller = controller;
        this.maxCapsuleData = maxCapsuleData;
        this.maxData = maxData;
    }

    static int status(final long verdict) {
        return verdict == QUIET ? TermReq.QUIET : (int) (verdict >>> 32);
    }

    static long information(final long verdict) {
        return verdict == QUIET ? 0 : verdict & 0xFFFF_FFFFL;
    }

    static long fatal(final int status, final long information) {
        return (long) status << 32 | information;
    }

    void alignment(final int alignment) {
        alignmentBytes = (alignment + 1) * 4;
    }

    /** Bytes of data of the header checked last. */
    long dataLength() {
        return dataLength;
    }

    /** Bytes between that header (with its digest) and its data. */
    int padding() {
        return padding;
    }

    /** Bytes of header digest behind a header of this type. */
    int headerDigestBytes(final int type) {
        return headerDigest && hasDigests(type) ? CommonHeader.DIGEST_BYTES : 0;
    }

    /** Bytes of data digest behind the data of the header checked last. */
    int dataDigestBytes(final int type) {
        return dataDigest && dataLength > 0 && hasDigests(type) ? CommonHeader.DIGEST_BYTES : 0;
    }

    /** Judges a common header, before the rest of the header is there. */
    long checkCommon(final long header) {
        final int type = CommonHeader.type(header);
        dataLength = 0;
        padding = 0;
        if (isOutOfSequence(type)) {
            return fatal(TermReq.SEQUENCE_ERROR, 0);
        }
        final int headerLength = headerLength(type);
        if (headerLength == 0) {
            return field(CommonHeader.TYPE_OFFSET);
        }
        if (isTermination(type)) {
            return checkTermination(header);
        }
        if (CommonHeader.headerLength(header) != headerLength) {
            return field(CommonHeader.HEADER_LENGTH_OFFSET);
        }
        if (!hasDigests(type)) {
            return CommonHeader.length(header) == headerLength ? LEGAL : field(CommonHeader.LENGTH_OFFSET);
        }
        if (CommonHeader.has(header, CommonHeader.HEADER_DIGEST) != headerDigest) {
            return field(CommonHeader.FLAGS_OFFSET);
        }
        return checkLengths(header, type, headerLength + headerDigestBytes(type));
    }

    /** Judges the fields behind the common header; its digest is right. */
    long checkSpecific(final long header, final int type) {
        return switch (type) {
            case PduType.IC_REQ, PduType.IC_RESP -> checkOpening(header, type);
            case PduType.H2C_DATA, PduType.C2H_DATA -> checkData(header);
            default -> LEGAL;
        };
    }

    private boolean isOutOfSequence(final int type) {
        if (type == (controller ? PduType.IC_REQ : PduType.IC_RESP)) {
            return opened;
        }
        // A controller may refuse our ICReq; a host that gives up before it gets no termination request in return.
        return !opened && type != (controller ? PduType.H2C_TERM_REQ : PduType.C2H_TERM_REQ);
    }

    /** HLEN of a type that this side may receive, else 0. */
    private int headerLength(final int type) {
        return switch (type) {
            case PduType.IC_REQ -> controller ? IcReq.BYTES : 0;
            case PduType.IC_RESP -> controller ? 0 : IcResp.BYTES;
            case PduType.H2C_TERM_REQ -> controller ? TermReq.BYTES : 0;
            case PduType.C2H_TERM_REQ -> controller ? 0 : TermReq.BYTES;
            case PduType.CAPSULE_CMD -> controller ? CapsuleCmd.BYTES : 0;
            case PduType.CAPSULE_RESP -> controller ? 0 : CapsuleResp.BYTES;
            case PduType.H2C_DATA -> controller ? DataPdu.BYTES : 0;
            case PduType.C2H_DATA -> controller ? 0 : DataPdu.BYTES;
            case PduType.R2T -> controller ? 0 : R2t.BYTES;
            default -> 0;
        };
    }

    private long checkTermination(final long header) {
        final long length = CommonHeader.length(header);
        if (CommonHeader.headerLength(header) != TermReq.BYTES
                || length < TermReq.BYTES
                || length > TermReq.MAX_BYTES) {
            return QUIET;
        }
        dataLength = length - TermReq.BYTES;
        return LEGAL;
    }

    private long checkLengths(final long header, final int type, final int headerEnd) {
        final long length = CommonHeader.length(header);
        final boolean hasData = length > headerEnd;
        final int digestBytes = dataDigest && hasData ? CommonHeader.DIGEST_BYTES : 0;
        final long most = maxDataLength(type);
        if (length < headerEnd
                || (hasData && (most == 0 || length > CommonHeader.MAX_DATA_OFFSET + most + digestBytes))) {
            return field(CommonHeader.LENGTH_OFFSET);
        }
        if (CommonHeader.has(header, CommonHeader.DATA_DIGEST) != (digestBytes != 0)) {
            return field(CommonHeader.FLAGS_OFFSET);
        }
        if (type == PduType.C2H_DATA
                && CommonHeader.has(header, CommonHeader.SUCCESS)
                && !CommonHeader.has(header, CommonHeader.LAST)) {
            return field(CommonHeader.FLAGS_OFFSET);
        }
        return hasData ? checkDataOffset(header, headerEnd, length, digestBytes, most) : LEGAL;
    }

    private long checkDataOffset(
            final long header, final int headerEnd, final long length, final int digestBytes, final long most) {
        final int offset = CommonHeader.dataOffset(header);
        if (offset < headerEnd
                || offset > Math.min(CommonHeader.MAX_DATA_OFFSET, length)
                || offset % alignmentBytes != 0) {
            return field(CommonHeader.DATA_OFFSET_OFFSET);
        }
        final long data = length - offset - digestBytes;
        if (data < 1 || data > most) {
            return field(CommonHeader.LENGTH_OFFSET);
        }
        dataLength = data;
        padding = offset - headerEnd;
        return LEGAL;
    }

    private long checkOpening(final long header, final int type) {
        final int version = type == PduType.IC_REQ ? IcReq.formatVersion(header) : IcResp.formatVersion(header);
        if (version != IcReq.FORMAT_VERSION) {
            return field(IcReq.FORMAT_VERSION_OFFSET);
        }
        final int alignment = type == PduType.IC_REQ ? IcReq.alignment(header) : IcResp.alignment(header);
        if (alignment > IcReq.MAX_ALIGNMENT) {
            return field(IcReq.ALIGNMENT_OFFSET);
        }
        opened = true;
        return LEGAL;
    }

    private long checkData(final long header) {
        final long length = DataPdu.length(header);
        if (DataPdu.offset(header) % 4 != 0) {
            return field(DataPdu.OFFSET_OFFSET);
        }
        if (length == 0 || length % 4 != 0) {
            return field(DataPdu.LENGTH_OFFSET);
        }
        return length == dataLength ? LEGAL : field(CommonHeader.LENGTH_OFFSET);
    }

    private long maxDataLength(final int type) {
        return switch (type) {
            case PduType.CAPSULE_CMD -> maxCapsuleData;
            case PduType.H2C_DATA, PduType.C2H_DATA -> maxData;
            default -> 0;
        };
    }

    private static boolean hasDigests(final int type) {
        return type >= PduType.CAPSULE_CMD;
    }

    static boolean isTermination(final int type) {
        return type == PduType.H2C_TERM_REQ || type == PduType.C2H_TERM_REQ;
    }

    private static long field(final int offset) {
        return fatal(TermReq.INVALID_HEADER_FIELD, offset);
    }
}
