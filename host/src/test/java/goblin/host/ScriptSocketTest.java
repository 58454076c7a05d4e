// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.testkit.RespClient;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Scripts of real clients on a real server. */
@Timeout(120)
final class ScriptSocketTest {
    private static final String SHA_OF_RETURN_1 = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";
    private static final String ENDLESS = "while true do end";

    /** Options as the program reads them. */
    @Command
    private static final class Options implements Runnable {
        @Mixin
        private final HostContext context = new HostContext();

        @Override
        public void run() {}
    }

    private final List<RespClient> clients = new ArrayList<>();
    private Host host;
    private RespClient client;

    @BeforeEach
    void start() {
        final Options options = new Options();
        new CommandLine(options).parseArgs("--port", "0");
        options.context.conclude();
        host = new Host(options.context);
        host.start();
        client = connect();
    }

    @AfterEach
    void stop() {
        clients.forEach(RespClient::close);
        host.close();
    }

    private RespClient connect() {
        final RespClient connected = RespClient.connect(host.tcpPort());
        clients.add(connected);
        return connected;
    }

    @Test
    void shouldEvaluateAndRememberScripts() {
        assertThat(client.command("EVAL", "return redis.call('SET', KEYS[1], ARGV[1])", "1", "k", "v"))
                .isEqualTo("+OK");
        assertThat(client.command("EVAL", "return {KEYS, ARGV, redis.call('GET', KEYS[1])}", "1", "k", "a", "b"))
                .isEqualTo("[[\"k\"], [\"a\", \"b\"], \"v\"]");
        assertThat(client.command("EVALSHA", SHA_OF_RETURN_1, "0"))
                .isEqualTo("-NOSCRIPT No matching script. Please use EVAL.");
        assertThat(client.command("SCRIPT", "LOAD", "return 1")).isEqualTo('"' + SHA_OF_RETURN_1 + '"');
        assertThat(client.command("EVALSHA", SHA_OF_RETURN_1, "0")).isEqualTo(":1");
        assertThat(client.command("EVALSHA_RO", SHA_OF_RETURN_1.toUpperCase(java.util.Locale.ROOT), "0"))
                .isEqualTo(":1");
        assertThat(client.command("SCRIPT", "EXISTS", SHA_OF_RETURN_1, "none")).isEqualTo("[:1, :0]");
        assertThat(client.command("SCRIPT", "FLUSH", "SYNC")).isEqualTo("+OK");
        assertThat(client.command("SCRIPT", "EXISTS", SHA_OF_RETURN_1)).isEqualTo("[:0]");
        assertThat(client.command("SCRIPT", "FLUSH", "LATER"))
                .isEqualTo("-ERR SCRIPT FLUSH only support SYNC|ASYNC option");
        assertThat(client.command("SCRIPT", "DEBUG", "YES")).startsWith("-ERR SCRIPT DEBUG is not available");
        assertThat(client.command("SCRIPT", "HELP")).contains("LOAD <script>");
    }

    @Test
    void shouldCheckTheNumberOfKeys() {
        assertThat(client.command("EVAL", "return 1", "x")).isEqualTo("-ERR value is not an integer or out of range");
        assertThat(client.command("EVAL", "return 1", "2", "a"))
                .isEqualTo("-ERR Number of keys can't be greater than number of args");
        assertThat(client.command("EVAL", "return 1", "-1")).isEqualTo("-ERR Number of keys can't be negative");
        assertThat(client.command("EVAL", "return 1")).isEqualTo("-ERR wrong number of arguments for 'eval' command");
    }

    @Test
    void shouldRefuseWhatAScriptMayNotCall() {
        assertThat(client.command("EVAL", "return redis.pcall('nonsense')", "0"))
                .isEqualTo("-ERR Unknown Redis command called from script");
        assertThat(client.command("EVAL", "return redis.pcall('config', 'nonsense')", "0"))
                .isEqualTo("-ERR Unknown Redis command called from script");
        assertThat(client.command("EVAL", "return redis.pcall('get')", "0"))
                .isEqualTo("-ERR Wrong number of args calling Redis command from script");
        assertThat(client.command("EVAL", "return redis.pcall('subscribe', 'c')", "0"))
                .isEqualTo("-ERR This Redis command is not allowed from script");
        assertThat(client.command("EVAL", "return redis.pcall('eval', 'return 1', 0)", "0"))
                .isEqualTo("-ERR This Redis command is not allowed from script");
        assertThat(client.command("EVAL", "return redis.call('incr', 'foo')", "0"))
                .isEqualTo(":1");
        assertThat(client.command("EVAL_RO", "return redis.call('incr', 'foo')", "1", "foo"))
                .startsWith("-ERR Write commands are not allowed from read-only scripts. script: ");
        assertThat(client.command("EVAL_RO", "return redis.call('get', 'foo')", "1", "foo"))
                .isEqualTo("\"1\"");
        assertThat(client.command("EVAL", "#!lua flags=no-writes\nreturn redis.call('incr', 'foo')", "0"))
                .startsWith("-ERR Write commands are not allowed from read-only scripts. script: ");
        assertThat(client.command("EVAL_RO", "#!lua\nreturn 1", "0"))
                .isEqualTo("-ERR Can not execute a script with write flag using *_ro command.");
    }

