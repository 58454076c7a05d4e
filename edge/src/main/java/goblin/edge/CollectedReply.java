// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.NativeBuffer;
import goblin.net.SharedBytes;
import goblin.net.linux.Memory;
import goblin.resp.Ascii;
import goblin.resp.Decimal;

/** A reply of the host that the edge itself must understand: kept whole, because it is small. */
final class CollectedReply {
    private static final int LONGEST_TEXT = 200;
    private static final String VERBATIM_FORMAT = "txt:";

    private final NativeBuffer bytes = new NativeBuffer();

    void append(final long address, final long length) {
        bytes.append(address, length);
    }

    void clear() {
        bytes.free();
    }

    /** An integer reply's value; 0 when it is none. */
    long integer() {
        final long length = lineLength() - 1;
        if (bytes.isEmpty() || Memory.getByte(bytes.address()) != ':' || !Decimal.isLong(bytes.address() + 1, length)) {
            return 0;
        }
        return Decimal.toLong(bytes.address() + 1, length);
    }

    /** The first line for a log, without its type byte. */
    String firstLine() {
        return bytes.isEmpty() ? "" : Ascii.text(bytes.address() + 1, (int) Math.min(LONGEST_TEXT, lineLength() - 1));
    }

    /**
     * Answers an {@code INFO}, whose slot is the client's first, when every loop has told its figures: the host's sections
     * and one of our own behind them; anything else as it is.
     */
    void writeInfo(final ClientSession client) {
        final EdgeLoops loops = client.edge().all();
        final ReplySlot slot = client.sequencer().keepFirst(client.edge().copyOf(bytes.address(), bytes.length()));
        EveryLoop.askAside(client, EdgeInfo::gauges, gauges -> {
            final NativeBuffer whole = withSection(slot.first, EdgeInfo.section(loops, gauges, slot.first.length()));
            client.sequencer().replace(slot, client.edge().copyOf(whole.address(), whole.length()));
            whole.free();
            client.answered(slot);
        });
    }

    private static NativeBuffer withSection(final SharedBytes reply, final String section) {
        final byte type = Memory.getByte(reply.address());
        final long head = Memory.indexOf(reply.address(), reply.length(), (byte) '\r') + 2;
        final NativeBuffer whole = new NativeBuffer(reply.length() + section.length());
        if ((type != '$' && type != '=') || reply.length() < head + 2) {
            whole.append(reply.address(), reply.length());
            return whole;
        }
        final long body = reply.length() - head - 2;
        final boolean blank = body <= (type == '=' ? VERBATIM_FORMAT.length() : 0);
        final String text = blank ? section : "\r\n" + section;
        whole.appendByte(type);
        whole.appendDecimal(body + text.length());
        whole.appendAscii("\r\n");
        whole.append(reply.address() + head, body);
        whole.appendAscii(text);
        whole.appendAscii("\r\n");
        return whole;
    }

    private long lineLength() {
        return bytes.isEmpty() ? 0 : Math.max(0, Memory.indexOf(bytes.address(), bytes.length(), (byte) '\r'));
    }
}
