// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The libraries that come with the server: cjson, cmsgpack, struct, bit. */
final class LibrariesTest {
    private static final String ALL =
            IntStream.range(0, 256).mapToObj(c -> String.valueOf((char) c)).collect(Collectors.joining());

    private ScriptRig rig;

    @BeforeEach
    void open() {
        rig = new ScriptRig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    /** Evaluates an expression that gives a string. */
    private String string(final String expression) {
        final String reply = rig.eval("return " + expression);
        assertThat(reply).startsWith("$");
        return reply.substring(reply.indexOf('\n') + 1, reply.length() - 2);
    }

    private String hex(final String expression) {
        return string("(" + expression + "):gsub('.', function(c) return string.format('%02x', c:byte()) end)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{1,2,3}|[1,2,3]",
                "{}|{}",
                "{a=1}|{\"a\":1}",
                "{1,nil,3}|[1,null,3]",
                "1.5|1.5",
                "1e100|1e+100",
                "0.1|0.1",
                "100|100",
                "true|true",
                "cjson.null|null",
                "'a/b\"\\\\\\n\\0\\127'|\"a\\/b\\\"\\\\\\n\\u0000\\u007f\"",
                "{[1]=1,x=2} and {[5]='e'}|[null,null,null,null,\"e\"]",
            })
    void shouldEncodeJson(final String value, final String json) {
        assertThat(string("cjson.encode(" + value + ")")).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "function() end|Cannot serialise function: type not supported",
                "0/0|Cannot serialise number: must not be NaN or Inf",
                "{[1]=1,[1000]=2}|Cannot serialise table: excessively sparse array",
                "{[true]=1}|Cannot serialise table: table key must be a number or string",
            })
    void shouldRefuseToEncodeWhatIsNoJson(final String value, final String error) {
        assertThat(rig.eval("return cjson.encode(" + value + ")")).startsWith("-ERR user_script:1: " + error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[1,2.5,-3e2]|[1,2.5,-300]",
                "{\"a\":{\"b\":[true,false,null]}}|{\"a\":{\"b\":[true,false,null]}}",
                "\"\\u00e9\\ud83d\\ude00\\n\"|\"\u00c3\u00a9\u00f0\u009f\u0098\u0080\\n\"",
                " [ ] |{}",
                "123|123",
            })
    void shouldDecodeJson(final String json, final String encodedAgain) {
        assertThat(rig.eval(2, "return cjson.encode(cjson.decode(ARGV[1]))", List.of(), List.of(json)))
                .endsWith("\r\n" + encodedAgain + "\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "nope|Expected value but found invalid token at character 1",
                "[1,]|Expected value but found T_ARR_END at character 4",
                "{1:2}|Expected object key string but found T_NUMBER at character 2",
                "{\"a\" 2}|Expected colon but found T_NUMBER at character 6",
                "{\"a\":2|Expected comma or object end but found T_END at character 7",
                "[1] 2|Expected the end but found T_NUMBER at character 5",
                "\"a|Expected value but found unexpected end of string at character 3",
                "-|Expected value but found invalid number at character 1",
            })
    void shouldSayWhereJsonIsWrong(final String json, final String error) {
        assertThat(rig.eval(2, "return cjson.decode(ARGV[1])", List.of(), List.of(json)))
                .startsWith("-ERR user_script:1: " + error + " script: ");
    }

    @Test
    void shouldBoundTheDepthOfJson() {
        final String deep = "[".repeat(1000) + "]".repeat(1000);

        assertThat(rig.eval(2, "return #cjson.encode(cjson.decode(ARGV[1]))", List.of(), List.of(deep)))
                .isEqualTo(":2000\r\n");
        assertThat(rig.eval(2, "return cjson.decode(ARGV[1])", List.of(), List.of("[" + deep + "]")))
                .contains("Found too many nested data structures (1001)");
        assertThat(rig.eval("local t = {} t[1] = t return cjson.encode(t)"))
                .contains("Cannot serialise, excessive depth (1001)");
        assertThat(rig.eval("cjson.decode_max_depth(2) return cjson.decode('[[[1]]]')"))
                .contains("Found too many nested data structures (3)");
    }

    @Test
    void shouldPrintNumbersOfJsonWithThePrecisionAskedFor() {
        assertThat(string("cjson.encode_number_precision(3) and cjson.encode({1/3, 123456, 0.00001234, -2})"))
                .isEqualTo("[0.333,1.23e+05,1.23e-05,-2]");
    }

    @Test
    void shouldKeepEveryByteInJsonAndMessagePack() {
        assertThat(rig.eval("return cjson.decode(cjson.encode(KEYS[1])) == KEYS[1]", ALL))
                .isEqualTo(":1\r\n");
        assertThat(rig.eval("return cmsgpack.unpack(cmsgpack.pack(KEYS[1])) == KEYS[1]", ALL))
                .isEqualTo(":1\r\n");
        assertThat(rig.eval("return struct.unpack('c256', struct.pack('c0', KEYS[1])) == KEYS[1]", ALL))
                .isEqualTo(":1\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "0|00",
                "127|7f",
                "128|cc80",
                "65535|cdffff",
                "65536|ce00010000",
                "2^32|cf0000000100000000",
                "-1|ff",
                "-32|e0",
                "-33|d0df",
                "-129|d1ff7f",
                "-32769|d2ffff7fff",
                "-2^31-1|d3ffffffff7fffffff",
                "1.5|ca3fc00000",
                "0.1|cb3fb999999999999a",
                "true|c3",
                "false|c2",
                "nil|c0",
                "'abc'|a3616263",
                "{}|90",
                "{1,2}|920102",
                "{a=1}|81a16101",
                "string.rep('x',32):sub(1,0)|a0",
            })
    void shouldPackMessages(final String value, final String bytes) {
        assertThat(hex("cmsgpack.pack(" + value + ")")).isEqualTo(bytes);
    }

