// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.linux.Memory;
import goblin.resp.Real;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NumbersTest {
    private static double parse(String text) {
        long address = Memory.allocate(Math.max(1, text.length()));
        try {
            Memory.copyIn(text.getBytes(ISO_8859_1), 0, address, text.length());
            return Numbers.parseDouble(address, text.length());
        } finally {
            Memory.free(address);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-1, -1",
        "00012, 12",
        "123456789012345, 123456789012345",
        "1234567890123456789, 1234567890123456789",
        "3.25, 3.25",
        ".5, 0.5",
        "5., 5",
        "+7, 7",
        "1e3, 1000",
        "-2.5E-1, -0.25",
        "0x10, 16",
        "-0x1.8p1, -3",
        "inf, Infinity",
        "+INF, Infinity",
        "-Infinity, -Infinity",
        "0e999, 0"
    })
    void shouldReadWhatStrtodReads(String text, double expected) {
        assertThat(parse(text)).isEqualTo(expected);
        assertThat(Real.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "-", "+", "nan", "NaN", " 1", "1 ", "1d", "1f", "1e", "--1", "+-1", "1e400", "1e-400", "0x", "0x1p",
                "x", "1,5", "infx", "1_000"
            })
    void shouldRefuseWhatIsNoNumber(String text) {
        assertThat(parse(text)).isNaN();
        assertThat(Real.parse(text)).isNaN();
    }

    @Test
    void shouldReadTheLargestNumberWrittenOut() {
        String digits = new BigDecimal(Double.MAX_VALUE).toPlainString();
        assertThat(parse(digits)).isEqualTo(Double.MAX_VALUE);
    }

    @Test
    void shouldReadMinusZero() {
        assertThat(1 / parse("-0")).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @ParameterizedTest
    @CsvSource({
        "3.0, 1.1, 4.1",
        "17179869184, 1.5, 17179869185.5",
        "5e3, 2.0e2, 5200",
        "0.1, -0.1, 0",
        "10.5, -0.5, 10",
        "1e-18, 0, 0",
        "0x10, 1, 17"
    })
    void shouldAddDecimalsExactly(String left, String right, String sum) {
        assertThat(Numbers.add(left, right)).isEqualTo(sum);
    }

    @Test
    void shouldReadStoredIntegersStrictly() {
        assertThat(Numbers.parseLong("-42".getBytes(ISO_8859_1), "no")).isEqualTo(-42);
        for (String text : new String[] {"", "+1", "01", "1 ", "9223372036854775808", "1.0"}) {
            assertThatThrownBy(() -> Numbers.parseLong(text.getBytes(ISO_8859_1), "no"))
                    .isInstanceOf(Refusal.class)
                    .hasMessage("no");
        }
    }
}
