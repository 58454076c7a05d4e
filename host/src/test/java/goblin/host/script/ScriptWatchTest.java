// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long scripts let the server work, and end when it says so. */
@Timeout(60)
final class ScriptWatchTest {
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
    void shouldAskTheServerAboutEveryFiveMilliseconds() {
        final long start = System.nanoTime();
        rig.onPoll = () -> System.nanoTime() - start > 300_000_000L;

        rig.eval("while true do end");

        assertThat(rig.polls).isBetween(3, 61);
    }

    @Test
    void shouldAskTheServerDuringManyCommandsToo() {
        rig.onPoll = () -> rig.polls >= 3;

        assertThat(rig.eval("while true do redis.call('X') end")).contains("SCRIPT KILL");
        assertThat(rig.called).hasSizeGreaterThan(100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "while true do end",
                "while true do pcall(function() while true do end end) end",
                "while true do xpcall(function() while true do end end, function() while true do end end) end",
                "local f f = function() while true do pcall(f) end end f()",
                "local t = setmetatable({}, {__newindex = function() while true do end end, "
                        + "__tostring = function() while true do end end}) while true do pcall(error, t) end",
                "local t = setmetatable({}, {__newindex = function() while true do end end}) while true do local x = t end",
                "local c = coroutine.wrap(function() while true do pcall(function() while true do end end) end end) c()",
                "while true do local c = coroutine.create(function() while true do end end) coroutine.resume(c) end",
                "('x'):rep(1000):gsub('x', function() while true do end end)",
                "table.sort({1,2,3}, function() while true do end end)",
                "while true do redis.pcall('X') end",
                "local t = {1} for i = 1, 40 do t = {t, t} end cjson.encode(t)",
                "local t = {1} for i = 1, 14 do t = {t, t, t, t, t, t} end pcall(cmsgpack.pack, t)",
                "local s = '[' .. ('0,'):rep(2^21) while true do pcall(cjson.decode, s) end",
                "local s = '\\221\\0\\32\\0\\0' .. ('\\1'):rep(2^21) while true do pcall(cmsgpack.unpack, s) end",
            })
    void shouldKillWhateverTheScriptDoes(final String script) {
        rig.onPoll = () -> rig.polls >= 2;

        assertThat(rig.eval(script))
                .matches(
                        "-ERR Script killed by user with SCRIPT KILL\\. script: [0-9a-f]{40}, on @user_script:1\\.\r\n");

        rig.onPoll = () -> false;
        assertThat(rig.eval("local s = 0 for i = 1, 100000 do s = s + 1 end return s"))
                .isEqualTo(":100000\r\n");
    }

    @Test
    void shouldSurviveAServerThatFailsWhileAScriptRuns() {
        rig.onPoll = () -> {
            throw new IllegalStateException("broken");
        };

        assertThat(rig.eval("while true do end")).startsWith("-ERR Script killed");
    }
}
