// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InlineSplitterTest {

    @Test
    void shouldSplitAtBlanks() {
        assertThat(CommandFeed.of("  set \t key   value  ¶")).containsExactly("inline|set|key|value");
        assertThat(CommandFeed.of(" \t ¶")).containsExactly("inline");
        assertThat(CommandFeed.of("a\u000bb \u000b c\rd¶")).containsExactly("inline|a\u000bb|c|d");
        assertThat(CommandFeed.of("a\0b¶")).containsExactly("inline|a\0b");
    }

    @Test
    void shouldReadEscapesInDoubleQuotesOnly() {
        assertThat(CommandFeed.of("x \"a b\\n\\r\\t\\b\\a\\\\\\\"\\q\\x41\\xfF\\xg1\"¶"))
                .containsExactly("inline|x|a b\n\r\t\b\u0007\\\"qAÿxg1");
        assertThat(CommandFeed.of("x 'a b\\n\\'\"'¶")).containsExactly("inline|x|a b\\n'\"");
        assertThat(CommandFeed.of("x a\\nb¶")).containsExactly("inline|x|a\\nb");
    }

    @Test
    void shouldKeepEmptyWordsInQuotes() {
        assertThat(CommandFeed.of("set \"\" ''¶")).containsExactly("inline|set||");
    }

    @Test
    void shouldLetAQuoteBeginInsideAWord() {
        assertThat(CommandFeed.of("foo\"bar\" baz'q x'¶")).containsExactly("inline|foobar|bazq x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"", "'", "set \"a", "set 'a", "set \"a\"b", "set 'a'b", "\"\\\"", "a\"", "\"a\\", "\"a\"'b'"})
    void shouldRefuseUnbalancedQuotes(final String line) {
        assertThat(CommandFeed.of(line + "¶")).containsExactly("-Protocol error: unbalanced quotes in request");
    }
}
