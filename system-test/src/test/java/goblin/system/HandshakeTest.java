// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HELLO, CLIENT and the trains of commands that libraries send when they connect. */
final class HandshakeTest extends RespSuite {
    @Test
    void shouldIntroduceItselfInBothProtocols_P47() {
        assertThat(client.call("HELLO"))
                .startsWith("*14¶$6¶server¶")
                .contains("¶$7¶version¶")
                .contains("¶$5¶proto¶:2¶$2¶id¶:")
                .contains("¶$4¶mode¶$10¶standalone¶$4¶role¶$6¶master¶$7¶modules¶*0¶");
        assertThat(client.call("HELLO", "3"))
                .startsWith("%7¶$6¶server¶")
                .contains("¶$5¶proto¶:3¶$2¶id¶:")
                .contains("¶$7¶modules¶*0¶");
        assertThat(client.call("GET", "nokey")).isEqualTo("_¶");
        assertThat(client.call("HELLO", "2")).startsWith("*14¶");
        assertThat(client.call("GET", "nokey")).isEqualTo("$-1¶");
    }

    @Test
    void shouldNameTheSameRedisVersionEverywhere() {
        final String hello = client.call("HELLO").replaceFirst(".*¶\\$7¶version¶\\$\\d+¶([^¶]*)¶.*", "$1");

        assertThat(hello).startsWith(side == Side.REDIS ? "7." : "7.2.");
        assertThat(atHost().call("INFO", "server")).contains("¶redis_version:" + hello + "¶");
        assertThat(client.call("INFO", "server")).contains("¶redis_version:" + hello + "¶");
    }

    @ParameterizedTest
    @CsvSource({
        "HELLO 4, -NOPROTO unsupported protocol version¶",
        "HELLO 1, -NOPROTO unsupported protocol version¶",
        "HELLO abc, -ERR Protocol version is not an integer or out of range¶",
        "HELLO 3 FOO, -ERR Syntax error in HELLO option 'FOO'¶",
    })
    void shouldRefuseAHelloAndStayInTheOldProtocol_P47_P48(final String words, final String error) {
        assertThat(client.call(words.split(" "))).isEqualTo(error);

        assertThat(client.call("GET", "nokey")).isEqualTo("$-1¶");
        assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("$-1¶");
    }

    @Test
    void shouldChangeNothingWhenOnePartOfAHelloIsRefused_P48() {
        assertThat(client.call("HELLO", "3", "SETNAME", "n", "AUTH", "nouser", "x"))
                .startsWith("-WRONGPASS ");
        assertThat(client.call("GET", "nokey")).isEqualTo("$-1¶");
        assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("$-1¶");

        assertThat(client.call("HELLO", "3", "SETNAME", "bad name")).startsWith("-ERR Client names cannot contain ");
        assertThat(client.call("GET", "nokey")).isEqualTo("$-1¶");
        assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("$-1¶");
    }

    @Test
    void shouldRefuseUnknownCommandsInRedissWords_P47() {
        assertThat(client.call("nosuch", "a", "b"))
                .isEqualTo("-ERR unknown command 'nosuch', with args beginning with: 'a' 'b' ¶");
        assertThat(client.call("nosuch")).isEqualTo("-ERR unknown command 'nosuch', with args beginning with: ¶");
        assertThat(client.call("no\r\nsuch", "a\r\n+FORGED"))
                .startsWith("-ERR unknown command 'no")
                .endsWith("¶");
        assertThat(client.call("PING")).isEqualTo("+PONG¶");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldServeAConnectTrain_P49(final boolean inOneWrite) {
        final String[] train = {
            command("HELLO", "3"),
            command("CLIENT", "SETINFO", "LIB-NAME", "my-lib"),
            command("CLIENT", "SETINFO", "LIB-VER", "1.0"),
            command("CLIENT", "SETNAME", "app"),
            command("SELECT", "0"),
            command("CLIENT", "NO-EVICT", "ON"),
            command("CLIENT", "NO-TOUCH", "ON"),
            command("CLIENT", "ID"),
            command("PING"),
        };
        if (inOneWrite) {
            client.raw(String.join("", train));
        } else {
            for (final String part : train) {
                client.raw(part);
            }
        }

        assertThat(client.reply()).startsWith("%7¶");
        assertThat(client.replies(6)).containsOnly("+OK¶");
        assertThat(client.reply()).matches(":[1-9]\\d*¶");
        assertThat(client.reply()).isEqualTo("+PONG¶");
        assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("$3¶app¶");
        assertThat(client.call("CLIENT", "INFO"))
                .contains(" name=app ")
                .contains(" lib-name=my-lib ")
                .contains(" lib-ver=1.0");
        assertThat(other.call("CLIENT", "LIST")).contains(" name=app ");
    }

    @Test
    void shouldRefuseFaultySetUpCommandsAndStayOpen_P49() {
        assertThat(client.call("CLIENT", "SETINFO", "LIB-NAME", "a b")).startsWith("-ERR lib-name cannot contain ");
        assertThat(client.call("CLIENT", "SETINFO", "FOO", "x")).isEqualTo("-ERR Unrecognized option 'FOO'¶");
        assertThat(client.call("CLIENT", "FOO")).isEqualTo("-ERR unknown subcommand 'FOO'. Try CLIENT HELP.¶");
        assertThat(client.call("SELECT", "1")).isEqualTo("-ERR DB index is out of range¶");
        assertThat(client.call("SELECT", "x")).isEqualTo("-ERR value is not an integer or out of range¶");
        assertThat(client.call("PING")).isEqualTo("+PONG¶");
    }

    @Test
    void shouldGiveEveryClientAnIdOfItsOwn() {
        final String id = client.call("CLIENT", "ID");

        assertThat(client.call("CLIENT", "ID")).isEqualTo(id);
        assertThat(other.call("CLIENT", "ID")).isNotEqualTo(id);
        final String digits = id.substring(1, id.length() - 1);
        assertThat(other.call("CLIENT", "LIST", "ID", digits)).contains("id=" + digits + " ");
    }

    @Test
    void shouldKillTheClientNamedById() {
        final String id = client.call("CLIENT", "ID");

        assertThat(other.call("CLIENT", "KILL", "ID", id.substring(1, id.length() - 1)))
                .isEqualTo(":1¶");

        assertThat(client.rest()).isEmpty();
        assertThat(other.call("PING")).isEqualTo("+PONG¶");
    }

    @Test
    void shouldAnswerQuitBehindWhatCameBefore() {
        client.raw(command("SET", "k", "v") + command("QUIT") + command("SET", "k", "w"));

        assertThat(client.rest()).isEqualTo("+OK¶+OK¶");
        assertThat(other.call("GET", "k")).isEqualTo("$1¶v¶");
    }
}
