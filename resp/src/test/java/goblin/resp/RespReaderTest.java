// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RespReaderTest {

    private static Reply parse(final String text) {
        return RespReader.parse(NativeBytes.wire(text));
    }

    @Test
    void shouldReadEveryType() {
        assertThat(parse("+OK¶")).isEqualTo(new Reply.Simple("OK"));
        assertThat(parse("-ERR x¶")).isEqualTo(new Reply.Failure("ERR x"));
        assertThat(parse("-ERR x¶").isError()).isTrue();
        assertThat(parse("!5¶ERR x¶")).isEqualTo(new Reply.BulkFailure("ERR x"));
        assertThat(parse(":-7¶")).isEqualTo(new Reply.Int(-7));
        assertThat(parse("$4¶a¶\0¶")).isEqualTo(new Reply.Bulk("a\r\n\0"));
        assertThat(parse("$0¶¶")).isEqualTo(new Reply.Bulk(""));
        assertThat(((Reply.Bulk) parse("$2¶\u00ff\0¶")).bytes()).containsExactly(-1, 0);
        assertThat(parse("$-1¶")).isEqualTo(Reply.Null.BULK);
        assertThat(parse("*-1¶")).isEqualTo(Reply.Null.ARRAY);
        assertThat(parse("_¶")).isEqualTo(Reply.Null.RESP3);
        assertThat(parse("#t¶")).isEqualTo(new Reply.Bool(true));
        assertThat(parse(",1.5¶")).isEqualTo(new Reply.Real(1.5));
        assertThat(parse(",-inf¶")).isEqualTo(new Reply.Real(Double.NEGATIVE_INFINITY));
        assertThat(parse("(123456789012345678901234567890¶"))
                .isEqualTo(new Reply.Big(new BigInteger("123456789012345678901234567890")));
        assertThat(parse("=5¶txt:a¶")).isEqualTo(new Reply.Verbatim("txt", "a"));
        assertThat(parse("=5¶txt:a¶").text()).isEqualTo("a");
    }

    @Test
    void shouldReadAggregates() {
        final Reply one = new Reply.Int(1);
        final Reply two = new Reply.Bulk("b");
        assertThat(parse("*2¶:1¶$1¶b¶")).isEqualTo(new Reply.Array(List.of(one, two)));
        assertThat(parse("~2¶:1¶$1¶b¶")).isEqualTo(new Reply.Set(List.of(one, two)));
        assertThat(parse(">2¶:1¶$1¶b¶")).isEqualTo(new Reply.Push(List.of(one, two)));
        assertThat(parse("%1¶:1¶$1¶b¶")).isEqualTo(new Reply.Map(List.of(new Reply.Pair(one, two))));
        assertThat(((Reply.Map) parse("%1¶:1¶$1¶b¶")).get("1")).isEqualTo(two);
        assertThat(((Reply.Map) parse("%1¶:1¶$1¶b¶")).get("2")).isNull();
        assertThat(parse("|1¶:1¶$1¶b¶:1¶")).isEqualTo(new Reply.Attributed(List.of(new Reply.Pair(one, two)), one));
        assertThat(parse("*2¶*0¶*1¶*-1¶"))
                .isEqualTo(new Reply.Array(
                        List.of(new Reply.Array(List.of()), new Reply.Array(List.of(Reply.Null.ARRAY)))));
    }

    @Test
    void shouldReadOneReplyAfterTheOther() throws IOException {
        final RespReader reader = new RespReader(
                new ByteArrayInputStream(NativeBytes.wire("+a¶$20000¶" + "x".repeat(20_000) + "¶:1¶+b")));
        assertThat(reader.read().text()).isEqualTo("a");
        assertThat(reader.read().text()).hasSize(20_000);
        assertThat(reader.read().text()).isEqualTo("1");
        assertThatThrownBy(reader::read).isInstanceOf(EOFException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x¶",
                "+a",
                "$2¶a¶",
                "$1¶ab¶",
                ":x¶",
                ":99999999999999999999¶",
                "$-2¶",
                "*-2¶",
                "%-1¶",
                "#x¶",
                "_x¶",
                ",abc¶",
                "(1.5¶",
                "=3¶txt¶",
                "+a\rb¶",
                "+a¶+b¶",
                "*2¶:1¶",
                "$?¶"
            })
    void shouldRefuseWhatIsNotExactlyOneReply(final String text) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseBottomlessNesting() {
        assertThatThrownBy(() -> parse("*1¶".repeat(100_000) + ":1¶")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldReadWhatWasWrittenInNativeMemory() {
        try (NativeBytes bytes = NativeBytes.of("*1¶+x¶")) {
            assertThat(RespReader.parse(bytes.address(), bytes.length()))
                    .isEqualTo(new Reply.Array(List.of(new Reply.Simple("x"))));
        }
    }
}
