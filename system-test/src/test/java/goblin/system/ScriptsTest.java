// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.WireClient;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Scripts that publish, and that read and write what other commands see. */
final class ScriptsTest extends RespSuite {
    @Test
    void shouldDeliverOneMessageForEachRunOfAScript_P34() {
        final WireClient subscriber = open();
        subscriber.call("SUBSCRIBE", "c");
        final int clients = 4;
        final int runs = 250;
        final String script = "redis.call('publish','c','m') return redis.call('incr','k')";
        final List<WireClient> callers = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            callers.add(open());
            callers.getLast().raw(command("EVAL", script, "0").repeat(runs));
        }
        for (final WireClient caller : callers) {
            assertThat(caller.replies(runs)).allMatch(reply -> reply.startsWith(":"));
        }

        assertThat(other.call("GET", "k")).isEqualTo("$4¶1000¶");
        assertThat(subscriber.replies(clients * runs)).containsOnly("*3¶$7¶message¶$1¶c¶$1¶m¶");
        subscriber.expectSilence();
    }

    @Test
    void shouldKeepTheOrderOfScriptsAndPublicationsOfOneClient() {
        final WireClient subscriber = open();
        subscriber.call("SUBSCRIBE", "c");
        final int rounds = 200;
        final StringBuilder pipeline = new StringBuilder();
        for (int i = 0; i < rounds; i++) {
            pipeline.append(command("PUBLISH", "c", "p" + i))
                    .append(command("EVAL", "return redis.call('publish','c',ARGV[1])", "0", "s" + i));
        }
        client.raw(pipeline.toString());

        assertThat(client.replies(2 * rounds)).containsOnly(":1¶");
        for (int i = 0; i < rounds; i++) {
            assertThat(subscriber.reply()).endsWith("¶p" + i + "¶");
            assertThat(subscriber.reply()).endsWith("¶s" + i + "¶");
        }
    }

    @Test
    void shouldRunScriptsByTheirDigest() {
        assertThat(client.call("SCRIPT", "LOAD", "return ARGV[1]"))
                .isEqualTo("$40¶098e0f0d1448c0a81dafe820f66d460eb09263da¶");
        assertThat(other.call("EVALSHA", "098e0f0d1448c0a81dafe820f66d460eb09263da", "0", "x"))
                .isEqualTo("$1¶x¶");
        assertThat(other.call("EVALSHA", "0".repeat(40), "0")).startsWith("-NOSCRIPT ");
    }

    @Test
    void shouldEndAScriptByKill() {
        final WireClient busy = open();
        busy.send("EVAL", "while true do end", "0");
        final WireClient killer = atHost();
        Awaitility.await().until(() -> killer.call("SCRIPT", "KILL").equals("+OK¶"));

        assertThat(busy.reply()).startsWith("-ERR ").contains("Script killed by user");
        assertThat(client.call("PING")).isEqualTo("+PONG¶");
    }
}
