// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.WireClient;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who is counted, who receives, and that bytes arrive as they were sent. */
final class PublicationCountsTest extends RespSuite {
    static Stream<Named<Consumer<WireClient>>> endings() {
        return Stream.of(
                Named.of("FIN", WireClient::close),
                Named.of("RST", WireClient::reset),
                Named.of("QUIT", leaving -> leaving.send("QUIT")),
                Named.of("half-close", WireClient::shutdownOutput));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void shouldNotCountASubscriberThatLeft_P30(final Consumer<WireClient> ending) {
        final WireClient host = atHost();
        client.call("SUBSCRIBE", "t");
        client.call("PSUBSCRIBE", "t*");
        client.call("SSUBSCRIBE", "t");
        assertThat(other.call("PUBLISH", "t", "x")).isEqualTo(":2¶");
        assertThat(host.call("PUBLISH", "t", "x")).isEqualTo(":2¶");

        ending.accept(client);

        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(host.call("PUBSUB", "NUMSUB", "t")).isEqualTo("*2¶$1¶t¶:0¶"));
        Awaitility.await()
                .untilAsserted(() -> assertThat(host.call("PUBSUB", "NUMPAT")).isEqualTo(":0¶"));
        assertThat(other.call("PUBLISH", "t", "y")).isEqualTo(":0¶");
        assertThat(other.call("SPUBLISH", "t", "y")).isEqualTo(":0¶");
        assertThat(host.call("PUBLISH", "t", "y")).isEqualTo(":0¶");
    }

    @Test
    void shouldCountEveryNameThatMatches_P32() {
        final WireClient second = open();
        client.send("SUBSCRIBE", "z", "z").replies(2);
        client.send("PSUBSCRIBE", "z*", "z?", "[z]").replies(3);
        second.call("PSUBSCRIBE", "z*");

        assertThat(other.call("PUBLISH", "z", "2")).isEqualTo(":4¶");
        assertThat(client.reply()).isEqualTo("*3¶$7¶message¶$1¶z¶$1¶2¶");
        assertThat(client.replies(2))
                .containsExactlyInAnyOrder("*4¶$8¶pmessage¶$2¶z*¶$1¶z¶$1¶2¶", "*4¶$8¶pmessage¶$3¶[z]¶$1¶z¶$1¶2¶");
        client.expectSilence();
        assertThat(second.reply()).isEqualTo("*4¶$8¶pmessage¶$2¶z*¶$1¶z¶$1¶2¶");

        for (final WireClient asked : new WireClient[] {other, atHost()}) {
            assertThat(asked.call("PUBSUB", "NUMSUB", "z", "nope", "z")).isEqualTo("*6¶$1¶z¶:1¶$4¶nope¶:0¶$1¶z¶:1¶");
            assertThat(asked.call("PUBSUB", "NUMPAT")).isEqualTo(":3¶");
            assertThat(asked.call("PUBSUB", "NUMSUB")).isEqualTo("*0¶");
            assertThat(asked.call("PUBSUB", "CHANNELS")).isEqualTo("*1¶$1¶z¶");
            assertThat(asked.call("PUBSUB", "CHANNELS", "y*")).isEqualTo("*0¶");
        }
    }

    @Test
    void shouldCountSubscribersOfHostAndSideOnce() {
        final WireClient host = atHost();
        client.call("SUBSCRIBE", "both");
        atHost().call("SUBSCRIBE", "both");
        atHost().call("PSUBSCRIBE", "bo*");

        assertThat(other.call("PUBLISH", "both", "1")).isEqualTo(":3¶");
        assertThat(host.call("PUBLISH", "both", "2")).isEqualTo(":3¶");
        assertThat(host.call("EVAL", "return redis.call('publish','both','3')", "0"))
                .isEqualTo(":3¶");
        assertThat(other.call("EVAL", "return redis.call('publish','both','4')", "0"))
                .isEqualTo(":3¶");
        for (int i = 1; i <= 4; i++) {
            assertThat(client.reply()).isEqualTo("*3¶$7¶message¶$4¶both¶$1¶" + i + "¶");
        }
        client.expectSilence();
    }

