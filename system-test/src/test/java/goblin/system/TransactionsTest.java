// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.WireClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MULTI, EXEC, WATCH and the nulls they answer. */
final class TransactionsTest extends RespSuite {
    private static final String ABORTED = "-EXECABORT Transaction discarded because of previous errors.¶";

    @Test
    void shouldAbortOnAWatchedChange_P51_P53() {
        final WireClient resp3 = openResp3();
        for (final WireClient watching : new WireClient[] {client, resp3}) {
            watching.call("WATCH", "k");
            other.call("INCR", "k");
            watching.raw(command("MULTI") + command("GET", "k") + command("EXEC"));

            assertThat(watching.replies(2)).containsExactly("+OK¶", "+QUEUED¶");
            assertThat(watching.reply()).isEqualTo(watching == resp3 ? "_¶" : "*-1¶");
        }
    }

    @Test
    void shouldForgetWatchedKeysAtUnwatchAndDiscard_P51() {
        client.call("WATCH", "k");
        assertThat(client.call("UNWATCH")).isEqualTo("+OK¶");
        other.call("SET", "k", "3");
        client.raw(command("MULTI") + command("PING") + command("EXEC"));
        assertThat(client.replies(3)).containsExactly("+OK¶", "+QUEUED¶", "*1¶+PONG¶");

        client.call("WATCH", "k");
        other.call("SET", "k", "4");
        client.raw(command("MULTI") + command("DISCARD") + command("MULTI") + command("PING") + command("EXEC"));
        assertThat(client.replies(5)).containsExactly("+OK¶", "+OK¶", "+OK¶", "+QUEUED¶", "*1¶+PONG¶");
    }

    @ParameterizedTest
    @ValueSource(strings = {"WATCH k", "SUBSCRIBE c", "MULTI"})
    void shouldRefuseWhatMakesNoSenseInATransaction_P51(final String refused) {
        client.raw(command("MULTI")
                + command(refused.split(" "))
                + command("PING")
                + command("EXEC")
                + command("GET", "nokey"));

        assertThat(client.reply()).isEqualTo("+OK¶");
        assertThat(client.reply()).startsWith("-ERR ");
        assertThat(client.replies(3)).containsExactly("+QUEUED¶", ABORTED, "$-1¶");
    }

    @Test
    void shouldForwardEveryFormOfNothing_P53() {
        final WireClient resp3 = openResp3();
        for (final WireClient asked : new WireClient[] {client, resp3}) {
            final boolean new3 = asked == resp3;
            asked.raw(command("MULTI") + command("EXEC"));
            assertThat(asked.replies(2)).containsExactly("+OK¶", "*0¶");
            asked.raw(command("MULTI") + command("BLPOP", "nolist", "0") + command("GET", "nokey") + command("EXEC"));
            assertThat(asked.replies(3)).containsExactly("+OK¶", "+QUEUED¶", "+QUEUED¶");
            assertThat(asked.reply()).isEqualTo(new3 ? "*2¶_¶_¶" : "*2¶*-1¶$-1¶");
            assertThat(asked.call("GET", "nokey")).isEqualTo(new3 ? "_¶" : "$-1¶");
            assertThat(asked.call("LPOP", "nokey", "2")).isEqualTo(new3 ? "_¶" : "*-1¶");
            assertThat(asked.call("LRANGE", "nokey", "0", "-1")).isEqualTo("*0¶");
            assertThat(asked.call("SET", "empty", "")).isEqualTo("+OK¶");
            assertThat(asked.call("GET", "empty")).isEqualTo("$0¶¶");
        }
    }

    @Test
    void shouldAbortExecAfterARefusedQueueing_P54() {
        client.raw(command("MULTI") + command("NOSUCH") + command("PING") + command("EXEC") + command("PING"));
        assertThat(client.replies(2).get(1)).startsWith("-ERR unknown command 'NOSUCH'");
        assertThat(client.replies(3)).containsExactly("+QUEUED¶", ABORTED, "+PONG¶");

        client.raw(
                command("MULTI") + command("GET") + command("SET", "k", "v") + command("EXEC") + command("GET", "k"));
        assertThat(client.replies(5))
                .containsExactly(
                        "+OK¶", "-ERR wrong number of arguments for 'get' command¶", "+QUEUED¶", ABORTED, "$-1¶");
    }

    @Test
    void shouldRefuseExecAndDiscardWithoutMulti() {
        assertThat(client.call("EXEC")).isEqualTo("-ERR EXEC without MULTI¶");
        assertThat(client.call("DISCARD")).isEqualTo("-ERR DISCARD without MULTI¶");
        client.raw(command("MULTI") + command("EXEC") + command("EXEC") + command("PING"));
        assertThat(client.replies(4)).containsExactly("+OK¶", "*0¶", "-ERR EXEC without MULTI¶", "+PONG¶");
    }

    @Test
    void shouldQueuePublicationsAndDeliverThemAtExec() {
        final WireClient subscriber = open();
        subscriber.call("SUBSCRIBE", "c");
        client.raw(command("MULTI")
                + command("PUBLISH", "c", "1")
                + command("SET", "k", "v")
                + command("PUBLISH", "c", "2"));
        assertThat(client.replies(4)).containsExactly("+OK¶", "+QUEUED¶", "+QUEUED¶", "+QUEUED¶");
        subscriber.expectSilence();

        assertThat(client.call("EXEC")).isEqualTo("*3¶:1¶+OK¶:1¶");

        assertThat(subscriber.replies(2)).containsExactly("*3¶$7¶message¶$1¶c¶$1¶1¶", "*3¶$7¶message¶$1¶c¶$1¶2¶");
        subscriber.expectSilence();
    }

    @Test
    void shouldDiscardWhatALeavingClientQueued() {
        client.raw(command("MULTI") + command("SET", "k", "v"));
        client.replies(2);
        client.close();

        assertThat(other.call("GET", "k")).isEqualTo("$-1¶");
    }

    @Test
    void shouldRunAWholeTransactionOfOneWriteWithoutMixingClients() {
        final WireClient rival = open();
        for (int round = 0; round < 50; round++) {
            client.raw(command("MULTI") + command("INCR", "n") + command("INCR", "n") + command("EXEC"));
            rival.raw(command("MULTI") + command("INCR", "n") + command("INCR", "n") + command("EXEC"));
            final String exec = client.replies(4).getLast();
            final String rivalsExec = rival.replies(4).getLast();
            final int first = 4 * round + 1;
            assertThat(new String[] {exec, rivalsExec})
                    .containsExactlyInAnyOrder(
                            "*2¶:" + first + "¶:" + (first + 1) + "¶", "*2¶:" + (first + 2) + "¶:" + (first + 3) + "¶");
        }
    }
}
