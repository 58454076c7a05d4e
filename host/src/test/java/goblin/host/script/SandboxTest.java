// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What scripts cannot reach, change or break. */
final class SandboxTest {
    private static final String READONLY = "Attempt to modify a readonly table";

    private ScriptRig rig;

    @BeforeEach
    void open() {
        rig = new ScriptRig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "os",
                "io",
                "require",
                "module",
                "package",
                "loadfile",
                "dofile",
                "debug",
                "print",
                "newproxy",
                "getfenv",
                "setfenv",
                "anything"
            })
    void shouldHideWhatIsNotAllowed(final String name) {
        assertThat(rig.eval("return " + name))
                .startsWith("-ERR user_script:1: Script attempted to access nonexistent global variable '" + name + "'")
                .endsWith(", on @user_script:1.\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = 10",
                "function f() end",
                "KEYS = {}",
                "redis.call = nil",
                "redis = 1",
                "string.format = nil",
                "cjson.encode = nil",
                "math.random = nil",
                "_G.x = 1",
                "_G._G = 1",
                "setmetatable(_G, {})",
                "setmetatable(redis, {})",
                "rawset(_G, 'x', 1)",
                "rawset(redis, 'x', 1)",
                "table.insert(_G, 1)",
                "table.insert(redis, 1)",
                "local g = getmetatable(_G) g.__index = {}",
                "getmetatable(redis).__index = {}",
                "getmetatable('').__index = {}",
                "getmetatable('').__index.find = {}",
                "rawset(getmetatable(''), 'x', 1)",
                "coroutine.wrap(function() x = 1 end)()",
                "loadstring('x = 1')()",
            })
    void shouldRefuseToChangeWhatScriptsShare(final String script) {
        assertThat(rig.eval(script)).contains(READONLY);
        assertThat(rig.eval("return {next(_G) == nil and 1 or 0, next(redis) == nil and 1 or 0}"))
                .isEqualTo("*2\r\n:1\r\n:1\r\n");
    }

    @Test
    void shouldKeepLibrariesInOrderWhateverAScriptTried() {
        rig.eval("error(redis)");
        rig.eval("error(_G)");
        rig.eval("cjson.encode_max_depth(1)");
        rig.eval("collectgarbage('stop')");

        assertThat(rig.eval("return {type(redis.call), ('x'):rep(2), cjson.encode({{{}}}), redis.source or 'none'}"))
                .isEqualTo("*4\r\n$8\r\nfunction\r\n$2\r\nxx\r\n$6\r\n[[{}]]\r\n$4\r\nnone\r\n");
    }

    @Test
    void shouldCompileTextAndNoBytecode() {
        assertThat(rig.eval("return loadstring('return 1 + 1')()")).isEqualTo(":2\r\n");
        assertThat(
                        rig.eval(
                                "return load(coroutine.wrap(function() coroutine.yield('return ') coroutine.yield('7') end))()"))
                .isEqualTo(":7\r\n");
        assertThat(rig.eval("local f, e = loadstring(string.dump(function() end)) return {f == nil and 1, e}"))
                .isEqualTo("*2\r\n:1\r\n$30\r\nattempt to load a binary chunk\r\n");
        assertThat(rig.eval("\33Lua"))
                .isEqualTo("-ERR Error compiling script (new function): attempt to load a binary chunk\r\n");
        assertThat(rig.eval("local f, e = loadstring('return (') return e")).contains("unexpected symbol");
    }

    @Test
    void shouldKeepLuasOwnFunctionsWorking() {
        assertThat(rig.eval("return {pcall(error, 'x')}")).isEqualTo("*2\r\n$-1\r\n$1\r\nx\r\n");
        assertThat(rig.eval("local ok, e = pcall(error, 'x') return e")).isEqualTo("$1\r\nx\r\n");
        assertThat(rig.eval("return select(2, pcall(function(...) return ... end, 5))"))
                .isEqualTo(":5\r\n");
        assertThat(rig.eval("return {xpcall(function() error('x', 0) end, function(e) return e .. 'y' end)}"))
                .isEqualTo("*2\r\n$-1\r\n$2\r\nxy\r\n");
        assertThat(rig.eval(
                        "local ok, e = xpcall(function() error('x', 0) end, function(e) return e .. 'y' end) return e"))
                .isEqualTo("$2\r\nxy\r\n");
        assertThat(rig.eval("return {unpack({1, 2, 3}, 2)}")).isEqualTo("*2\r\n:2\r\n:3\r\n");
        assertThat(rig.eval("local t = {} for i = 1, 7999 do t[i] = i end redis.call('X', unpack(t)) return #t"))
                .isEqualTo(":7999\r\n");
        assertThat(rig.called.getLast()).hasSize(8000);
        assertThat(rig.eval("return {unpack({1, 2, 3}, 1, 2)}")).isEqualTo("*2\r\n:1\r\n:2\r\n");
        assertThat(rig.eval("return {('a,b'):match('(%a),(%a)')}")).isEqualTo("*2\r\n$1\r\na\r\n$1\r\nb\r\n");
        assertThat(rig.eval("return (('hello'):gsub('l', 'L'))")).isEqualTo("$5\r\nheLLo\r\n");
        assertThat(rig.eval("local t = {} for w in ('a b'):gmatch('%a') do t[#t + 1] = w end return t"))
                .isEqualTo("*2\r\n$1\r\na\r\n$1\r\nb\r\n");
        assertThat(rig.eval("local t = {3, 1, 2} table.sort(t) table.insert(t, 4) return t"))
                .isEqualTo("*4\r\n:1\r\n:2\r\n:3\r\n:4\r\n");
        assertThat(rig.eval("return collectgarbage('count') > 0")).isEqualTo(":1\r\n");
    }

    @Test
    void shouldSayWhoCalledALibraryFunctionWrongly() {
        assertThat(rig.eval("\nreturn string.match(nil, 'x')"))
                .startsWith("-ERR user_script:2: bad argument #1 to 'match' (string expected, got nil) script: ");
        assertThat(rig.eval("return cjson.decode('nope')"))
                .startsWith("-ERR user_script:1: Expected value but found invalid token at character 1 script: ");
        assertThat(rig.eval("local function get() return redis.call() end\nreturn get()"))
                .endsWith(", on @user_script:1.\r\n");
    }

    @Test
    void shouldLetTailCallsLoopForLong() {
        assertThat(rig.eval("local function loop(n) if n == 0 then return 'done' end return loop(n - 1) end"
                        + " return loop(1000000)"))
                .isEqualTo("$4\r\ndone\r\n");
    }

    @Test
    void shouldSurviveWhatBreaksPlainLua() {
        assertThat(rig.eval("return unpack({}, 0, 2147483647)")).contains("too many results to unpack");
        assertThat(rig.eval("return unpack({}, 0/0, 2147483647)")).contains("too many results to unpack");
        assertThat(rig.eval("return ('a'):rep(100000):match(('a?'):rep(100000))"))
                .contains("pattern too long");
        assertThat(rig.eval("return ('a'):rep(100000):match(('a?'):rep(2000))")).startsWith("$2000\r\n");
        assertThat(rig.eval("local t = {} for i = 1, 100 do t[i] = 'p' .. i end"
                        + " return loadstring('local function f(' .. table.concat(t, ',') .. ', ...) end')"))
                .isEqualTo("$-1\r\n");
        assertThat(rig.eval("local t = {} for i = 1, 16 do t[i] = 'p' .. i end"
                        + " local f = loadstring('return function(' .. table.concat(t, ',') .. ', ...) return p16 end')()"
                        + " local function deep(n) f(n) if n > 0 then return 1 + deep(n - 1) end return 0 end"
                        + " for i = 1, 200 do coroutine.wrap(function() f() deep(i) end)() end return deep(3000)"))
                .isEqualTo(":3000\r\n");
    }

    @Test
    void shouldEndDeepRecursionByAnError() {
        assertThat(rig.eval("local function f() return 1 + f() end return f()"))
                .startsWith("-ERR user_script:1: stack overflow")
                .endsWith(", on @user_script:1.\r\n");
        assertThat(rig.eval("local function f() pcall(f) end return f()")).isNotEmpty();
        assertThat(rig.eval("return ('('):rep(1000) .. '1'")).startsWith("$1001");
        assertThat(rig.eval("return loadstring('return ' .. ('('):rep(1000) .. '1' .. (')'):rep(1000))"))
                .isEqualTo("$-1\r\n");
        assertThat(rig.eval("local s = string.rep('a', 10) return s:gsub('a', function() return s:gsub('a', 'b') end)"))
                .startsWith("$100");
        assertThat(rig.eval("return 1")).isEqualTo(":1\r\n");
    }

    @Test
    void shouldRefuseMoreMemoryThanTheLimit() {
        assertThat(rig.eval("local s = 'x' while true do s = s .. s end")).contains("not enough memory");
        assertThat(rig.eval("return string.rep('x', 2e9)")).contains("not enough memory");
        assertThat(rig.eval("local t = {} for i = 1, 1e9 do t[i] = {i} end")).contains("not enough memory");
        assertThat(rig.eval("local ok, e = pcall(string.rep, 'x', 2e9) return e"))
                .isEqualTo("$17\r\nnot enough memory\r\n");
        assertThat(rig.eval("return redis.call('ECHO', string.rep('x', 1000000))"))
                .hasSize(1000000 + 12);
        assertThat(rig.engine.memoryUsed()).isLessThan(16 << 20);
    }

    @Test
    void shouldNotKeepMemoryOfScriptsThatEnded() {
        for (int i = 0; i < 300; i++) {
            rig.eval("local t = {} for i = 1, 10000 do t[i] = 'value' .. i end return #t", "k".repeat(100_000));
        }

        assertThat(rig.engine.memoryUsed()).isLessThan(48 << 20);
    }
}
