// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.linux.Memory;

/** Bytes of a test in native memory of exactly their size. */
final class NativeBytes implements AutoCloseable {
    private final long block;
    private final int length;

    NativeBytes(final byte[] bytes) {
        length = bytes.length;
        block = Memory.allocate(Math.max(1, length));
        Memory.copyIn(bytes, 0, block, length);
    }

    /** One byte for each character; {@code ¶} stands for CR LF. */
    static NativeBytes of(final String text) {
        return new NativeBytes(wire(text));
    }

    static byte[] wire(final String text) {
        return text.replace("¶", "\r\n").getBytes(ISO_8859_1);
    }

    long address() {
        return block;
    }

    int length() {
        return length;
    }

    @Override
    public void close() {
        Memory.free(block);
    }
}
