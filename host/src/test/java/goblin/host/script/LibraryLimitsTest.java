// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small scripts that ask Java for much: it stops where Lua's own memory would end, and no error of Lua passes Java. */
@Timeout(120)
final class LibraryLimitsTest {
    private static final String NO_MEMORY = "not enough memory";

    private ScriptRig rig;

    @BeforeEach
    void open() {
        rig = new ScriptRig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void shouldNotLetLuaRefuseATableThatAMessageOnlyClaims() {
        // 2^26 + 1 pairs: one more than Lua can make a table for.
        final String script = "return cmsgpack.unpack('\\223\\4\\0\\0\\1' .. ('\\192'):rep(2^20):rep(129))";
        try (ScriptRig large = new ScriptRig(1L << 30)) {
            assertThat(large.eval(script)).contains("Bad data format in input.");
        }
        assertThat(rig.eval("return redis.call('RAW', '%67108866\\r\\n?')")).contains("unknown type of reply");
        assertThat(rig.eval("return redis.call('RAW', '~67108866\\r\\n?')")).contains("unknown type of reply");
    }

    @Test
    void shouldNotReserveWhatNestedHeadersClaim() {
        // Each level claims 16 MB; had it been reserved, the complaint would be about memory.
        final String script = "return cmsgpack.unpack(('\\221\\0\\15\\66\\64'):rep(%d) .. ('\\192'):rep(1000000))";

        assertThat(rig.eval(script.formatted(999))).contains("Missing bytes in input.");
        assertThat(rig.eval(script.formatted(1))).isEqualTo("*0\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Each ends in a mistake that would be found first if the limit were looked at only at the end.
                "cjson.decode('[' .. ('[],'):rep(2^21) .. '?')",
                "cjson.decode('[' .. ('{\"a\":1},'):rep(2^20) .. '?')",
                "cmsgpack.unpack('\\221\\0\\48\\0\\0' .. ('\\144'):rep(3 * 2^20 - 1) .. '\\193')",
                "redis.call('RAW', '*2097153\\r\\n' .. ('*0\\r\\n'):rep(2^21) .. '?')",
            })
    void shouldStopReadingWhenMemoryIsUsedUp(final String call) {
        assertThat(rig.eval(call)).contains(NO_MEMORY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cjson.encode(t)",
                "cmsgpack.pack(t)",
                "cjson.encode({s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s})",
                "cmsgpack.pack(s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s)",
                "struct.pack(('s'):rep(17), s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s)",
                "cjson.encode(('\\1'):rep(12 * 2^20))",
                "cjson.encode_sparse_array(false, 0) local h = {} h[2^31 - 1] = 1 cjson.encode(h)",
            })
    void shouldStopWritingWhenMemoryIsUsedUp(final String call) {
        final long before = Memory.allocatedBytes();

        assertThat(rig.eval("local s = ('x'):rep(4 * 2^20) local t = {1} for i = 1, 14 do t = {t, t, t, t, t, t} end "
                        + call))
                .contains(NO_MEMORY);
        assertThat(Memory.allocatedBytes() - before).isLessThan(128L << 20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local t = {1} for i = 1, 40 do t = {t, t} end return t",
                "local t = {map = {a = 1}} for i = 1, 40 do t = {map = {a = t, b = t}} end return t",
                "local s = ('x'):rep(4 * 2^20) return {s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s}",
                "local s = {ok = ('x'):rep(4 * 2^20)} return {s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s}",
                "local s = {big_number = ('1'):rep(4 * 2^20)} return {s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s}",
            })
    void shouldRefuseAReplyLargerThanLuaCouldHold(final String script) {
        assertThat(rig.eval(script)).isEqualTo("-ERR the script's reply is too large\r\n");
        assertThat(rig.eval("return {1, {'a'}}")).isEqualTo("*2\r\n:1\r\n*1\r\n$1\r\na\r\n");
    }
}
