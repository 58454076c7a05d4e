// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class MemoryTest {

    @Test
    void shouldStoreIntegersLittleEndianAtAnyAlignment() {
        final long block = Memory.allocate(32);
        try {
            for (int shift = 0; shift < 8; shift++) {
                Memory.putLong(block + shift, 0x0807060504030201L);
                assertThat(Memory.toBytes(block + shift, 8)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
                assertThat(Memory.getInt(block + shift)).isEqualTo(0x04030201);
                assertThat(Memory.getShort(block + shift)).isEqualTo((short) 0x0201);
                assertThat(Memory.getByte(block + shift)).isEqualTo((byte) 1);
            }
        } finally {
            Memory.free(block);
        }
    }

    @Test
    void shouldCountWhatIsAllocatedAndRefuseADoubleFree() {
        final long before = Memory.allocatedBytes();
        final long block = Memory.allocate(1000);
        assertThat(block & 15).isZero();
        assertThat(Memory.allocatedBytes() - before).isEqualTo(1000);
        final long moved = Memory.reallocate(block, 3000);
        assertThat(Memory.allocatedBytes() - before).isEqualTo(3000);
        Memory.free(moved);
        Memory.free(0);
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
        assertThatThrownBy(() -> Memory.allocate(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseABlockThatIsNotLive() {
        final long block = Memory.allocate(64);
        try {
            Memory.fill(block, 64, (byte) 0);
            assertThatThrownBy(() -> Memory.free(block + 16)).isInstanceOf(IllegalStateException.class);
        } finally {
            Memory.free(block);
        }
    }

    @Property
    void shouldCopyOverlappingRangesAsIfThroughACopy(
            @ForAll @Size(min = 64, max = 200) final byte[] bytes,
            @ForAll @IntRange(max = 32) final int from,
            @ForAll @IntRange(max = 32) final int to,
            @ForAll @IntRange(max = 32) final int length) {
        final long block = Memory.allocate(bytes.length);
        try {
            Memory.copyIn(bytes, 0, block, bytes.length);
            Memory.copy(block + from, block + to, length);
            final byte[] expected = bytes.clone();
            System.arraycopy(bytes, from, expected, to, length);
            assertThat(Memory.toBytes(block, bytes.length)).isEqualTo(expected);
        } finally {
            Memory.free(block);
        }
    }

    @Property
    void shouldFindTheFirstOccurrence(@ForAll @Size(max = 40) final byte[] bytes, @ForAll final byte value) {
        final long block = Memory.allocate(bytes.length + 1);
        try {
            Memory.copyIn(bytes, 0, block, bytes.length);
            // A match just behind the range must not be seen.
            Memory.putByte(block + bytes.length, value);
            int expected = -1;
            for (int i = bytes.length; i-- > 0; ) {
                expected = bytes[i] == value ? i : expected;
            }
            assertThat(Memory.indexOf(block, bytes.length, value)).isEqualTo(expected);
        } finally {
            Memory.free(block);
        }
    }

    @Property
    void shouldFindAByteBesideOneThatDiffersInItsLowestBit(
            @ForAll @IntRange(max = 20) final int at, @ForAll final byte value) {
        final long block = Memory.allocate(24);
        try {
            Memory.fill(block, 24, (byte) (value ^ 1));
            Memory.putByte(block + at, value);
            assertThat(Memory.indexOf(block, 24, value)).isEqualTo(at);
        } finally {
            Memory.free(block);
        }
    }

    @Property
    void shouldTellEqualFromDifferentBytes(
            @ForAll @Size(min = 1, max = 40) final byte[] bytes, @ForAll @IntRange(max = 39) final int where) {
        final long a = Memory.allocate(bytes.length);
        final long b = Memory.allocate(bytes.length);
        try {
            Memory.copyIn(bytes, 0, a, bytes.length);
            Memory.copyIn(bytes, 0, b, bytes.length);
            assertThat(Memory.equal(a, b, bytes.length)).isTrue();
            assertThat(Memory.equal(a, bytes, 0, bytes.length)).isTrue();
            final int at = where % bytes.length;
            Memory.putByte(b + at, (byte) (bytes[at] + 1));
            assertThat(Memory.equal(a, b, bytes.length)).isFalse();
            assertThat(Memory.equal(b, bytes, 0, bytes.length)).isFalse();
            assertThat(Memory.equal(a, b, at)).isTrue();
        } finally {
            Memory.free(a);
            Memory.free(b);
        }
    }

    @Property
    void shouldHashNativeBytesAndArraysAlike(@ForAll @Size(max = 70) final byte[] bytes) {
        final long block = Memory.allocate(bytes.length + 1);
        try {
            Memory.copyIn(bytes, 0, block + 1, bytes.length);
            assertThat(Memory.hash(block + 1, bytes.length)).isEqualTo(Memory.hash(bytes));
            final KeyedHash other = new KeyedHash(1, 2);
            assertThat(other.hash(block + 1, bytes.length)).isEqualTo(other.hash(bytes));
        } finally {
            Memory.free(block);
        }
    }

    @Test
    void shouldAgreeWithAnotherImplementationOfTheHash() {
        // Computed with CPython 3.11, whose bytes hash is SipHash-1-3, keyed with zeros (PYTHONHASHSEED=0).
        final KeyedHash hash = new KeyedHash(0, 0);
        assertThat(hash.hash(counting(1))).isEqualTo(7541581120933061747L);
        assertThat(hash.hash(counting(7))).isEqualTo(3389392686435873370L);
        assertThat(hash.hash(counting(8))).isEqualTo(-1525574692105212182L);
        assertThat(hash.hash(counting(15))).isEqualTo(-932606700130547222L);
        assertThat(hash.hash(counting(16))).isEqualTo(-8542738587087157833L);
        assertThat(hash.hash(counting(63))).isEqualTo(4061470857350050649L);
    }

    private static byte[] counting(final int length) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    @Test
    void shouldFillExactlyTheRange() {
        final long block = Memory.allocate(32);
        try {
            Memory.fill(block, 32, (byte) 0);
            Memory.fill(block + 3, 21, (byte) 0xAB);
            final byte[] expected = new byte[32];
            Arrays.fill(expected, 3, 24, (byte) 0xAB);
            assertThat(Memory.toBytes(block, 32)).isEqualTo(expected);
        } finally {
            Memory.free(block);
        }
    }
}
