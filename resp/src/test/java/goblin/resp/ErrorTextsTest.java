// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ErrorTextsTest {

    private static String unknown(final String... words) {
        try (Words command = new Words(words)) {
            return ErrorTexts.unknownCommand(command);
        }
    }

    @Test
    void shouldRepeatTheBeginningOfAnUnknownCommand_P47() {
        assertThat(unknown("foo")).isEqualTo("ERR unknown command 'foo', with args beginning with: ");
        assertThat(unknown("foo", "a", "b")).isEqualTo("ERR unknown command 'foo', with args beginning with: 'a' 'b' ");
    }

    @Test
    void shouldRepeatABoundedPartOfAnUnknownCommand() {
        final String text = unknown("n".repeat(1_000), "a".repeat(100), "b".repeat(100), "c");
        assertThat(text)
                .isEqualTo("ERR unknown command '" + "n".repeat(128) + "', with args beginning with: '"
                        + "a".repeat(100) + "' '" + "b".repeat(25) + "' ");
    }

    @Test
    void shouldNameCommandsInSmallLetters_P20() {
        assertThat(ErrorTexts.wrongNumberOfArguments("GET"))
                .isEqualTo("ERR wrong number of arguments for 'get' command");
        assertThat(ErrorTexts.subscribedContext("GET"))
                .isEqualTo("ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are"
                        + " allowed in this context");
    }

    @Test
    void shouldPointToTheHelpOfASubcommand() {
        try (Words command = new Words("client", "foo")) {
            assertThat(ErrorTexts.unknownSubcommand(command, "CLIENT"))
                    .isEqualTo("ERR unknown subcommand 'foo'. Try CLIENT HELP.");
        }
    }
}
