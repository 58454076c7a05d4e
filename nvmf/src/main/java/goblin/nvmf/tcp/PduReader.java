// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;

/**
 * Cuts a received stream into PDUs, whatever pieces it comes in, and checks every header and digest. It is a state machine
 * that works on the segments where they lie: only a header that is split, or that its sink does not want yet, is copied.
 * Its work is linear in the bytes read; it allocates nothing after construction.
 *
 * <p>The same reader serves both sides: {@link #ofController} reads what hosts send, {@link #ofHost} what controllers send.
 * After a termination request has been read nothing more is accepted. Used by one thread at a time.
 */
public final class PduReader implements AutoCloseable {

    /** Where in a PDU the reader stands. */
    public enum State {
        /** In the first 8 bytes, or between two PDUs. */
        COMMON_HEADER,
        /** In the rest of the header, or in its digest. */
        SPECIFIC_HEADER,
        /** The header is whole, the sink did not want it yet. */
        OFFERED,
        /** Between the header and the data. */
        PADDING,
        /** In the data. */
        PAYLOAD,
        /** In the digest of the data. */
        DATA_DIGEST,
        /** After a fatal error, a termination request or {@link PduReader#close}: nothing more is read. */
        FAILED
    }

    private final PduSink sink;
    private final Crc32c crc;
    private final PduRules rules;

    /** Holds a header that was split or not wanted yet, and its digest; 0 once given back. */
    private long buffer;

    private State state = State.COMMON_HEADER;
    /** Bytes in the buffer. */
    private int buffered;
    /** The type, HLEN and digest bytes of the PDU whose common header was read last. */
    private int type;

    private int headerLength;
    private int headerDigestBytes;

    private long remainingData;
    private int remainingPadding;
    private int digestBytes;
    private int digest;

    private boolean reading;
    private boolean closed;

    private PduReader(final PduSink sink, final Crc32c crc, final PduRules rules) {
        this.sink = sink;
        this.crc = crc;
        this.rules = rules;
        buffer = Memory.allocate(PduRules.MAX_HEADER_BYTES + CommonHeader.DIGEST_BYTES);
    }

    /**
     * Makes a reader of a host's stream.
     *
     * @param sink           told what is found
     * @param crc            for the digests of this stream alone
     * @param maxCapsuleData a capsule with more data is refused as soon as its length is read (FES 1, FEI 4); the limits
     *                       a queue announces are the sink's concern
     * @param maxData        the same for H2CData
     * @return the reader, which the caller closes
     */
    public static PduReader ofController(
            final PduSink sink, final Crc32c crc, final long maxCapsuleData, final long maxData) {
        return new PduReader(sink, crc, new PduRules(true, maxCapsuleData, maxData));
    }

    /**
     * Makes a reader of a controller's stream.
     *
     * @param sink    told what is found
     * @param crc     for the digests of this stream alone
     * @param maxData C2HData with more is refused as soon as its length is read
     * @return the reader, which the caller closes
     */
    public static PduReader ofHost(final PduSink sink, final Crc32c crc, final long maxData) {
        return new PduReader(sink, crc, new PduRules(false, 0, maxData));
    }

    /**
     * Says which digests are in use, from the next PDU on. None before the first call.
     *
     * @param header whether headers have digests
     * @param data   whether data has digests
     */
    public void digests(final boolean header, final boolean data) {
        rules.headerDigest = header;
        rules.dataDigest = data;
    }

    /**
     * Says how data is to be aligned in PDUs of this stream, from the next PDU on.
     *
     * @param alignment CPDA in a host's stream, HPDA in a controller's: dwords less one, 0 (as before the first call) to
     *                  {@link IcReq#MAX_ALIGNMENT}
     */
    public void alignment(final int alignment) {
        rules.alignment(alignment);
    }

    /**
     * Reads the rest of a segment.
     *
     * @param segment held by the caller
     * @param offset  where to begin, 0 to its length
     * @return bytes read: all of them unless the sink wanted to wait or the stream failed, see {@link #stopped}
     */
    public int read(final ReceiveSegment segment, final int offset) {
        final long start = segment.address() + offset;
        final long end = segment.address() + segment.length();
        long at = start;
        reading = true;
        try {
            if (state == State.OFFERED) {
                offer(buffer);
            }
            while (at < end && !stopped()) {
                at = step(segment, at, end);
            }
        } finally {
            doneReading();
        }
        return (int) (at - start);
    }

    /**
     * Offers the sink once more the header it did not want. Does nothing when there is none.
     *
     * @return whether {@link #read} would go on now
     */
    public boolean resume() {
        if (state == State.OFFERED) {
            reading = true;
            try {
                offer(buffer);
            } finally {
                doneReading();
            }
        }
        return !stopped();
    }

    /**
     * Tells whether the reader stands still.
     *
     * @return true while a header waits for the sink, and for ever after a failure
     */
    public boolean stopped() {
        return state == State.OFFERED || state == State.FAILED;
    }

    /**
     * Where the reader stands.
     *
     * @return never null
     */
    public State state() {
        return state;
    }

    /**
     * How much data of the current PDU is still to come.
     *
     * @return bytes; 0 when no header was accepted or all its data was read
     */
    public long remainingData() {
        return remainingData;
    }

    /** Bytes of the current PDU's header that are here while it is not whole. */
    int bufferedHeader() {
        return buffered;
    }

