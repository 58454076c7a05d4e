// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;
import java.util.function.LongConsumer;

/** Native memory for the length of a test. */
final class Native {
    private Native() {}

    /** Lets {@code writer} write over zeros and gives back what is there then. */
    static Bytes written(final int length, final LongConsumer writer) {
        final long memory = Memory.allocate(length);
        try {
            Memory.fill(memory, length, (byte) 0);
            writer.accept(memory);
            return new Bytes(Memory.toBytes(memory, length));
        } finally {
            Memory.free(memory);
        }
    }
}
