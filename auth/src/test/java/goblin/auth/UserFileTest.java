// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UserFileTest {
    private static final String HASH =
            "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";

    @TempDir
    private Path directory;

    @Test
    void shouldReadUsersAndSkipBlankLinesAndComments() throws IOException {
        final UserFile users = UserFile.load(file("# people\n\n  \ndefault:" + HASH + "\r\n  # more\näda:" + HASH));

        assertThat(users.size()).isEqualTo(2);
        assertThat(users.hashOf(UserName.of("äda"))).hasToString(HASH);
        assertThat(users.hashOf(UserName.of("ada"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rwx--x---", "rw--w----"})
    void shouldRefuseAFileThatIsOpenToOthers(final String permissions) throws IOException {
        final Path path = file("default:" + HASH);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));

        assertThatThrownBy(() -> UserFile.load(path))
                .isInstanceOf(UserFileException.class)
                .hasMessageContaining("chmod 600 " + path);
    }

    @Test
    void shouldRefuseAUserThatIsNamedTwiceAndSayWhere() throws IOException {
        final Path path = file("a:" + HASH + "\n\na:" + HASH);

        assertThatThrownBy(() -> UserFile.load(path)).hasMessageContaining("line 3: user a is named twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nocolon", "a:", "a:secret", ":" + HASH, "a b:" + HASH})
    void shouldRefuseALineThatIsNoEntryWithoutRepeatingIt(final String line) throws IOException {
        final Path path = file("good:" + HASH + "\n" + line);

        assertThatThrownBy(() -> UserFile.load(path))
                .isInstanceOf(UserFileException.class)
                .hasMessageContaining("line 2: ")
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldRefuseAFileWithoutUsers() throws IOException {
        final Path path = file("# nobody\n");

        assertThatThrownBy(() -> UserFile.load(path)).hasMessageContaining("names no user");
    }

    @Test
    void shouldSayThatAFileIsMissingOrNone() {
        assertThatThrownBy(() -> UserFile.load(directory.resolve("none"))).hasMessageContaining("does not exist");
        assertThatThrownBy(() -> UserFile.load(directory)).hasMessageContaining("is not a regular file");
    }

    private Path file(final String text) throws IOException {
        final Path path = Files.writeString(directory.resolve("users"), text);
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    }
}
