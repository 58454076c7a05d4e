// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class AuthMainTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldPrintALineThatTheUsersFileTakes() {
        assertThat(run("lovelace\nnot this", "ada")).isZero();

        final String line = out.toString().strip();
        assertThat(line).startsWith("ada:$argon2id$v=19$m=19456,t=2,p=1$");
        final PhcHash hash = PhcHash.parse(line.substring("ada:".length()));
        assertThat(hash.matches("lovelace".getBytes(StandardCharsets.UTF_8))).isTrue();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldCreateTheFileForItsOwnerOnlyAndAppendAndReplace() throws IOException {
        final Path file = directory.resolve("users");

        assertThat(run("one\n", "ada", "--append", file.toString())).isZero();
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "# kept\n" + Files.readString(file));
        assertThat(run("two\n", "--append", file.toString(), "bob")).isZero();
        assertThat(run("three\n", "--append=" + file, "ada")).isZero();

        assertThat(Files.readAllLines(file)).hasSize(3).first().isEqualTo("# kept");
        final UserFile users = UserFile.load(file);
        assertThat(users.hashOf(UserName.of("ada")).matches("three".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(users.hashOf(UserName.of("bob")).matches("two".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(err.toString()).contains("user ada added to", "user bob added to", "user ada replaced in");
        assertThat(directory).isDirectoryContaining(path -> path.endsWith("users"));
        assertThat(directory.toFile().list()).hasSize(1);
    }

    @Test
    void shouldLeaveAFileAloneThatIsOpenToOthers() throws IOException {
        final Path file = Files.writeString(directory.resolve("users"), "# open\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(run("pw\n", "ada", "--append", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("chmod 600").hasLineCount(1);
        assertThat(file).hasContent("# open\n");
    }

    @Test
    void shouldExitTwoWithOneLineForBadInput() {
        assertThat(run("pw\n")).isEqualTo(2);
        assertThat(run("pw\n", "a:b")).isEqualTo(2);
        assertThat(run("", "ada")).isEqualTo(2);
        assertThat(run("\n", "ada")).isEqualTo(2);
        assertThat(run("x".repeat(PasswordPrompt.MAX_BYTES + 1), "ada")).isEqualTo(2);
        assertThat(run("pw\n", "ada", "--nosuch")).isEqualTo(2);
        assertThat(run("pw\n", "ada", "--append", "/nonexistent/users")).isEqualTo(2);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).hasLineCount(7);
        assertThat(err.toString().lines()).allMatch(line -> line.startsWith("goblin-core-auth: "));
    }

    @Test
    void shouldExplainItself() {
        assertThat(run("", "--help")).isZero();
        assertThat(run("", "--version")).isZero();

        assertThat(out.toString()).contains("USER", "--append", "goblin-core-auth ");
    }

    private int run(final String input, final String... args) {
        final CommandLine line =
                AuthMain.commandLine(null, new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(args);
    }
}
