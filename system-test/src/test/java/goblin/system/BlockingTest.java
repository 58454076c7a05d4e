// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.WireClient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that wait for elements, and those that do not wait to the end. */
final class BlockingTest extends RespSuite {
    static Stream<Named<Consumer<WireClient>>> endings() {
        return Stream.of(
                Named.of("FIN", WireClient::close),
                Named.of("RST", WireClient::reset),
                Named.of("half-close", WireClient::shutdownOutput));
    }

    @Test
    void shouldLetOthersOnWhileOneBlocks_P55() {
        client.raw(command("BLPOP", "L", "0") + command("PING"));
        awaitBlocked(1);
        for (int i = 0; i < 500; i++) {
            assertThat(other.call("PING")).isEqualTo("+PONG¶");
            assertThat(other.call("INCR", "n")).isEqualTo(":" + (i + 1) + "¶");
        }

        assertThat(other.call("RPUSH", "L", "v")).isEqualTo(":1¶");

        assertThat(client.replies(2)).containsExactly("*2¶$1¶L¶$1¶v¶", "+PONG¶");
    }

    @ParameterizedTest
    @MethodSource("endings")
    void shouldPopNothingForAClientThatLeft_P56(final Consumer<WireClient> ending) {
        client.send("BLPOP", "L", "0");
        awaitBlocked(1);

        ending.accept(client);

        awaitBlocked(0);
        assertThat(other.call("RPUSH", "L", "v")).isEqualTo(":1¶");
        assertThat(other.call("LLEN", "L")).isEqualTo(":1¶");
    }

    @Test
    void shouldServeTheOldestWaiterFirst_P56() {
        final WireClient second = open();
        client.send("BLPOP", "L", "0");
        awaitBlocked(1);
        second.send("BLPOP", "L", "0");
        awaitBlocked(2);

        other.call("RPUSH", "L", "a", "b");

        assertThat(client.reply()).isEqualTo("*2¶$1¶L¶$1¶a¶");
        assertThat(second.reply()).isEqualTo("*2¶$1¶L¶$1¶b¶");
    }

    @Test
    void shouldStillRunWhatALeavingClientSentBeforeItsEnd() {
        client.raw(command("SET", "k", "v") + command("RPUSH", "done", "1"));
        client.shutdownOutput();

        assertThat(client.rest()).isEqualTo("+OK¶:1¶");
        assertThat(other.call("GET", "k")).isEqualTo("$1¶v¶");
    }

    @Test
    void shouldUnblockAClientByItsId() {
        final String id = client.call("CLIENT", "ID");
        client.send("BLPOP", "L", "0");
        awaitBlocked(1);

        final String digits = id.substring(1, id.length() - 1);
        assertThat(other.call("CLIENT", "UNBLOCK", digits)).isEqualTo(":1¶");
        assertThat(client.reply()).isEqualTo("*-1¶");

        client.send("BLPOP", "L", "0");
        awaitBlocked(1);
        assertThat(other.call("CLIENT", "UNBLOCK", digits, "ERROR")).isEqualTo(":1¶");
        assertThat(client.reply()).isEqualTo("-UNBLOCKED client unblocked via CLIENT UNBLOCK¶");
        assertThat(other.call("CLIENT", "UNBLOCK", digits)).isEqualTo(":0¶");
    }

    @Test
    void shouldMoveElementsForBlockedClients() {
        client.send("BLMOVE", "src", "dst", "LEFT", "RIGHT", "0");
        awaitBlocked(1);

        other.call("RPUSH", "src", "x");

        assertThat(client.reply()).isEqualTo("$1¶x¶");
        assertThat(other.call("LRANGE", "dst", "0", "-1")).isEqualTo("*1¶$1¶x¶");
    }

    @Test
    void shouldLoseNoElementWhenEverySecondWaiterLeft_P56() {
        final int waiters = 20;
        final List<WireClient> waiting = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            waiting.add(open().send("BLPOP", "L", "0"));
            awaitBlocked(i + 1);
        }
        for (int i = 0; i < waiters; i += 2) {
            if (i % 4 == 0) {
                waiting.get(i).close();
            } else {
                waiting.get(i).reset();
            }
        }
        awaitBlocked(waiters / 2);

        for (int i = 0; i < waiters; i++) {
            other.call("RPUSH", "L", Integer.toString(100 + i));
        }

        for (int i = 1; i < waiters; i += 2) {
            assertThat(waiting.get(i).reply()).isEqualTo("*2¶$1¶L¶$3¶" + (100 + i / 2) + "¶");
        }
        assertThat(other.call("LLEN", "L")).isEqualTo(":" + waiters / 2 + "¶");
    }

    private void awaitBlocked(final int count) {
        final WireClient host = atHost();
        Awaitility.await(count + " blocked")
                .until(() -> host.call("INFO", "clients").contains("¶blocked_clients:" + count + "¶"));
    }
}
