// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A command or a frame of which only numbers change from one publication to the next: the publication's own at the
 * beginning of its payload, and that of its name wherever {@link #NAME} stands.
 */
final class PublicationTemplate implements AutoCloseable {
    /** Stands in names for five digits. */
    static final String NAME = "#####";

    /** Digits at the beginning of a payload; shorter payloads have fewer. */
    static final int SEQUENCE_DIGITS = 12;

    private static final int CRLF_BYTES = 2;

    private final long address;
    private final int length;
    private final int sequenceAt;
    private final int sequenceDigits;
    private final int[] namesAt;

    /**
     * Takes its bytes, the last of which are the payload and a line end.
     *
     * @param bytes   the command or frame
     * @param payload bytes of its payload
     */
    PublicationTemplate(final byte[] bytes, final int payload) {
        length = bytes.length;
        sequenceAt = length - CRLF_BYTES - payload;
        sequenceDigits = Math.min(payload, SEQUENCE_DIGITS);
        namesAt = places(bytes, RespBytes.ascii(NAME));
        address = Memory.allocate(length);
        Memory.copyIn(bytes, 0, address, length);
    }

    int length() {
        return length;
    }

    /** Writes it with these numbers. */
    void write(final long at, final long sequence, final int name) {
        Memory.copy(address, at, length);
        digits(at + sequenceAt, sequenceDigits, sequence);
        for (final int place : namesAt) {
            digits(at + place, NAME.length(), name);
        }
    }

    @Override
    public void close() {
        Memory.free(address);
    }

    /** A name with its number in place. */
    static String name(final String template, final int number) {
        return template.replace(NAME, String.format(Locale.ROOT, "%0" + NAME.length() + "d", number));
    }

    private static void digits(final long at, final int count, final long value) {
        long rest = value;
        for (int i = count - 1; i >= 0; i--) {
            Memory.putByte(at + i, (byte) ('0' + rest % 10));
            rest /= 10;
        }
    }

    private static int[] places(final byte[] bytes, final byte[] wanted) {
        final List<Integer> places = new ArrayList<>();
        for (int i = 0; i + wanted.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                places.add(i);
            }
        }
        return places.stream().mapToInt(Integer::intValue).toArray();
    }
}
