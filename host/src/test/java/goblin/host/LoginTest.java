// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.testkit.RespClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoginTest {
    /** Made by goblin-core-auth for the password {@code secret}. */
    private static final String SECRET_HASH =
            "$argon2id$v=19$m=19456,t=2,p=1$1DKdkIKScF3snTf2AjyJZg$hgCSqNOjXW91RU5kAAfz9DRwSdUKDYjAlJG0+TAiiKA";

    @TempDir
    private Path directory;

    private HostUnderTest host;

    @BeforeEach
    void start() throws IOException {
        final Path users = directory.resolve("users");
        Files.createFile(users, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(users, "default:" + SECRET_HASH + "\nalice:" + SECRET_HASH + "\n");
        host = HostUnderTest.start("--auth-file", users.toString());
    }

    @AfterEach
    void stop() {
        host.close();
    }

    @Test
    void shouldRunNothingBeforeAuthentication() {
        final RespClient client = host.client();
        assertThat(client.command("GET", "k")).isEqualTo("-NOAUTH Authentication required.");
        assertThat(client.command("SUBSCRIBE", "c")).isEqualTo("-NOAUTH Authentication required.");
        assertThat(client.command("HELLO", "3")).startsWith("-NOAUTH HELLO must be called");
    }

    @Test
    void shouldAcceptTheRightPairAndRefuseOthers() {
        final RespClient client = host.client();
        assertThat(client.command("AUTH", "wrong")).startsWith("-WRONGPASS");
        assertThat(client.command("AUTH", "nobody", "secret")).startsWith("-WRONGPASS");
        assertThat(client.command("AUTH", "secret")).isEqualTo("+OK");
        assertThat(client.command("GET", "k")).isEqualTo("$-1");
        assertThat(host.client().command("AUTH", "alice", "secret")).isEqualTo("+OK");
    }

    @Test
    void shouldKeepThePipelineBehindALoginWaiting() {
        final RespClient client = host.client();
        client.send("AUTH", "alice", "secret").send("SET", "k", "v").send("GET", "k");
        assertThat(client.read(3)).containsExactly("+OK", "+OK", "\"v\"");
    }

    @Test
    void shouldChangeNothingWhenHelloFails_P48() {
        final RespClient client = host.client();
        client.command("AUTH", "secret");
        assertThat(client.command("HELLO", "3", "SETNAME", "n", "AUTH", "nouser", "x"))
                .startsWith("-WRONGPASS");
        assertThat(client.command("HELLO", "3", "SETNAME", "bad name")).startsWith("-ERR Client names cannot contain");
        assertThat(client.command("HELLO", "3", "FOO")).isEqualTo("-ERR Syntax error in HELLO option 'FOO'");
        assertThat(client.command("GET", "k")).isEqualTo("$-1");
        assertThat(client.command("CLIENT", "GETNAME")).isEqualTo("$-1");
        assertThat(client.command("HELLO", "3", "AUTH", "default", "secret", "SETNAME", "e"))
                .startsWith("%{");
        assertThat(client.command("CLIENT", "GETNAME")).isEqualTo("\"e\"");
    }

    @Test
    void shouldBeNobodyAgainAfterReset_P28() {
        final RespClient client = host.client();
        client.command("AUTH", "secret");
        assertThat(client.command("RESET")).isEqualTo("+RESET");
        assertThat(client.command("PING")).isEqualTo("-NOAUTH Authentication required.");
    }

    @Test
    void shouldLimitRequestsBeforeAuthentication() {
        final RespClient client = host.client();
        client.raw("*11\r\n");
        assertThat(client.readUntilClosed()).contains("unauthenticated multibulk length");
    }

    @Test
    void shouldLogInTheClientThatSaidHelloAndNobodyWhoSpokeMeanwhile() {
        final RespClient bystander = host.client();
        bystander.command("PING");
        final RespClient client = host.client();
        client.send("HELLO", "3", "AUTH", "alice", "secret");
        for (int i = 0; i < 20; i++) {
            assertThat(bystander.command("GET", "k")).isEqualTo("-NOAUTH Authentication required.");
        }
        assertThat(client.read()).startsWith("%{");
        assertThat(bystander.command("GET", "k")).isEqualTo("-NOAUTH Authentication required.");
        assertThat(client.command("GET", "k")).isEqualTo("_");
    }
}
