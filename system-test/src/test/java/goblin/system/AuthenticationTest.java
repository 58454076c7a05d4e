// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.EdgeAndHost;
import goblin.system.rig.Ports;
import goblin.system.rig.ServerProcess;
import goblin.system.rig.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users made by goblin-core-auth, asked for by host and edge, and by the edge's own sessions at the host. */
final class AuthenticationTest {
    private static final String PASSWORD = "secret words";

    @TempDir
    private static Path folder;

    private static EdgeAndHost programs;

    @BeforeAll
    static void start() throws IOException {
        final Path users = folder.resolve("users");
        addUser(users, "default", PASSWORD);
        addUser(users, "alice", "wonderland");
        addUser(users, "edge", "between");
        final Path upstream = Files.writeString(folder.resolve("upstream"), "between\n\n");
        Files.setPosixFilePermissions(upstream, PosixFilePermissions.fromString("rw-------"));
        programs = EdgeAndHost.setup()
                .host("--auth-file", users.toString())
                .edge(
                        "--auth-file",
                        users.toString(),
                        "--upstream-auth-user",
                        "edge",
                        "--upstream-auth-password-file",
                        upstream.toString())
                .start();
    }

    @AfterAll
    static void stop() {
        programs.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"edge", "host"})
    void shouldServeOnlyThoseWhoLoggedIn(final String where) {
        final WireClient client = at(where);
        for (final String[] refused : new String[][] {
            {"PING"}, {"GET", "k"}, {"SUBSCRIBE", "c"}, {"PUBLISH", "c", "m"}, {"CLIENT", "ID"}, {"SELECT", "0"}
        }) {
            assertThat(client.call(refused)).isEqualTo("-NOAUTH Authentication required.¶");
        }
        assertThat(client.call("AUTH", "wrong")).startsWith("-WRONGPASS ");
        assertThat(client.call("AUTH", "nobody", PASSWORD)).startsWith("-WRONGPASS ");
        assertThat(client.call("AUTH", PASSWORD)).isEqualTo("+OK¶");
        assertThat(client.call("SET", "k", "v")).isEqualTo("+OK¶");
        assertThat(client.call("GET", "k")).isEqualTo("$1¶v¶");
        assertThat(at(where).call("AUTH", "alice", "wonderland")).isEqualTo("+OK¶");
    }

    @ParameterizedTest
    @ValueSource(strings = {"edge", "host"})
    void shouldLogInWithHello_P48(final String where) {
        final WireClient client = at(where);
        assertThat(client.call("HELLO", "3")).startsWith("-NOAUTH HELLO must be called with ");
        assertThat(client.call("HELLO", "3", "SETNAME", "n", "AUTH", "default", "wrong"))
                .startsWith("-WRONGPASS ");
        assertThat(client.call("GET", "nokey")).startsWith("-NOAUTH ");

        assertThat(client.call("HELLO", "3", "AUTH", "default", PASSWORD, "SETNAME", "e"))
                .startsWith("%7¶");
        assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("$1¶e¶");
        assertThat(client.call("GET", "nokey")).isEqualTo("_¶");
    }

    @ParameterizedTest
    @ValueSource(strings = {"edge", "host"})
    void shouldLogOutAtReset_P28(final String where) {
        final WireClient client = at(where);
        client.call("AUTH", PASSWORD);
        client.call("SUBSCRIBE", "q");

        assertThat(client.call("RESET")).isEqualTo("+RESET¶");
        assertThat(client.call("PING")).startsWith("-NOAUTH ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"edge", "host"})
    void shouldKeepTheOrderOfAPipelineBehindALogin(final String where) {
        final WireClient client = at(where);
        client.raw(command("PING")
                + command("AUTH", PASSWORD)
                + command("SET", "p", "1")
                + command("AUTH", "wrong")
                + command("INCR", "p")
                + command("PING"));

        assertThat(client.reply()).startsWith("-NOAUTH ");
        assertThat(client.replies(2)).containsExactly("+OK¶", "+OK¶");
        assertThat(client.reply()).startsWith("-WRONGPASS ");
        assertThat(client.replies(2)).containsExactly(":2¶", "+PONG¶");
    }

    @ParameterizedTest
    @ValueSource(strings = {"edge", "host"})
    void shouldBoundWhatItReadsBeforeALogin(final String where) {
        assertThat(at(where).raw("*1¶$20000¶").rest()).startsWith("-ERR Protocol error: unauthenticated bulk length");
        assertThat(at(where).raw("*11¶").rest()).startsWith("-ERR Protocol error: unauthenticated multibulk length");
    }

    @Test
    void shouldDeliverAcrossWithEveryLoginOfItsOwn() {
        final WireClient subscriber = at("edge");
        subscriber.call("AUTH", "alice", "wonderland");
        subscriber.call("SUBSCRIBE", "c");
        final WireClient host = at("host");
        host.call("AUTH", PASSWORD);

        assertThat(host.call("PUBLISH", "c", "m")).isEqualTo(":1¶");
        assertThat(subscriber.reply()).endsWith("¶m¶");
    }

    @Test
    void shouldTakeAStormOfLoginsOfAKnownUser() {
        final List<WireClient> clients = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            clients.add(at("edge").raw(command("AUTH", "alice", "wonderland") + command("GET", "nokey")));
        }
        for (final WireClient client : clients) {
            assertThat(client.replies(2)).containsExactly("+OK¶", "$-1¶");
            client.close();
        }
    }

    @Test
    void shouldNeverLogASecret() {
        for (final ServerProcess process : List.of(programs.edge(), programs.host())) {
            assertThat(String.join("\n", process.stderr()))
                    .doesNotContain(PASSWORD)
                    .doesNotContain("wonderland")
                    .doesNotContain("between")
                    .doesNotContain("$argon2id");
        }
    }

    @Test
    void shouldRefuseAUsersFileThatOthersMayRead() throws IOException {
        final Path open = folder.resolve("open");
        addUser(open, "default", PASSWORD);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));

        final ServerProcess host = ServerProcess.run(
                "bin/goblin-core", "--port", Integer.toString(Ports.free()), "--auth-file", open.toString());
        assertThat(host.stderr()).singleElement().asString().contains(open.toString());
        assertThat(host.exitCode()).isIn(1, 2);
        final ServerProcess edge =
                EdgeAndHost.startEdge(Ports.free(), programs.hostPort(), "--auth-file", open.toString());
        assertThat(edge.exitCode()).isIn(1, 2);
        assertThat(edge.stderr()).singleElement().asString().contains(open.toString());
    }

    private static WireClient at(final String where) {
        return "edge".equals(where) ? programs.atEdge() : programs.atHost();
    }

    private static void addUser(final Path users, final String user, final String password) {
        final ServerProcess auth = ServerProcess.run(
                "bash",
                "-c",
                "printf '%s\\n' \"$1\" | \"$2\" \"$3\" --append \"$4\"",
                "add-user",
                password,
                ServerProcess.ROOT.resolve("bin/goblin-core-auth").toString(),
                user,
                users.toString());
        assertThat(auth.exitCode()).as("%s", auth.stderr()).isZero();
    }
}