    /** Bytes of the data digest that are still to come while it is being read. */
    int remainingDigest() {
        return digestBytes;
    }

    /** Accepts nothing more and gives the reader's memory back, at the latest when the callback returns. Idempotent. */
    @Override
    public void close() {
        state = State.FAILED;
        closed = true;
        if (!reading) {
            freeBuffer();
        }
    }

    private void doneReading() {
        reading = false;
        if (closed) {
            freeBuffer();
        }
    }

    private void freeBuffer() {
        Memory.free(buffer);
        buffer = 0;
    }

    private long step(final ReceiveSegment segment, final long at, final long end) {
        return switch (state) {
            case COMMON_HEADER -> commonHeader(at, end);
            case SPECIFIC_HEADER -> specificHeader(at, end);
            case PADDING -> padding(at, end);
            case PAYLOAD -> payload(segment, at, end);
            case DATA_DIGEST -> dataDigest(at, end);
            case OFFERED, FAILED -> throw new IllegalStateException("nothing is read in state " + state);
        };
    }

    private long commonHeader(final long at, final long end) {
        if (buffered == 0 && end - at >= CommonHeader.BYTES) {
            if (!acceptCommonHeader(at)) {
                return at + CommonHeader.BYTES;
            }
            final int length = headerLength + headerDigestBytes;
            if (end - at >= length) {
                wholeHeader(at);
                return at + length;
            }
            state = State.SPECIFIC_HEADER;
            return gather(at, end, length);
        }
        final long next = gather(at, end, CommonHeader.BYTES);
        if (buffered == CommonHeader.BYTES && acceptCommonHeader(buffer)) {
            state = State.SPECIFIC_HEADER;
        }
        return next;
    }

    private long specificHeader(final long at, final long end) {
        final int length = headerLength + headerDigestBytes;
        final long next = gather(at, end, length);
        if (buffered == length) {
            wholeHeader(buffer);
        }
        return next;
    }

    /** Copies until the buffer holds {@code length} bytes. */
    private long gather(final long at, final long end, final int length) {
        final int count = (int) Math.min(length - buffered, end - at);
        Memory.copy(at, buffer + buffered, count);
        buffered += count;
        return at + count;
    }

    private boolean acceptCommonHeader(final long header) {
        final long verdict = rules.checkCommon(header);
        if (verdict != PduRules.LEGAL) {
            fail(verdict, header, CommonHeader.BYTES);
            return false;
        }
        type = CommonHeader.type(header);
        headerLength = CommonHeader.headerLength(header);
        headerDigestBytes = rules.headerDigestBytes(type);
        return true;
    }

    private void wholeHeader(final long header) {
        if (headerDigestBytes != 0) {
            final long received = Memory.getInt(header + headerLength) & 0xFFFF_FFFFL;
            if (crc.of(header, headerLength) != received) {
                fail(PduRules.fatal(TermReq.HEADER_DIGEST_ERROR, received), header, headerLength);
                return;
            }
        }
        final long verdict = rules.checkSpecific(header, type);
        if (verdict != PduRules.LEGAL) {
            fail(verdict, header, headerLength);
            return;
        }
        // What the sink agrees to in onHeader counts from the next PDU on.
        digestBytes = rules.dataDigestBytes(type);
        offer(header);
    }

    private void offer(final long header) {
        final boolean taken = sink.onHeader(type, header, headerLength, rules.dataLength());
        if (state == State.FAILED) {
            return;
        }
        if (!taken) {
            if (header != buffer) {
                Memory.copy(header, buffer, headerLength);
            }
            state = State.OFFERED;
            return;
        }
        buffered = 0;
        remainingData = rules.dataLength();
        remainingPadding = rules.padding();
        if (remainingData == 0) {
            endPdu(true);
        } else {
            crc.reset();
            state = remainingPadding > 0 ? State.PADDING : State.PAYLOAD;
        }
    }

    private long padding(final long at, final long end) {
        final int count = (int) Math.min(remainingPadding, end - at);
        remainingPadding -= count;
        if (remainingPadding == 0) {
            state = State.PAYLOAD;
        }
        return at + count;
    }

    private long payload(final ReceiveSegment segment, final long at, final long end) {
        final int count = (int) Math.min(remainingData, end - at);
        if (digestBytes != 0) {
            crc.update(at, count);
        }
        remainingData -= count;
        sink.onPayload(segment, at, count);
        if (remainingData == 0 && state != State.FAILED) {
            if (digestBytes == 0) {
                endPdu(true);
            } else {
                digest = 0;
                state = State.DATA_DIGEST;
            }
        }
        return at + count;
    }

    private long dataDigest(final long at, final long end) {
        long next = at;
        while (digestBytes > 0 && next < end) {
            digest |= (Memory.getByte(next) & 0xFF) << (8 * (CommonHeader.DIGEST_BYTES - digestBytes));
            digestBytes--;
            next++;
        }
        if (digestBytes == 0) {
            endPdu(crc.value() == (digest & 0xFFFF_FFFFL));
        }
        return next;
    }

    private void endPdu(final boolean digestValid) {
        state = PduRules.isTermination(type) ? State.FAILED : State.COMMON_HEADER;
        sink.onPduEnd(digestValid);
    }

    private void fail(final long verdict, final long header, final int length) {
        state = State.FAILED;
        sink.onFatal(PduRules.status(verdict), PduRules.information(verdict), header, length);
    }
}