    @Test
    void shouldKeepShardChannelsApartFromPlainOnes_P66() {
        final WireClient host = atHost();
        assertThat(client.call("SUBSCRIBE", "ch")).isEqualTo("*3¶$9¶subscribe¶$2¶ch¶:1¶");
        assertThat(client.call("SSUBSCRIBE", "ch")).isEqualTo("*3¶$10¶ssubscribe¶$2¶ch¶:1¶");

        assertThat(other.call("PUBLISH", "ch", "plain")).isEqualTo(":1¶");
        assertThat(client.reply()).isEqualTo("*3¶$7¶message¶$2¶ch¶$5¶plain¶");
        assertThat(other.call("SPUBLISH", "ch", "shard")).isEqualTo(":1¶");
        assertThat(client.reply()).isEqualTo("*3¶$8¶smessage¶$2¶ch¶$5¶shard¶");
        assertThat(host.call("SPUBLISH", "ch", "host")).isEqualTo(":1¶");
        assertThat(client.reply()).isEqualTo("*3¶$8¶smessage¶$2¶ch¶$4¶host¶");
        for (final WireClient asked : new WireClient[] {other, host}) {
            assertThat(asked.call("PUBSUB", "SHARDCHANNELS")).isEqualTo("*1¶$2¶ch¶");
            assertThat(asked.call("PUBSUB", "SHARDNUMSUB", "ch", "no")).isEqualTo("*4¶$2¶ch¶:1¶$2¶no¶:0¶");
        }

        client.raw(WireClient.command("SUNSUBSCRIBE", "ch") + WireClient.command("SUNSUBSCRIBE", "ch"));
        assertThat(client.replies(2)).containsOnly("*3¶$12¶sunsubscribe¶$2¶ch¶:0¶");
        client.expectSilence();
        assertThat(host.call("PUBSUB", "SHARDNUMSUB", "ch")).isEqualTo("*2¶$2¶ch¶:0¶");
        assertThat(host.call("PUBSUB", "NUMSUB", "ch")).isEqualTo("*2¶$2¶ch¶:1¶");
    }

    @Test
    void shouldCarryAnyByteInNamesAndPayloads_P61() {
        final String channel = "\0\r\n\u00ff*";
        final String payload = "\r\n\0";
        final String everyByte = everyByte();
        for (final String[] pair : new String[][] {{channel, payload}, {"", ""}, {everyByte, everyByte}}) {
            final WireClient subscriber = open();
            subscriber.call("SUBSCRIBE", pair[0]);
            for (final WireClient publisher : new WireClient[] {other, atHost()}) {
                assertThat(publisher.call("PUBLISH", pair[0], pair[1])).isEqualTo(":1¶");
                assertThat(subscriber.replyBytes()).isEqualTo(bytes(message(pair[0], pair[1])));
            }
            subscriber.close();
        }
    }

    @Test
    void shouldCarryAnyByteInKeysAndValues_P61() {
        final String everyByte = everyByte();

        assertThat(client.call("SET", everyByte, everyByte)).isEqualTo("+OK¶");

        assertThat(other.send("GET", everyByte).replyBytes()).isEqualTo(bytes("$256\r\n" + everyByte + "\r\n"));
    }

    private static String everyByte() {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < 256; i++) {
            text.append((char) i);
        }
        // The client writes CR LF for this character, so the sequence stands for the bytes without it.
        return text.toString().replace('¶', 'P');
    }

    private static String message(final String channel, final String payload) {
        return "*3\r\n$7\r\nmessage\r\n$" + channel.length() + "\r\n" + channel + "\r\n$" + payload.length() + "\r\n"
                + payload + "\r\n";
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(ISO_8859_1);
    }
}
