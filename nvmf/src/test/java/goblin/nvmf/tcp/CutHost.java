// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The host's side of one connection of which only so many bytes of commands and data arrive. It answers what it is asked
 * for, several PDUs each, and keeps what it is sent.
 */
final class CutHost {
    private final MemoryNetwork.Wire wire;
    private final Pdus pdus;
    private final int piece;
    private final Map<Integer, byte[]> writes = new HashMap<>();
    private final Map<Integer, ByteArrayOutputStream> reads = new HashMap<>();
    private final Map<Integer, Integer> wholeAt = new HashMap<>();
    private final Map<Integer, Integer> statuses = new HashMap<>();
    private byte[] unread = {};
    private int budget = Integer.MAX_VALUE;
    private int sent;
    private long result = -1;

    CutHost(final MemoryNetwork.Wire wire, final boolean digests, final int piece) {
        this.wire = wire;
        this.piece = piece;
        pdus = new Pdus(digests, digests, 0);
        send(Pdus.with(Pdus.icReq(), 11, digests ? 3 : 0));
    }

    MemoryNetwork.Wire wire() {
        return wire;
    }

    /** Sends Connect. */
    void connect(final String subsystem, final int qid, final int controller, final long keepAliveMs) {
        final SqeBuilder sqe = SqeBuilder.connect(qid, 31, 4, keepAliveMs).sgl(SqeBuilder.IN_CAPSULE, 1024);
        command(sqe, 0, new ConnectData(subsystem).controllerId(controller).bytes());
    }

    /** From now on only so many bytes arrive. */
    void cutAfter(final int bytes) {
        budget = bytes;
        sent = 0;
    }

    /** How many bytes would have arrived since {@link #cutAfter}. */
    int sent() {
        return sent;
    }

    /** Whether a command and all its data arrived. */
    boolean arrivedWhole(final int cid) {
        return wholeAt.getOrDefault(cid, Integer.MAX_VALUE) <= budget;
    }

    /** The status of a command, -1 without one. */
    int status(final int cid) {
        return statuses.getOrDefault(cid, -1);
    }

    /** Dword 0 of the answer that came last. */
    long result() {
        return result;
    }

    /** What was read by a command so far. */
    byte[] read(final int cid) {
        return reads.containsKey(cid) ? reads.get(cid).toByteArray() : new byte[0];
    }

    /** Sends a command with data in its capsule, to be asked for, or none. */
    void command(final SqeBuilder sqe, final int cid, final byte[] data) {
        final byte[] entry = sqe.cid(cid).bytes();
        final boolean inCapsule = data.length > 0 && entry[39] == SqeBuilder.IN_CAPSULE;
        writes.put(cid, data);
        send(pdus.capsule(entry, inCapsule ? data : new byte[0]));
        if (inCapsule || data.length == 0) {
            wholeAt.put(cid, sent);
        }
    }

    private void send(final byte[] pdu) {
        final int arrives = Math.clamp(budget - sent, 0, pdu.length);
        for (int from = 0; from < arrives; from += piece) {
            wire.arrive(Arrays.copyOfRange(pdu, from, Math.min(arrives, from + piece)));
        }
        sent += pdu.length;
    }

    /** Takes what the target has sent, of a PDU that is not whole yet its data too, and answers R2Ts. */
    void takeSent() {
        final byte[] more = wire.takeSent();
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(unread);
        all.writeBytes(more);
        unread = all.toByteArray();
        int at = 0;
        while (unread.length - at >= 8 && unread.length - at >= length(at)) {
            take(Arrays.copyOfRange(unread, at, at + length(at)), true);
            at += length(at);
        }
        unread = Arrays.copyOfRange(unread, at, unread.length);
    }

    /** The connection is over: data of a PDU that did not come whole counts, too. */
    void takeRest() {
        takeSent();
        if (unread.length >= DataPdu.BYTES && unread[0] == PduType.C2H_DATA) {
            take(unread, false);
        }
    }

    private int length(final int at) {
        return ByteBuffer.wrap(unread).order(ByteOrder.LITTLE_ENDIAN).getInt(at + 4);
    }

    private void take(final byte[] pdu, final boolean whole) {
        final ByteBuffer bytes = ByteBuffer.wrap(pdu).order(ByteOrder.LITTLE_ENDIAN);
        switch (pdu[0]) {
            case PduType.IC_RESP -> {}
            case PduType.CAPSULE_RESP -> {
                result = bytes.getInt(8) & 0xFFFF_FFFFL;
                statuses.put(bytes.getShort(20) & 0xFFFF, (bytes.getShort(22) & 0xFFFF) >>> 1);
            }
            case PduType.R2T ->
                answer(bytes.getShort(8) & 0xFFFF, bytes.getShort(10) & 0xFFFF, bytes.getInt(12), bytes.getInt(16));
            case PduType.C2H_DATA -> {
                final int end = Math.min(pdu.length, pdu[3] + bytes.getInt(16));
                final int cid = bytes.getShort(8) & 0xFFFF;
                reads.computeIfAbsent(cid, key -> new ByteArrayOutputStream())
                        .writeBytes(Arrays.copyOfRange(pdu, Math.min(pdu[3], end), end));
                if (whole && (pdu[1] & CommonHeader.SUCCESS) != 0) {
                    statuses.put(cid, 0);
                }
            }
            default -> assertThat(PduType.name(pdu[0])).isEqualTo("a PDU of a controller");
        }
    }

    private void answer(final int cid, final int tag, final int offset, final int length) {
        final byte[] data = writes.get(cid);
        final int part = Math.max(4, length / 3 & ~3);
        for (int done = 0; done < length; done += part) {
            final int count = Math.min(part, length - done);
            final byte[] bytes = Arrays.copyOfRange(data, offset + done, offset + done + count);
            final int flags = done + count == length ? CommonHeader.LAST : 0;
            send(pdus.data(PduType.H2C_DATA, flags, cid, tag, offset + done, bytes));
        }
        if (offset + length == data.length) {
            wholeAt.put(cid, sent);
        }
    }
}
