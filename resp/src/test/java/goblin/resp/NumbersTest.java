// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NumbersTest {

    private static boolean isLong(final String text) {
        try (NativeBytes bytes = NativeBytes.of(text)) {
            return Decimal.isLong(bytes.address(), bytes.length());
        }
    }

    private static long toLong(final String text) {
        try (NativeBytes bytes = NativeBytes.of(text)) {
            return Decimal.toLong(bytes.address(), bytes.length());
        }
    }

    private static double real(final String text) {
        try (NativeBytes bytes = NativeBytes.of(text)) {
            return Real.parse(bytes.address(), bytes.length());
        }
    }

    @Property
    void shouldReadEveryIntegerBack(@ForAll final long value) {
        assertThat(isLong(Long.toString(value))).isTrue();
        assertThat(toLong(Long.toString(value))).isEqualTo(value);
        assertThat(Decimal.textLength(value)).isEqualTo(Long.toString(value).length());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 9, 10, -1, -10, 99, 100, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1})
    void shouldReadTheIntegersAtTheEdges(final long value) {
        shouldReadEveryIntegerBack(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "+1",
                "01",
                "-0",
                "-01",
                " 1",
                "1 ",
                "1x",
                "0x1",
                "00",
                "9223372036854775808",
                "-9223372036854775809",
                "18446744073709551616",
                "99999999999999999999",
                "100000000000000000000",
                "1.0"
            })
    void shouldRefuseWhatIsNoStrictInteger(final String text) {
        assertThat(isLong(text)).isFalse();
    }

    @Property
    void shouldAcceptExactlyTheTextsThatJavaPrints(
            @ForAll @Chars({'0', '1', '9', '-', '+', ' '}) @StringLength(max = 21) final String text) {
        boolean expected;
        try {
            expected = Long.toString(Long.parseLong(text)).equals(text);
        } catch (final NumberFormatException notANumber) {
            expected = false;
        }
        assertThat(isLong(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "3.0,3",
        "0.1,0.1",
        "-0.5,-0.5",
        "1e25,1e+25",
        "1e-7,1e-7",
        "0.000001,0.000001",
        "1.5e300,1.5e+300",
        "3.141592653589793,3.141592653589793",
        "1e17,100000000000000000",
        "4611686018427387904,4611686018427387904",
        "1e19,1e+19",
        "123456789012345680000,123456789012345680000",
        "1e21,1e+21",
        "-0.0,-0",
        "0,0",
        "5e-324,5e-324",
        "1e-323,1e-323",
        "1.7976931348623157e308,1.7976931348623157e+308",
        "0.00001234,1.234e-5",
        "1234.5678,1234.5678",
        "-1e-10,-1e-10",
        "12345678.9,12345678.9",
        "1.1e-5,0.000011",
        "1.23456789e-7,1.23456789e-7"
    })
    void shouldPrintRealNumbersAsRedisDoes(final double value, final String text) {
        assertThat(Real.text(value)).isEqualTo(text);
    }

    @Test
    void shouldPrintWhatIsNoNumber() {
        assertThat(Real.text(Double.NaN)).isEqualTo("nan");
        assertThat(Real.text(Double.POSITIVE_INFINITY)).isEqualTo("inf");
        assertThat(Real.text(Double.NEGATIVE_INFINITY)).isEqualTo("-inf");
    }

    @Property
    void shouldReadPrintedRealNumbersBack(@ForAll final long bits) {
        final double value = Double.longBitsToDouble(bits);
        if (!Double.isNaN(value)) {
            assertThat(real(Real.text(value))).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1,1",
        "+1,1",
        "-1.5,-1.5",
        ".5,0.5",
        "5.,5",
        "1e3,1000",
        "1E-3,0.001",
        "0x10,16",
        "-0x1p4,-16",
        "0x.8,0.5",
        "inf,Infinity",
        "-INF,-Infinity",
        "+Infinity,Infinity",
        "0,0",
        "-0,-0.0",
        "0e5,0"
    })
    void shouldReadRealNumbers(final String text, final double value) {
        assertThat(real(text)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " 1", "1 ", "nan", "NaN", "-nan", "1d", "1f", "abc", "1e", "--1", "+-1", "1e400", "-1e400",
                "1e-400", ".", "0x", "0xg", "infx", "1_0", "1,5"
            })
    void shouldRefuseWhatIsNoRealNumber(final String text) {
        assertThat(real(text)).isNaN();
    }
}
