// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What scripts get, what they answer, how they fail. */
final class ScriptEngineTest {
    private static final String ONE_SHA = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";

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
    void shouldAnswerNumbersWithoutTheirFraction() {
        assertThat(rig.eval("return 3.99")).isEqualTo(":3\r\n");
        assertThat(rig.eval("return -3.99")).isEqualTo(":-3\r\n");
        assertThat(rig.eval("return 1/0")).isEqualTo(":-9223372036854775808\r\n");
        assertThat(rig.eval("return 2^53")).isEqualTo(":9007199254740992\r\n");
    }

    @Test
    void shouldEndArraysAtTheFirstNil() {
        assertThat(rig.eval("return {1,2,nil,4}")).isEqualTo("*2\r\n:1\r\n:2\r\n");
        assertThat(rig.eval("return {nil}")).isEqualTo("*0\r\n");
        assertThat(rig.eval("return {'a',{'b',{3}}}")).isEqualTo("*2\r\n$1\r\na\r\n*2\r\n$1\r\nb\r\n*1\r\n:3\r\n");
    }

    @Test
    void shouldAnswerBooleansAndNilByTheProtocolOfScriptAndClient() {
        assertThat(rig.eval("return true")).isEqualTo(":1\r\n");
        assertThat(rig.eval("return false")).isEqualTo("$-1\r\n");
        assertThat(rig.eval("return nil")).isEqualTo("$-1\r\n");
        assertThat(rig.eval(3, "return false", List.of(), List.of())).isEqualTo("_\r\n");
        assertThat(rig.eval(3, "redis.setresp(3) return false", List.of(), List.of()))
                .isEqualTo("#f\r\n");
        assertThat(rig.eval(2, "redis.setresp(3) return true", List.of(), List.of()))
                .isEqualTo(":1\r\n");
    }

    @Test
    void shouldAnswerTypesThatLuaHasNoValuesFor() {
        assertThat(rig.eval("return {ok='fine'}")).isEqualTo("+fine\r\n");
        assertThat(rig.eval("return {err='MY thing'}")).isEqualTo("-MY thing\r\n");
        assertThat(rig.eval("return {double=3.25}")).isEqualTo("$4\r\n3.25\r\n");
        assertThat(rig.eval(3, "return {double=3.25}", List.of(), List.of())).isEqualTo(",3.25\r\n");
        assertThat(rig.eval(3, "return {map={a=1}}", List.of(), List.of())).isEqualTo("%1\r\n$1\r\na\r\n:1\r\n");
        assertThat(rig.eval("return {map={a=1}}")).isEqualTo("*2\r\n$1\r\na\r\n:1\r\n");
        assertThat(rig.eval(3, "return {set={x=true}}", List.of(), List.of())).isEqualTo("~1\r\n$1\r\nx\r\n");
        assertThat(rig.eval(3, "return {big_number='123456789012345678901'}", List.of(), List.of()))
                .isEqualTo("(123456789012345678901\r\n");
        assertThat(rig.eval(3, "return {verbatim_string={format='txt',string='hi'}}", List.of(), List.of()))
                .isEqualTo("=6\r\ntxt:hi\r\n");
    }

    @Test
    void shouldKeepLineEndsOutOfStatusesAndErrors() {
        assertThat(rig.eval("return {ok='a\\r\\n+b'}")).isEqualTo("+a  +b\r\n");
        assertThat(rig.eval("return {err='a\\r\\n+b'}")).isEqualTo("-a  +b\r\n");
        assertThat(rig.eval("error({err='a\\r\\n+b'})"))
                .startsWith("-a  +b script: ")
                .endsWith(".\r\n");
        assertThat(rig.eval("error('a\\r\\n+b')").chars().filter(c -> c == '\n').count())
                .isEqualTo(1);
    }

    @Test
    @Timeout(60)
    void shouldWriteEachElementOnceWhateverHoleFollows() {
        final String script = "local t = {} for i = 1, 60 do t = {t, nil, 1} end return t";

        assertThat(rig.eval(script)).isEqualTo("*1\r\n".repeat(60) + "*0\r\n");
    }

    @Test
    void shouldEndAReplyThatContainsItself() {
        assertThat(rig.eval("local a = {} a[1] = a return a")).endsWith("-ERR reached lua stack limit\r\n");
    }

