// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.NativeBuffer;
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

    /** Writes an {@code INFO} reply with a section of our own behind the host's; anything else as it is. */
    void writeInfo(final ClientOutput output, final String section) {
        final byte type = bytes.isEmpty() ? 0 : Memory.getByte(bytes.address());
        final long head = lineLength() + 2;
        if ((type != '$' && type != '=') || bytes.length() < head + 2) {
            output.append(bytes.address(), bytes.length());
            return;
        }
        final long body = bytes.length() - head - 2;
        final boolean verbatim = type == '=';
        final boolean blank = body <= (verbatim ? VERBATIM_FORMAT.length() : 0);
        final String text = blank ? section : "\r\n" + section;
        final NativeBuffer whole = new NativeBuffer(bytes.length() + text.length());
        whole.appendByte(type);
        whole.appendDecimal(body + text.length());
        whole.appendAscii("\r\n");
        whole.append(bytes.address() + head, body);
        whole.appendAscii(text);
        whole.appendAscii("\r\n");
        output.append(whole.address(), whole.length());
        whole.free();
    }

    private long lineLength() {
        return bytes.isEmpty() ? 0 : Math.max(0, Memory.indexOf(bytes.address(), bytes.length(), (byte) '\r'));
    }
}
