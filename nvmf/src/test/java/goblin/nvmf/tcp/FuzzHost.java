// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.ReceiveSegment;
import goblin.nvmf.target.Cqe;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The host's side of one connection: reads all the target says, which must be legal PDUs that answer what was sent, and
 * remembers what data it is asked for.
 */
final class FuzzHost implements PduSink, AutoCloseable {
    /** What the target asked for. */
    record Wanted(int cid, int tag, long offset, long length) {}

    private static final long MAX_DATA = 1 << 20;

    private final MemoryNetwork.Wire wire;
    private final Pdus pdus;
    private final boolean headerDigest;
    private final boolean dataDigest;
    private final PduReader reader = PduReader.ofHost(this, new Crc32c(), MAX_DATA);
    private final Deque<Wanted> wanted = new ArrayDeque<>();
    private final int[] unanswered = new int[1 << 16];
    private final boolean[] damaged = new boolean[1 << 16];
    private boolean noise;
    private boolean mustEnd;
    private boolean ended;
    private int controllerId = -1;

    FuzzHost(final MemoryNetwork.Wire wire, final boolean headerDigest, final boolean dataDigest, final int alignment) {
        this.wire = wire;
        this.headerDigest = headerDigest;
        this.dataDigest = dataDigest;
        pdus = new Pdus(headerDigest, dataDigest, alignment);
    }

    MemoryNetwork.Wire wire() {
        return wire;
    }

    Pdus pdus() {
        return pdus;
    }

    /** What to send for an opening that agrees to our digests. */
    byte[] opening() {
        return Pdus.with(Pdus.icReq(), 11, (headerDigest ? 1 : 0) | (dataDigest ? 2 : 0));
    }

    /** The next R2T, or null. */
    Wanted next(final boolean taken) {
        return taken ? wanted.poll() : wanted.peek();
    }

    /** CNTLID of the Connect that succeeded last, else -1. */
    int controllerId() {
        return controllerId;
    }

    boolean hasDataDigest() {
        return dataDigest;
    }

    /** A command was sent; one whose data is damaged must not succeed. */
    void sent(final int cid, final boolean withDamage) {
        // Of two commands with one identifier nobody can tell which is answered.
        damaged[cid] = withDamage && unanswered[cid] == 0;
        unanswered[cid]++;
    }

    /** Whether data would be what was asked for. */
    boolean isWanted(final int cid, final int tag, final long offset, final int length, final boolean last) {
        return wanted.stream()
                .anyMatch(each -> each.cid() == cid
                        && each.tag() == tag
                        && each.offset() == offset
                        && (last ? each.length() == length : each.length() >= length));
    }

    /** What was sent now is a reason to end the connection. */
    void mustEnd() {
        mustEnd |= !noise && wire.isFromHostOpen();
    }

    /** All that was sent has been read: whatever had to end the connection did. */
    void check() {
        shouldHold(!mustEnd || noise || ended || !wire.isOpen(), "data that nobody asked for ends the connection");
    }

    /** From now on the target may see commands that we do not know of. */
    void noise() {
        noise = true;
    }

    /** Reads what the target has sent. */
    void read() {
        final byte[] bytes = wire.takeSent();
        if (bytes.length > 0) {
            shouldHold(!ended, "nothing is sent after a termination request");
            final NativeSegment segment = new NativeSegment(bytes, 0, bytes.length);
            shouldHold(
                    reader.read(segment, 0) == bytes.length || ended, "all that is sent is read by the host's reader");
            segment.release();
        }
    }

    @Override
    public boolean onHeader(final int type, final long header, final int headerLength, final long dataLength) {
        switch (type) {
            case PduType.IC_RESP -> {
                final int digests = IcResp.digests(header);
                // An opening of noise may agree to anything.
                reader.digests((digests & IcReq.HEADER_DIGEST) != 0, (digests & IcReq.DATA_DIGEST) != 0);
            }
            case PduType.CAPSULE_RESP -> {
                final long cqe = CapsuleResp.cqe(header);
                if (Cqe.status(cqe) == 0 && controllerId < 0) {
                    controllerId = (int) (Cqe.result(cqe) & 0xFFFF);
                }
                answered(Cqe.cid(cqe), Cqe.status(cqe) == 0);
            }
            case PduType.C2H_DATA -> {
                shouldHold(CommonHeader.has(header, CommonHeader.LAST), "one C2HData is the whole");
                if (CommonHeader.has(header, CommonHeader.SUCCESS)) {
                    answered(DataPdu.cid(header), true);
                }
            }
            case PduType.R2T -> {
                shouldHold(R2t.length(header) > 0, "no empty range is asked for");
                wanted.add(new Wanted(R2t.cid(header), R2t.tag(header), R2t.offset(header), R2t.length(header)));
            }
            case PduType.C2H_TERM_REQ -> {
                ended = true;
                final int status = TermReq.status(header);
                shouldHold(status >= 1 && status <= 6, "a termination request gives one of the reasons there are");
            }
            default -> throw new AssertionError(PduType.name(type));
        }
        return true;
    }

    private void answered(final int cid, final boolean succeeded) {
        shouldHold(noise || !succeeded || !damaged[cid], "a command whose data is damaged fails");
        damaged[cid] = false;
        unanswered[cid]--;
        shouldHold(noise || unanswered[cid] >= 0, "a command is answered once");
    }

    @Override
    public void onPayload(final ReceiveSegment segment, final long address, final int length) {
        // Whether the data is right is for other tests.
    }

    @Override
    public void onPduEnd(final boolean digestValid) {
        shouldHold(digestValid, "the target's data digests are right");
    }

    @Override
    public void onFatal(final int status, final long information, final long header, final int headerLength) {
        throw new AssertionError("the target sent a malformed PDU: " + status + "/" + information);
    }

    @Override
    public void close() {
        reader.close();
    }

    private static void shouldHold(final boolean condition, final String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
