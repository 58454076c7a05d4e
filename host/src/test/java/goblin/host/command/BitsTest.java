// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.host.command.Bits.Operation;
import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class BitsTest {
    @Property(tries = 300)
    void shouldCountAndFindAsOneByOne(
            @ForAll @Size(min = 1, max = 40) byte[] data, @ForAll @IntRange(max = 319) int a, @ForAll boolean wanted) {
        int bits = data.length * 8;
        int from = a % bits;
        for (int to = from; to < bits; to += 7) {
            long ones = 0;
            long first = -1;
            for (int bit = from; bit <= to; bit++) {
                int value = Bits.get(data, data.length, bit);
                ones += value;
                first = first < 0 && value == (wanted ? 1 : 0) ? bit : first;
            }
            assertThat(Bits.count(data, from, to)).isEqualTo(ones);
            assertThat(Bits.find(data, from, to, wanted ? 1 : 0)).isEqualTo(first);
        }
    }

    @Property(tries = 300)
    void shouldReadBackWhatItWrote(
            @ForAll @IntRange(max = 100) int offset,
            @ForAll @IntRange(min = 1, max = 64) int bits,
            @ForAll long value) {
        byte[] data = new byte[24];
        Bits.setField(data, offset, bits, value);
        long mask = bits == 64 ? -1 : (1L << bits) - 1;
        assertThat(Bits.field(data, data.length, offset, bits)).isEqualTo(value & mask);
        assertThat(Bits.signedField(data, data.length, offset, bits)).isEqualTo(value << (64 - bits) >> (64 - bits));
        Bits.setField(data, offset, bits, 0);
        assertThat(data).containsOnly(0);
    }

    @Property(tries = 500)
    void shouldSeeOverflowAsUnboundedArithmeticDoes(
            @ForAll long value, @ForAll long increment, @ForAll @IntRange(min = 1, max = 64) int bits) {
        long fitting = value << (64 - bits) >> (64 - bits);
        BigInteger sum = BigInteger.valueOf(fitting).add(BigInteger.valueOf(increment));
        BigInteger limit = BigInteger.ONE.shiftLeft(bits - 1);
        int expected = sum.compareTo(limit) >= 0 ? 1 : sum.compareTo(limit.negate()) < 0 ? -1 : 0;
        assertThat(Bits.signedOverflow(fitting, increment, bits)).isEqualTo(expected);
        if (bits < 64) {
            long unsigned = value & ((1L << bits) - 1);
            BigInteger total = BigInteger.valueOf(unsigned).add(BigInteger.valueOf(increment));
            int side = total.signum() < 0 ? -1 : total.bitLength() > bits ? 1 : 0;
            assertThat(Bits.unsignedOverflow(unsigned, increment, bits)).isEqualTo(side);
        }
    }

    @Property(tries = 100)
    void shouldCombineShorterStringsAsIfFilledWithZeros(
            @ForAll @Size(max = 30) byte[] left, @ForAll @Size(max = 30) byte[] right) {
        byte[][] sources = {left, null, right};
        int length = Math.max(left.length, right.length);
        byte[] or = Bits.combine(Operation.OR, sources);
        byte[] xor = Bits.combine(Operation.XOR, new byte[][] {left, right});
        byte[] and = Bits.combine(Operation.AND, new byte[][] {left, right});
        assertThat(or).hasSize(length);
        assertThat(Bits.combine(Operation.AND, sources)).hasSize(length).doesNotContain(1, 2, 4, 8);
        for (int i = 0; i < length; i++) {
            int l = i < left.length ? left[i] : 0;
            int r = i < right.length ? right[i] : 0;
            assertThat(or[i]).isEqualTo((byte) (l | r));
            assertThat(xor[i]).isEqualTo((byte) (l ^ r));
            assertThat(and[i]).isEqualTo((byte) (l & r));
        }
    }

    @Test
    void shouldNegate() {
        assertThat(Bits.combine(Operation.NOT, new byte[][] {{0, -1, 5}})).containsExactly(-1, 0, -6);
        assertThat(Bits.combine(Operation.NOT, new byte[][] {null})).isEmpty();
    }
}