    @Test
    void shouldUnpackMessages() {
        assertThat(rig.eval("return {cmsgpack.unpack(cmsgpack.pack(1, 'a', {2, {b = 3}}))}"))
                .isEqualTo("*3\r\n:1\r\n$1\r\na\r\n*2\r\n:2\r\n*0\r\n");
        assertThat(rig.eval("local o, v = cmsgpack.unpack_one(cmsgpack.pack(1, 2)) return {o, v}"))
                .isEqualTo("*2\r\n:1\r\n:1\r\n");
        assertThat(rig.eval("local o, v = cmsgpack.unpack_one(cmsgpack.pack(1, 2), 1) return {o, v}"))
                .isEqualTo("*2\r\n:-1\r\n:2\r\n");
        assertThat(rig.eval("return {cmsgpack.unpack_limit(cmsgpack.pack(1, 2, 3), 2)}"))
                .isEqualTo("*3\r\n:2\r\n:1\r\n:2\r\n");
        for (final String value : List.of(
                "-1",
                "-200",
                "-40000",
                "2^40",
                "-2^40",
                "1.25",
                "1/3",
                "string.rep('x', 300)",
                "string.rep('y', 70000)")) {
            assertThat(rig.eval("local v = " + value + " return cmsgpack.unpack(cmsgpack.pack(v)) == v"))
                    .isEqualTo(":1\r\n");
        }
    }

    @Test
    void shouldRefuseBrokenMessages() {
        assertThat(rig.eval("return cmsgpack.unpack('\\220\\255\\255\\255')")).contains("Missing bytes in input.");
        assertThat(rig.eval("return cmsgpack.unpack('\\221\\255\\255\\255\\255')"))
                .contains("Missing bytes in input.");
        assertThat(rig.eval("return cmsgpack.unpack('\\165ab')")).contains("Missing bytes in input.");
        assertThat(rig.eval("return cmsgpack.unpack('\\193')")).contains("Bad data format in input.");
        assertThat(rig.eval("return cmsgpack.unpack(string.rep('\\145', 5000))"))
                .contains("lua stack limit");
        assertThat(rig.eval("local t = {} t[1] = t return #cmsgpack.pack(t)")).isEqualTo(":17\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'>H',258|0102",
                "'<H',258|0201",
                "'>i4',-2|fffffffe",
                "'>I3',66051|010203",
                "'>l',1|0000000000000001",
                "'b',-1|ff",
                "'s','ab'|616200",
                "'c3','abcd'|616263",
                "'>d',1|3ff0000000000000",
                "'>f',1|3f800000",
                "'!4>bi4',1,2|0100000000000002",
                "'bxb',1,2|010002",
            })
    void shouldPackStructures(final String arguments, final String bytes) {
        assertThat(hex("struct.pack(" + arguments + ")")).isEqualTo(bytes);
    }

    @Test
    void shouldUnpackStructures() {
        assertThat(rig.eval("return {struct.unpack('>HbBi4s', struct.pack('>HbBi4s', 258, -1, 255, -70000, 'x'))}"))
                .isEqualTo("*6\r\n:258\r\n:-1\r\n:255\r\n:-70000\r\n$1\r\nx\r\n:11\r\n");
        assertThat(rig.eval("return {struct.unpack('bc0', '\\003abcd')}")).isEqualTo("*2\r\n$3\r\nabc\r\n:5\r\n");
        assertThat(rig.eval("return {struct.unpack('b', 'abc', 3)}")).isEqualTo("*2\r\n:99\r\n:4\r\n");
        assertThat(rig.eval("return struct.size('!8bi4d')")).isEqualTo(":16\r\n");
        assertThat(rig.eval("return struct.unpack('>I8', struct.pack('>I8', 2^60)) == 2^60"))
                .isEqualTo(":1\r\n");
        assertThat(rig.eval("return struct.unpack('>I2', 'a')")).contains("data string too short");
        assertThat(rig.eval("return struct.unpack('b', 'a', 9)")).contains("data string too short");
        assertThat(rig.eval("return struct.unpack('b', 'a', 0)")).contains("offset must be 1 or greater");
        assertThat(rig.eval("return struct.pack('q', 1)")).contains("invalid format option 'q'");
        assertThat(rig.eval("return struct.pack('i33', 1)")).contains("integral size 33 is larger than limit of 32");
        assertThat(rig.eval("return struct.unpack('c2147483647', 'abc')")).contains("data string too short");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tobit(0xffffffff)|-1",
                "tobit(2^32+5)|5",
                "bnot(0)|-1",
                "band(0xff, 0x0f, 7)|7",
                "bor(1, 2, 4)|7",
                "bxor(5, 1)|4",
                "lshift(1, 33)|2",
                "rshift(-1, 28)|15",
                "arshift(-256, 4)|-16",
                "rol(0x12345678, 8)|878082066",
                "ror(1, 1)|-2147483648",
                "bswap(1)|16777216",
            })
    void shouldWorkOnBits(final String expression, final long result) {
        assertThat(rig.eval("return bit." + expression)).isEqualTo(":" + result + "\r\n");
    }

    @Test
    void shouldPrintBitsInHexadecimal() {
        assertThat(string("bit.tohex(255)")).isEqualTo("000000ff");
        assertThat(string("bit.tohex(255, -4)")).isEqualTo("00FF");
        assertThat(string("bit.tohex(255, 2147483648)")).isEqualTo("000000FF");
        assertThat(rig.eval("return bit.band('x')"))
                .contains("bad argument #1 to 'band' (number expected, got string)");
    }
}