    @Test
    void shouldTurnRepliesIntoLuaValues() {
        assertThat(rig.eval("return type(redis.call('RAW', '$-1\\r\\n'))")).isEqualTo("$7\r\nboolean\r\n");
        assertThat(rig.eval("return type(redis.call('RAW', '_\\r\\n'))")).isEqualTo("$3\r\nnil\r\n");
        assertThat(rig.eval("return redis.call('RAW', ':12\\r\\n') + 1")).isEqualTo(":13\r\n");
        assertThat(rig.eval("return redis.call('SET', 'a', 'b').ok")).isEqualTo("$2\r\nOK\r\n");
        assertThat(rig.eval("return redis.call('RAW', '*2\\r\\n:1\\r\\n*1\\r\\n$1\\r\\nx\\r\\n')[2][1]"))
                .isEqualTo("$1\r\nx\r\n");
        assertThat(rig.eval("return redis.call('RAW', '%1\\r\\n$1\\r\\nk\\r\\n:7\\r\\n').map.k"))
                .isEqualTo(":7\r\n");
        assertThat(rig.eval("return redis.call('RAW', '~1\\r\\n$1\\r\\nk\\r\\n').set.k"))
                .isEqualTo(":1\r\n");
        assertThat(rig.eval("return redis.call('RAW', ',2.5\\r\\n').double * 2"))
                .isEqualTo(":5\r\n");
        assertThat(rig.eval("return redis.call('RAW', '(123\\r\\n').big_number"))
                .isEqualTo("$3\r\n123\r\n");
        assertThat(rig.eval("return redis.call('RAW', '=6\\r\\ntxt:hi\\r\\n').verbatim_string.string"))
                .isEqualTo("$2\r\nhi\r\n");
        assertThat(rig.eval("return redis.call('RAW', '#t\\r\\n')")).isEqualTo(":1\r\n");
    }

    @Test
    void shouldCallWithNumbersAsRedisWritesThem() {
        rig.eval("redis.call('X', 1e15, 3.5, -0.1, 2^53, 1e300)");

        assertThat(rig.called)
                .containsExactly(List.of("X", "1000000000000000", "3.5", "-0.1", "9007199254740992", "1e+300"));
    }

    @Test
    void shouldCallInTheProtocolTheScriptChose() {
        assertThat(rig.eval("return redis.call('PROTOCOL')")).isEqualTo(":2\r\n");
        assertThat(rig.eval("redis.setresp(3) return redis.call('PROTOCOL')")).isEqualTo(":3\r\n");
        assertThat(rig.eval("return redis.call('PROTOCOL')")).isEqualTo(":2\r\n");
    }

    @Test
    void shouldRaiseErrorsOfCallAndReturnThoseOfPcall() {
        rig.reply = "-WRONGTYPE Not that kind\r\n";

        assertThat(rig.eval("return redis.call('GET')"))
                .matches("-WRONGTYPE Not that kind script: [0-9a-f]{40}, on @user_script:1\\.\r\n");
        assertThat(rig.eval("return redis.pcall('GET')")).isEqualTo("-WRONGTYPE Not that kind\r\n");
        assertThat(rig.eval("return redis.pcall('GET').err")).isEqualTo("$23\r\nWRONGTYPE Not that kind\r\n");
        assertThat(rig.eval("local ok, e = pcall(redis.call, 'GET') return e"))
                .isEqualTo("$23\r\nWRONGTYPE Not that kind\r\n");
    }

    @Test
    void shouldRefuseCallsWithoutOrWithWrongArguments() {
        assertThat(rig.eval("return redis.call()"))
                .startsWith("-ERR Please specify at least one argument for this redis.call() call script: ");
        assertThat(rig.eval("return redis.pcall('a', {})"))
                .isEqualTo("-ERR Lua redis lib command arguments must be strings or integers\r\n");
        assertThat(rig.called).isEmpty();
    }

    @Test
    void shouldSayWhereAScriptFailed() {
        assertThat(rig.eval("local a = {}\nreturn a.b.c"))
                .matches("-ERR user_script:2: attempt to index field 'b' \\(a nil value\\)"
                        + " script: [0-9a-f]{40}, on @user_script:2\\.\r\n");
        assertThat(rig.eval("error('boom')")).matches("-ERR user_script:1: boom script: [0-9a-f]{40}, on .*\r\n");
        assertThat(rig.eval("return {"))
                .isEqualTo(
                        "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '<eof>'\r\n");
    }

