// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.WireClient;
import org.junit.jupiter.api.Test;

/** Client-side caching and keyspace events: messages that no PUBLISH caused. */
final class InvalidationTest extends RespSuite {
    private static final String INVALIDATE_K = ">2¶$10¶invalidate¶*1¶$1¶k¶";

    @Test
    void shouldPushAnInvalidationToTheClientThatReadTheKey_P63() {
        final WireClient reader = openResp3();
        final WireClient bystander = openResp3();
        assertThat(reader.call("CLIENT", "TRACKING", "ON")).isEqualTo("+OK¶");
        reader.call("GET", "k");

        assertThat(other.call("SET", "k", "2")).isEqualTo("+OK¶");

        assertThat(reader.reply()).isEqualTo(INVALIDATE_K);
        bystander.expectSilence();
        assertThat(other.call("SET", "k", "3")).isEqualTo("+OK¶");
        reader.expectSilence();
    }

    @Test
    void shouldKeepTheOrderOfRepliesAndInvalidations_P63() {
        final WireClient reader = openResp3();
        reader.call("CLIENT", "TRACKING", "ON");
        reader.raw(command("GET", "k") + command("SET", "k", "3") + command("GET", "k"));

        assertThat(reader.replies(4)).containsExactly("_¶", "+OK¶", INVALIDATE_K, "$1¶3¶");
        reader.expectSilence();
    }

    @Test
    void shouldGiveEachCommandOneReplyUnderInvalidations_P63() {
        final WireClient reader = openResp3();
        reader.call("CLIENT", "TRACKING", "ON");
        final int count = 200;
        final StringBuilder pipeline = new StringBuilder();
        for (int i = 0; i < count; i++) {
            pipeline.append(command("GET", "k"));
        }
        for (int round = 0; round < 10; round++) {
            reader.raw(pipeline.toString());
            other.call("SET", "k", "v" + round);
            reader.send("ECHO", "end" + round);

            assertThat(reader.repliesUntil("$4¶end" + round + "¶"))
                    .filteredOn(frame -> !frame.startsWith(">"))
                    .hasSize(count);
        }
    }

    @Test
    void shouldDeliverKeyspaceEventsOnce_P64() {
        final WireClient host = atHost();
        assertThat(host.call("CONFIG", "SET", "notify-keyspace-events", "KEA")).isEqualTo("+OK¶");
        try {
            client.call("PSUBSCRIBE", "__key*__:*");
            for (final WireClient writer : new WireClient[] {other, host}) {
                assertThat(writer.call("SET", "kk", "1")).isEqualTo("+OK¶");

                assertThat(client.replies(2))
                        .containsExactly(
                                "*4¶$8¶pmessage¶$10¶__key*__:*¶$17¶__keyspace@0__:kk¶$3¶set¶",
                                "*4¶$8¶pmessage¶$10¶__key*__:*¶$18¶__keyevent@0__:set¶$2¶kk¶");
                client.expectSilence();
            }
        } finally {
            host.call("CONFIG", "SET", "notify-keyspace-events", "");
        }
    }
}