    @Test
    void shouldMindTheMemoryLimit() {
        client.command("SET", "k", "v");
        client.command("CONFIG", "SET", "maxmemory", "1");

        assertThat(client.command("EVAL", "return redis.call('set', 'k', 'w')", "1", "k"))
                .startsWith("-OOM command not allowed when used memory > 'maxmemory'.");
        assertThat(client.command("EVAL", "redis.call('del', 'k') return redis.call('set', 'k', 'w')", "1", "k"))
                .isEqualTo("+OK");
        assertThat(client.command("EVAL", "return redis.call('get', 'k')", "1", "k"))
                .isEqualTo("\"w\"");
        assertThat(client.command("EVAL", "#!lua\nreturn 1", "0")).startsWith("-OOM allow-oom flag is not set");
        assertThat(client.command("EVAL", "#!lua flags=no-writes\nreturn 1", "0"))
                .isEqualTo(":1");
        assertThat(client.command("EVAL", "#!lua flags=allow-oom\nreturn redis.call('set','k','x')", "1", "k"))
                .isEqualTo("+OK");
    }

    @Test
    void shouldAnswerInBothProtocols() {
        assertThat(client.command("EVAL", "return {1, 'a', {ok='x'}, false}", "0"))
                .isEqualTo("[:1, \"a\", +x, $-1]");
        client.command("HELLO", "3");
        assertThat(client.command("EVAL", "redis.setresp(3) return {map={a=true}}", "0"))
                .isEqualTo("%{\"a\": #t}");
        assertThat(client.command("EVAL", "return {double=2.5}", "0")).isEqualTo(",2.5");
        assertThat(client.command("EVAL", "return redis.call('get', 'none') == false", "0"))
                .isEqualTo(":1");
        assertThat(client.command("EVAL", "redis.setresp(3) return redis.call('get', 'none') == nil", "0"))
                .isEqualTo("#t");
    }

    @Test
    void shouldPublishFromScripts() {
        final RespClient subscriber = connect();
        subscriber.command("SUBSCRIBE", "c");

        assertThat(client.command("EVAL", "return redis.call('publish', 'c', ARGV[1])", "0", "m"))
                .isEqualTo(":1");
        assertThat(subscriber.read()).isEqualTo("[\"message\", \"c\", \"m\"]");
        client.command("HELLO", "3");
        client.command("SUBSCRIBE", "c");
        assertThat(client.command("EVAL", "redis.call('publish', 'c', 'own') return 'reply first'", "0"))
                .isEqualTo("\"reply first\"");
        assertThat(client.read()).isEqualTo(">[\"message\", \"c\", \"own\"]");
    }

    @Test
    void shouldRunInsideTransactionsAndServeWaitingClients() {
        final RespClient waiting = connect();
        waiting.command("GET", "none");
        client.send("MULTI")
                .send("EVAL", "return redis.call('incr', 'n')", "0")
                .send("INCR", "n")
                .send("EXEC");

        assertThat(client.read(4)).containsExactly("+OK", "+QUEUED", "+QUEUED", "[:1, :2]");
    }

    @Test
    void shouldKillAnEndlessScript() {
        client.command("CONFIG", "SET", "busy-reply-threshold", "50");
        client.send("EVAL", ENDLESS, "0");
        final RespClient other = connect();
        awaitBusy(other);

        assertThat(other.command("GET", "k"))
                .isEqualTo("-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.");
        assertThat(other.command("EVAL", "return 1", "0")).startsWith("-BUSY");
        assertThat(other.command("SCRIPT", "KILL")).isEqualTo("+OK");
        assertThat(client.read())
                .matches("-ERR Script killed by user with SCRIPT KILL\\. script: [0-9a-f]{40}, on @user_script:1\\.");
        assertThat(client.command("PING")).isEqualTo("+PONG");
        assertThat(other.command("PING")).isEqualTo("+PONG");
        assertThat(other.command("SCRIPT", "KILL")).isEqualTo("-NOTBUSY No scripts in execution right now.");
    }

    @Test
    void shouldNotKillAScriptThatHasWritten() {
        client.command("CONFIG", "SET", "busy-reply-threshold", "50");
        client.send(
                "EVAL",
                "redis.call('set', 'k', 'v') while redis.call('time')[1] < ARGV[1] do end return 'done'",
                "0",
                Long.toString(System.currentTimeMillis() / 1000 + 2));
        final RespClient other = connect();
        awaitBusy(other);

        assertThat(other.command("SCRIPT", "KILL")).startsWith("-UNKILLABLE Sorry the script already executed write");
        assertThat(client.read()).isEqualTo("\"done\"");
    }

