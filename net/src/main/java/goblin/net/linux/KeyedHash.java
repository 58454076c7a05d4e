// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/** SipHash-1-3: a keyed hash whose collisions cannot be found without the key. Immutable. */
final class KeyedHash {
    /** Keyed at random, once a process. */
    static final KeyedHash PROCESS = random();

    private static final VarHandle ARRAY_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long start0;
    private final long start1;
    private final long start2;
    private final long start3;

    KeyedHash(final long key0, final long key1) {
        // The constants are the algorithm's: "somepseudorandomlygeneratedbytes" as four big-endian words.
        start0 = key0 ^ 0x736F6D6570736575L;
        start1 = key1 ^ 0x646F72616E646F6DL;
        start2 = key0 ^ 0x6C7967656E657261L;
        start3 = key1 ^ 0x7465646279746573L;
    }

    private static KeyedHash random() {
        final SecureRandom random = new SecureRandom();
        return new KeyedHash(random.nextLong(), random.nextLong());
    }

    long hash(final long address, final int length) {
        long v0 = start0;
        long v1 = start1;
        long v2 = start2;
        long v3 = start3;
        final int words = length >>> 3;
        long last = (long) length << 56;
        for (int i = length & 7; i-- > 0; ) {
            last |= (Memory.getByte(address + (length & ~7) + i) & 0xFFL) << (i << 3);
        }
        // One pass more than there are words: the last one takes the tail. Four more rounds finish.
        for (int i = 0; i <= words + 3; i++) {
            final long word = i < words ? Memory.getLong(address + ((long) i << 3)) : i == words ? last : 0;
            if (i == words + 1) {
                v2 ^= 0xFF;
            }
            v3 ^= word;
            v0 += v1;
            v2 += v3;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 = Long.rotateLeft(v0, 32) + v3;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= word;
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    long hash(final byte[] bytes) {
        long v0 = start0;
        long v1 = start1;
        long v2 = start2;
        long v3 = start3;
        final int length = bytes.length;
        final int words = length >>> 3;
        long last = (long) length << 56;
        for (int i = length & 7; i-- > 0; ) {
            last |= (bytes[(length & ~7) + i] & 0xFFL) << (i << 3);
        }
        for (int i = 0; i <= words + 3; i++) {
            final long word = i < words ? (long) ARRAY_LONG.get(bytes, i << 3) : i == words ? last : 0;
            if (i == words + 1) {
                v2 ^= 0xFF;
            }
            v3 ^= word;
            v0 += v1;
            v2 += v3;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 = Long.rotateLeft(v0, 32) + v3;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= word;
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }
}