    @Test
    void shouldMakeErrorAndStatusReplies() {
        assertThat(rig.eval("return redis.error_reply('MY_ERR custom msg')")).isEqualTo("-MY_ERR custom msg\r\n");
        assertThat(rig.eval("return redis.error_reply('-MY_ERR custom msg')")).isEqualTo("-MY_ERR custom msg\r\n");
        assertThat(rig.eval("return redis.error_reply('alone')")).isEqualTo("-ERR alone\r\n");
        assertThat(rig.eval("return redis.status_reply('FINE')")).isEqualTo("+FINE\r\n");
        assertThat(rig.eval("return redis.status_reply()")).isEqualTo("-ERR wrong number or type of arguments\r\n");
    }

    @Test
    void shouldLogAndHashAndNameItsVersion() {
        rig.eval("redis.log(redis.LOG_WARNING, 'one', 2)");

        assertThat(rig.logged).containsExactly("3 one 2");
        assertThat(rig.eval("return redis.sha1hex('return 1')")).isEqualTo("$40\r\n" + ONE_SHA + "\r\n");
        assertThat(rig.eval("return redis.REDIS_VERSION")).isEqualTo("$5\r\n7.2.4\r\n");
        assertThat(rig.eval("return redis.REDIS_VERSION_NUM")).isEqualTo(":" + 0x070204 + "\r\n");
        assertThat(rig.eval("redis.set_repl(redis.REPL_ALL) return redis.replicate_commands()"))
                .isEqualTo(":1\r\n");
    }

    @Test
    void shouldFindScriptsByNameInEitherCaseUntilFlushed() {
        final Script script = rig.load("return 1");

        assertThat(script.name()).isEqualTo(ONE_SHA);
        assertThat(rig.find(ONE_SHA)).isSameAs(script);
        assertThat(rig.find(ONE_SHA.toUpperCase(java.util.Locale.ROOT))).isSameAs(script);
        assertThat(rig.find(ONE_SHA.replace('e', 'f'))).isNull();
        assertThat(rig.find("short")).isNull();

        rig.engine.flush();

        assertThat(rig.find(ONE_SHA)).isNull();
        assertThat(rig.eval("return 1")).isEqualTo(":1\r\n");
    }

    @Test
    void shouldForgetTheLeastUsedOfScriptsThatWereOnlyEvaluated() {
        final Script kept = rig.load("return 'kept'");
        rig.eval("return 1");
        for (int i = 0; i < ScriptCache.EVALUATED + 10; i++) {
            rig.eval("return 'n" + i + "'");
        }

        assertThat(rig.find(ONE_SHA)).isNull();
        assertThat(rig.find(kept.name())).isSameAs(kept);
        assertThat(rig.engine.scripts()).isEqualTo(ScriptCache.EVALUATED + 1);
    }

    @Test
    void shouldReadTheShebangLine() {
        assertThat(rig.load("#!lua flags=no-writes,allow-oom\nreturn 1").flags())
                .isEqualTo(Script.NO_WRITES | Script.ALLOW_OOM);
        assertThat(rig.load("#!lua\nreturn 1").flags()).isZero();
        assertThat(rig.load("#!lua flags=\nreturn 1").flags()).isZero();
        assertThat(rig.load("return 1").flags()).isEqualTo(Script.COMPATIBLE);
        assertThat(rig.eval("#!lua")).isEqualTo("-ERR Invalid script shebang\r\n");
        assertThat(rig.eval("#!python\nreturn 1")).isEqualTo("-ERR Unexpected engine in script shebang: #!python\r\n");
        assertThat(rig.eval("#!lua flags=wrong\nreturn 1"))
                .isEqualTo("-ERR Unexpected flag in script shebang: wrong\r\n");
        assertThat(rig.eval("#!lua bad\nreturn 1")).isEqualTo("-ERR Unknown lua shebang option: bad\r\n");
        assertThat(rig.eval("#!lua\nreturn x")).contains("user_script:2:");
    }

    @Test
    void shouldGiveAllNativeMemoryBackWhenClosed() {
        final long before = Memory.allocatedBytes();
        try (ScriptRig other = new ScriptRig()) {
            other.eval("return string.rep('x', 1000000)");
            other.load("return {KEYS, ARGV}");
            other.eval("return redis.call('ECHO', string.rep('x', 1000000))");
            other.engine.flush();
            other.eval("return cjson.encode({1, 2})");
        }

        assertThat(Memory.allocatedBytes()).isEqualTo(before);
    }

    @Test
    void shouldGiveRandomNumbersByTheirSeed() {
        final String script = "math.randomseed(42) return {math.random(1000), math.random(5, 9), math.random() < 1}";

        assertThat(rig.eval(script)).isEqualTo(rig.eval(script));
        assertThat(rig.eval("return math.random(0)")).contains("interval is empty");
    }
}
