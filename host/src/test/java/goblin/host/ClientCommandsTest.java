// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.testkit.RespClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ClientCommandsTest {
    private final HostUnderTest host = HostUnderTest.start();
    private final RespClient client = host.client();
    private final RespClient other = host.client();

    @AfterEach
    void stop() {
        host.close();
    }

    private String id(final RespClient of) {
        return of.command("CLIENT", "ID").substring(1);
    }

    @Test
    void shouldAnswerTheConnectTrainsOfLibraries_P49() {
        client.send("HELLO", "3")
                .send("CLIENT", "SETINFO", "LIB-NAME", "my-lib")
                .send("CLIENT", "SETINFO", "LIB-VER", "1.0")
                .send("CLIENT", "SETNAME", "app")
                .send("SELECT", "0")
                .send("CLIENT", "NO-EVICT", "ON")
                .send("CLIENT", "NO-TOUCH", "ON")
                .send("CLIENT", "ID")
                .send("PING");
        assertThat(client.read()).startsWith("%{\"server\": \"redis\", \"version\": \"7.2.");
        assertThat(client.read(6)).containsOnly("+OK");
        assertThat(client.read()).startsWith(":");
        assertThat(client.read()).isEqualTo("+PONG");
        assertThat(client.command("CLIENT", "SETINFO", "LIB-NAME", "a b")).startsWith("-ERR lib-name cannot contain");
        assertThat(client.command("CLIENT", "SETINFO", "FOO", "x")).isEqualTo("-ERR Unrecognized option 'FOO'");
        assertThat(client.command("CLIENT", "FOO")).startsWith("-ERR unknown subcommand 'FOO'");
        assertThat(other.command("CLIENT", "LIST")).contains("name=app").contains("lib-name=my-lib lib-ver=1.0");
    }

    @Test
    void shouldRefuseUnknownProtocols_P47() {
        assertThat(client.command("HELLO", "4")).isEqualTo("-NOPROTO unsupported protocol version");
        assertThat(client.command("HELLO", "1")).isEqualTo("-NOPROTO unsupported protocol version");
        assertThat(client.command("HELLO", "abc")).isEqualTo("-ERR Protocol version is not an integer or out of range");
        assertThat(client.command("HELLO")).contains("\"proto\", :2");
        assertThat(client.command("nosuch", "a", "b"))
                .isEqualTo("-ERR unknown command 'nosuch', with args beginning with: 'a' 'b' ");
    }

    @Test
    void shouldLetOneLineOfAnErrorBeOneLine() {
        client.send("no\r\n+OK\r\nsuch", "x\ny");
        assertThat(client.read()).startsWith("-ERR unknown command 'no  +OK  such'");
        client.expectNothing();
    }

    @Test
    void shouldCloseKilledClients() {
        final String killed = id(client);
        assertThat(other.command("CLIENT", "KILL", "ID", killed)).isEqualTo(":1");
        assertThat(client.readUntilClosed()).isEmpty();
        assertThat(other.command("CLIENT", "KILL", "ID", killed)).isEqualTo(":0");
        assertThat(other.command("CLIENT", "KILL", "1.2.3.4:5")).isEqualTo("-ERR No such client");
        other.send("CLIENT", "KILL", "ID", id(other), "SKIPME", "no");
        assertThat(other.readUntilClosed()).isEqualTo(":1\r\n");
    }

    @Test
    void shouldEndTheWaitOfAnUnblockedClient() {
        final String blocked = id(client);
        client.send("BLPOP", "l", "0");
        await().untilAsserted(() ->
                assertThat(other.command("CLIENT", "UNBLOCK", blocked)).isEqualTo(":1"));
        assertThat(client.read()).isEqualTo("*-1");
        client.send("BLMOVE", "a", "b", "LEFT", "LEFT", "0");
        await().untilAsserted(() ->
                assertThat(other.command("CLIENT", "UNBLOCK", blocked, "ERROR")).isEqualTo(":1"));
        assertThat(client.read()).isEqualTo("-UNBLOCKED client unblocked via CLIENT UNBLOCK");
        assertThat(other.command("CLIENT", "UNBLOCK", blocked)).isEqualTo(":0");
    }

    @Test
    void shouldHoldWritesBackDuringAPause() {
        assertThat(other.command("CLIENT", "PAUSE", "60000", "WRITE")).isEqualTo("+OK");
        client.send("GET", "k").send("SET", "k", "v").send("GET", "k");
        assertThat(client.read()).isEqualTo("$-1");
        assertThat(other.command("EXISTS", "k")).isEqualTo(":0");
        assertThat(other.command("CLIENT", "UNPAUSE")).isEqualTo("+OK");
        assertThat(client.read(2)).containsExactly("+OK", "\"v\"");
        assertThat(other.command("CLIENT", "PAUSE", "30")).isEqualTo("+OK");
        assertThat(client.command("PING")).isEqualTo("+PONG");
    }

    @Test
    void shouldDescribeEveryCommandByOneTable() {
        assertThat(client.command("COMMAND", "COUNT")).matches(":[12][0-9]{2}");
        assertThat(client.command("COMMAND", "INFO", "get", "nosuch"))
                .startsWith("[[\"get\", :2, [+readonly, +fast], :1, :1, :1, ")
                .endsWith(", *-1]");
        assertThat(client.command("COMMAND", "GETKEYS", "MSET", "a", "1", "b", "2"))
                .isEqualTo("[\"a\", \"b\"]");
        assertThat(client.command("COMMAND", "GETKEYS", "LMPOP", "2", "a", "b", "LEFT"))
                .isEqualTo("[\"a\", \"b\"]");
        assertThat(client.command("COMMAND", "GETKEYS", "PING")).isEqualTo("-ERR The command has no key arguments");
    }

    @Test
    void shouldFinishAPipelineOfPublicationsToOneself_P38() {
        client.command("HELLO", "3");
        client.command("SUBSCRIBE", "c");
        final String payload = "x".repeat(1024);
        final int count = 2000;
        client.raw(("PUBLISH c " + payload + "\r\n").repeat(count));
        for (int i = 0; i < count; i++) {
            assertThat(client.read()).isEqualTo(":1");
            assertThat(client.read()).isEqualTo(">[\"message\", \"c\", \"" + payload + "\"]");
        }
    }
}
