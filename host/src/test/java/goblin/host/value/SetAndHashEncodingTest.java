// SPDX-License-Identifier: Apache-2.0
package goblin.host.value;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SetAndHashEncodingTest {
    private final EncodingLimits limits = new EncodingLimits();

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "-1", "9223372036854775807", "-9223372036854775808", "1234567890123456789"})
    void shouldCallSetsOfCanonicalNumbersIntset(String member) {
        SetValue set = new SetValue(limits);
        assertThat(set.add(bytes(member))).isTrue();
        assertThat(set.add(bytes(member))).isFalse();
        assertThat(set.encoding()).isEqualTo("intset");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "-0",
                "01",
                "+1",
                " 1",
                "1.0",
                "9223372036854775808",
                "-9223372036854775809",
                "9999999999999999999",
                "-9999999999999999999",
                "10000000000000000000"
            })
    void shouldCallOtherSmallSetsListpack(String member) {
        SetValue set = new SetValue(limits);
        set.add(bytes(member));
        assertThat(set.encoding()).isEqualTo("listpack");
    }

    @Test
    void shouldTurnLargeSetsIntoHashtables() {
        SetValue numbers = new SetValue(limits);
        for (int i = 0; i < 512; i++) {
            numbers.add(bytes("" + i));
        }
        assertThat(numbers.encoding()).isEqualTo("intset");
        numbers.add(bytes("512"));
        assertThat(numbers.encoding()).isEqualTo("hashtable");
        assertThat(numbers.isHashtable()).isTrue();
        SetValue words = new SetValue(limits);
        for (int i = 0; i < 128; i++) {
            words.add(bytes("w" + i));
        }
        assertThat(words.encoding()).isEqualTo("listpack");
        words.add(new byte[65]);
        assertThat(words.encoding()).isEqualTo("hashtable");
    }

    @Test
    void shouldTurnLargeHashesIntoHashtables() {
        HashValue hash = new HashValue(limits);
        for (int i = 0; i < 512; i++) {
            hash.append(bytes("f" + i), bytes("v"));
        }
        assertThat(hash.encoding()).isEqualTo("listpack");
        hash.append(bytes("one more"), bytes("v"));
        assertThat(hash.encoding()).isEqualTo("hashtable");
        HashValue wide = new HashValue(limits);
        wide.append(bytes("f"), bytes("v"));
        wide.setValue(0, new byte[65]);
        assertThat(wide.encoding()).isEqualTo("hashtable");
        assertThat(wide.contentBytes()).isEqualTo(66);
        wide.removeAt(0);
        assertThat(wide.contentBytes()).isZero();
        assertThat(wide.isHashtable()).isTrue();
    }
}