    @Test
    void shouldKeepCommandsThatCameBeforeTheScriptCountedAsBusy() {
        client.command("CONFIG", "SET", "busy-reply-threshold", "60000");
        final RespClient other = connect();
        other.command("PING");
        final String second = Long.toString(System.currentTimeMillis() / 1000 + 2);
        client.send("EVAL", "while redis.call('time')[1] < ARGV[1] do end return 1", "0", second);

        assertThat(other.send("SET", "k", "v").send("GET", "k").read(2)).containsExactly("+OK", "\"v\"");
        assertThat(client.read()).isEqualTo(":1");
    }

    @Test
    void shouldGoOnWhenTheClientOfALongScriptIsGone() {
        client.command("CONFIG", "SET", "busy-reply-threshold", "50");
        client.send("MULTI")
                .send("EVAL", ENDLESS, "0")
                .send("SET", "after", "1")
                .send("EXEC")
                .read(3);
        final RespClient other = connect();
        awaitBusy(other);
        client.reset();
        final List<RespClient> crowd =
                IntStream.range(0, 50).mapToObj(i -> connect()).collect(Collectors.toList());
        crowd.forEach(one -> assertThat(one.command("GET", "x")).startsWith("-BUSY"));

        assertThat(other.command("SCRIPT", "KILL")).isEqualTo("+OK");
        await().until(() -> !other.command("PING").startsWith("-BUSY"));
        crowd.forEach(one -> assertThat(one.command("GET", "x")).isEqualTo("$-1"));
        assertThat(other.command("GET", "after")).isEqualTo("\"1\"");
    }

    @Test
    void shouldAnswerOnlyItsOwnClientAfterALongScript() {
        client.command("CONFIG", "SET", "busy-reply-threshold", "20");
        final RespClient other = connect();
        for (int round = 0; round < 5; round++) {
            client.send("PING", "before")
                    .send("EVAL", ENDLESS + " return 'x'", "0")
                    .send("PING", "after");
            awaitBusy(other);
            for (int i = 0; i < 100; i++) {
                assertThat(other.command("GET", "k")).startsWith("-BUSY");
            }
            other.command("SCRIPT", "KILL");

            assertThat(client.read()).isEqualTo("\"before\"");
            assertThat(client.read()).startsWith("-ERR Script killed");
            assertThat(client.read()).isEqualTo("\"after\"");
        }
    }

    @Test
    void shouldStopDuringAnEndlessScript() {
        client.command("CONFIG", "SET", "busy-reply-threshold", "50");
        client.send("EVAL", "redis.call('set', 'k', 'v') " + ENDLESS, "0");
        final RespClient other = connect();
        awaitBusy(other);
        other.send("SHUTDOWN", "NOSAVE");

        assertThat(client.read()).startsWith("-ERR Script killed");
        assertThat(client.readUntilClosed()).isEmpty();
    }

    @Test
    void shouldFailAMultiThatMeetsABusyScript() {
        client.command("CONFIG", "SET", "lua-time-limit", "10");
        final RespClient other = connect();
        other.command("PING");
        client.send("EVAL", ENDLESS, "0");
        awaitBusy(connect());

        assertThat(other.command("MULTI")).isEqualTo("+OK");
        assertThat(other.command("INCR", "x")).startsWith("-BUSY");
        assertThat(other.command("EXEC")).startsWith("-EXECABORT").contains("BUSY");
        assertThat(other.command("SCRIPT", "KILL")).isEqualTo("+OK");
        assertThat(client.read()).startsWith("-ERR Script killed");
    }

    private static void awaitBusy(final RespClient other) {
        await().until(() -> other.command("PING").startsWith("-BUSY"));
    }

    @Test
    void shouldLetTimeStandStillDuringAScriptWhoeverSpeaksMeanwhile() {
        final RespClient other = connect();
        final java.util.concurrent.CompletableFuture<String> reply =
                java.util.concurrent.CompletableFuture.supplyAsync(() -> client.command(
                        "EVAL",
                        "redis.call('SET', KEYS[1], 'v', 'PX', 50) for i = 1, 300000 do "
                                + "if not redis.call('GET', KEYS[1]) then return 'gone' end end return 'there'",
                        "1",
                        "k"));
        org.awaitility.Awaitility.await()
                .pollInterval(java.time.Duration.ofMillis(10))
                .until(() -> {
                    other.send("PING");
                    return reply.isDone();
                });
        assertThat(reply.join()).isEqualTo("\"there\"");
        org.awaitility.Awaitility.await()
                .untilAsserted(() -> assertThat(client.command("GET", "k")).isEqualTo("$-1"));
    }
}
