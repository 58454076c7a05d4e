// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.Arrays;

/**
 * {@code publisher:channel:sequence:} and filling bytes that follow from the sequence, so that a changed byte is seen.
 *
 * @param publisher its number
 * @param channel   its number
 * @param sequence  of that publisher in that channel
 */
record SoakPayload(int publisher, int channel, long sequence) {
    private static final int SMALL = 120;
    private static final int MIDDLE = 20_000;
    private static final int LARGE = 300_000;

    byte[] encode() {
        final byte[] head = RespBytes.ascii(publisher + ":" + channel + ":" + sequence + ":");
        final byte[] bytes = Arrays.copyOf(head, head.length + filling());
        Arrays.fill(bytes, head.length, bytes.length, letter());
        return bytes;
    }

    /** Mostly small ones, some beyond a socket's segment, a few beyond the ring of a subscriber. */
    private int filling() {
        final long mixed = (sequence * 31 + channel) * 17 + publisher;
        if (mixed % 4001 == 0) {
            return LARGE;
        }
        return mixed % 301 == 0 ? MIDDLE : (int) (mixed % SMALL);
    }

    private byte letter() {
        return (byte) ('a' + sequence % 26);
    }

    static SoakPayload decode(final byte[] bytes) throws Failure {
        final long[] numbers = new long[3];
        int position = 0;
        for (int i = 0; i < numbers.length; i++) {
            while (position < bytes.length && bytes[position] >= '0' && bytes[position] <= '9') {
                numbers[i] = numbers[i] * 10 + bytes[position++] - '0';
            }
            if (position == bytes.length || bytes[position++] != ':') {
                throw new Failure("payload '" + RespBytes.printable(bytes) + "' is nobody's");
            }
        }
        final SoakPayload payload = new SoakPayload((int) numbers[0], (int) numbers[1], numbers[2]);
        if (bytes.length - position != payload.filling()) {
            throw new Failure("payload of " + payload + " has " + bytes.length + " bytes");
        }
        for (; position < bytes.length; position++) {
            if (bytes[position] != payload.letter()) {
                throw new Failure("payload of " + payload + " was changed at byte " + position);
            }
        }
        return payload;
    }
}
