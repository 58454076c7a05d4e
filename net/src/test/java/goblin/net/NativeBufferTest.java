// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.linux.Memory;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class NativeBufferTest {
    private final NativeBuffer buffer = new NativeBuffer();

    @AfterEach
    void free() {
        buffer.free();
    }

    @Test
    void shouldHoldNoMemoryBeforeUseAndAfterFree() {
        final long before = Memory.allocatedBytes();
        assertThat(buffer.capacity()).isZero();
        buffer.appendByte((byte) 'x');
        assertThat(Memory.allocatedBytes() - before).isEqualTo(buffer.capacity());
        buffer.free();
        buffer.free();
        assertThat(buffer.capacity()).isZero();
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
        buffer.appendAscii("again");
        assertThat(buffer.toBytes()).asString(ISO_8859_1).isEqualTo("again");
    }

    @Property
    void shouldPrintEveryNumberAsJavaDoes(@ForAll final long value) {
        final NativeBuffer digits = new NativeBuffer();
        digits.appendDecimal(value);
        assertThat(digits.toBytes()).asString(ISO_8859_1).isEqualTo(Long.toString(value));
        digits.free();
    }

    @Test
    void shouldPrintTheNumbersAtTheEdges() {
        long power = 1;
        for (int i = 0; i < 19; i++) {
            for (final long value : new long[] {power - 1, power, -power, 1 - power}) {
                buffer.clear();
                buffer.appendDecimal(value);
                assertThat(buffer.toBytes()).asString(ISO_8859_1).isEqualTo(Long.toString(value));
            }
            power *= 10;
        }
        for (final long value : new long[] {Long.MIN_VALUE, Long.MAX_VALUE}) {
            buffer.clear();
            buffer.appendDecimal(value);
            assertThat(buffer.toBytes()).asString(ISO_8859_1).isEqualTo(Long.toString(value));
        }
    }

    @Property
    void shouldBehaveLikeAnArrayThatGrowsAndIsEatenFromTheFront(
            @ForAll @Size(max = 60) final List<@Size(max = 300) byte[]> pieces, @ForAll final long seed) {
        final NativeBuffer actual = new NativeBuffer();
        byte[] expected = new byte[0];
        long random = seed;
        for (final byte[] piece : pieces) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            actual.append(piece);
            final ByteArrayOutputStream joined = new ByteArrayOutputStream();
            joined.writeBytes(expected);
            joined.writeBytes(piece);
            expected = joined.toByteArray();
            final int eaten = (int) ((random >>> 33) % (expected.length + 1));
            actual.consume(eaten);
            expected = Arrays.copyOfRange(expected, eaten, expected.length);
            assertThat(actual.length()).isEqualTo(expected.length);
            assertThat(actual.toBytes()).isEqualTo(expected);
        }
        actual.free();
    }

    @Test
    void shouldNotGrowWhenBytesAreConsumedAsFastAsTheyCome() {
        final byte[] piece = new byte[100];
        for (int i = 0; i < 10_000; i++) {
            buffer.append(piece);
            buffer.append(piece);
            buffer.consume(i == 0 ? 150 : 200);
        }
        assertThat(buffer.length()).isEqualTo(50);
        assertThat(buffer.capacity()).isLessThan(2_000);
    }

    @Test
    void shouldTakeInWhatWasWrittenInPlace() {
        buffer.appendAscii("ab");
        Memory.putByte(buffer.ensure(100), (byte) 'c');
        buffer.extend(1);
        buffer.truncate(3);
        assertThat(buffer.toBytes()).asString(ISO_8859_1).isEqualTo("abc");
        buffer.truncate(1);
        assertThat(buffer.toBytes()).asString(ISO_8859_1).isEqualTo("a");
    }

    @Test
    void shouldRefuseLengthsOutsideItsBounds() {
        buffer.appendAscii("abc");
        assertThatThrownBy(() -> buffer.consume(4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> buffer.truncate(4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> buffer.extend(buffer.capacity())).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
