// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

import goblin.net.linux.Memory;
import goblin.nvmf.tcp.CommonHeader;
import goblin.nvmf.tcp.Crc32c;
import goblin.nvmf.tcp.PduType;

/**
 * Cuts a target's bytes into PDUs, whatever pieces they come in: header (with digest and padding), data, data digest. What
 * breaks the rules of the transport ends as an {@link InitiatorException}. Owned by one loop.
 */
final class HostReader implements AutoCloseable {
    private static final int MOST_HEADER_BYTES = 256;

    private enum State {
        COMMON,
        HEADER,
        DATA,
        DIGEST
    }

    /** What a reader finds. */
    interface Sink {
        /** A whole header with its digest verified, and how many bytes of data follow. */
        void onHeader(long header, long dataLength);

        /** Some of the data, valid during the call. */
        void onData(long address, int length);

        /** The PDU is complete; whether its data is undamaged. */
        void onEnd(boolean intact);
    }

    private final Sink sink;
    private final Crc32c crc = new Crc32c();
    private final Crc32c headerCrc = new Crc32c();
    private final long header = Memory.allocate(MOST_HEADER_BYTES);
    private boolean headerDigest;
    private boolean dataDigest;
    private State state = State.COMMON;
    private int have;
    private int need = CommonHeader.BYTES;
    private long dataLeft;
    private long expected;

    HostReader(final Sink sink) {
        this.sink = sink;
    }

    void digests(final boolean ofHeader, final boolean ofData) {
        headerDigest = ofHeader;
        dataDigest = ofData;
    }

    void read(final long address, final int length) {
        int done = 0;
        while (done < length) {
            done += switch (state) {
                case COMMON, HEADER -> collect(address + done, length - done);
                case DATA -> data(address + done, length - done);
                case DIGEST -> digest(address + done, length - done);
            };
        }
    }

    private int collect(final long address, final int length) {
        final int part = Math.min(need - have, length);
        Memory.copy(address, header + have, part);
        have += part;
        if (have == need) {
            if (state == State.COMMON) {
                onCommonHeader();
            } else {
                onHeader();
            }
        }
        return part;
    }

    private boolean carriesDigests() {
        final int type = CommonHeader.type(header);
        return type != PduType.IC_RESP && type != PduType.C2H_TERM_REQ;
    }

    private int headerEnd() {
        return CommonHeader.headerLength(header) + (headerDigest && carriesDigests() ? CommonHeader.DIGEST_BYTES : 0);
    }

    private void onCommonHeader() {
        final int type = CommonHeader.type(header);
        final int least = switch (type) {
            case PduType.IC_RESP -> 128;
            case PduType.C2H_TERM_REQ, PduType.CAPSULE_RESP, PduType.C2H_DATA, PduType.R2T -> 24;
            default -> throw new InitiatorException("the target sent a PDU of type " + type);
        };
        final int headerLength = CommonHeader.headerLength(header);
        final long total = CommonHeader.length(header);
        final int end = headerEnd();
        if (headerLength != least || total < end) {
            throw broken("has HLEN " + headerLength + " and PLEN " + total);
        }
        if (carriesDigests() && CommonHeader.has(header, CommonHeader.HEADER_DIGEST) != headerDigest) {
            throw broken("has a header digest although none was agreed on, or none although one was");
        }
        need = end;
        final long tail = dataDigest && carriesDigests() ? CommonHeader.DIGEST_BYTES : 0;
        dataLeft = 0;
        if (type == PduType.C2H_DATA) {
            final int begin = CommonHeader.dataOffset(header);
            if (begin < end || begin + tail >= total) {
                throw broken("has PDO " + begin + " and PLEN " + total);
            }
            need = begin;
            dataLeft = total - begin - tail;
        } else if (type == PduType.C2H_TERM_REQ) {
            dataLeft = total - headerLength;
        } else if (total != end) {
            throw broken("has PLEN " + total);
        }
        state = State.HEADER;
    }

    private void onHeader() {
        if (headerDigest && carriesDigests()) {
            final int headerLength = CommonHeader.headerLength(header);
            if ((int) headerCrc.of(header, headerLength) != Memory.getInt(header + headerLength)) {
                throw broken("has a wrong header digest");
            }
        }
        crc.reset();
        sink.onHeader(header, dataLeft);
        if (dataLeft == 0) {
            end(true);
        } else {
            state = State.DATA;
        }
    }

    private int data(final long address, final int length) {
        final int part = (int) Math.min(dataLeft, length);
        if (dataDigest) {
            crc.update(address, part);
        }
        sink.onData(address, part);
        dataLeft -= part;
        if (dataLeft == 0) {
            if (dataDigest && carriesDigests()) {
                state = State.DIGEST;
                have = 0;
                expected = 0;
            } else {
                end(true);
            }
        }
        return part;
    }

    private int digest(final long address, final int length) {
        int done = 0;
        while (done < length && have < CommonHeader.DIGEST_BYTES) {
            expected |= (Memory.getByte(address + done) & 0xFFL) << (8 * have);
            have++;
            done++;
        }
        if (have == CommonHeader.DIGEST_BYTES) {
            end(crc.value() == expected);
        }
        return done;
    }

    private void end(final boolean intact) {
        state = State.COMMON;
        have = 0;
        need = CommonHeader.BYTES;
        sink.onEnd(intact);
    }

    private InitiatorException broken(final String how) {
        return new InitiatorException("the target's " + PduType.name(CommonHeader.type(header)) + ' ' + how);
    }

    @Override
    public void close() {
        Memory.free(header);
    }
}
