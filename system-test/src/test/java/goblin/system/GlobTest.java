// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns of PSUBSCRIBE. That they end at all is the test of the expensive ones. */
final class GlobTest extends RespSuite {
    @Test
    void shouldMatchManyStarsWithoutBacktrackingForEver_P42() {
        assertThat(matches("a*".repeat(30) + "b", "a".repeat(60))).isFalse();
        assertThat(matches("a*".repeat(1000) + "b", "a".repeat(20_000))).isFalse();
        assertThat(matches("a*".repeat(1000) + "a", "a".repeat(20_000))).isTrue();
    }

    @Test
    void shouldMatchDeepStarsWithoutAStack_P43() {
        final String pattern = "a*".repeat(100_000);

        assertThat(matches(pattern, "a".repeat(100))).isFalse();
    }

    @Test
    void shouldMatchALongClassAgainstALongChannel_W12() {
        final String pattern = "[" + "b".repeat(40_000) + "]";

        assertThat(matches(pattern, "a".repeat(40_000))).isFalse();
        assertThat(matches("*" + pattern + "*", "a".repeat(39_999) + "b")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "h[!e]llo, hello, true",
        "h[!e]llo, h!llo, true",
        "h[!e]llo, hallo, false",
        "h[^e]llo, hallo, true",
        "h[^e]llo, hello, false",
        "a.b, axb, false",
        "'{a,b}', a, false",
        "[A-Z], a, false",
        "h[c-a]llo, hbllo, true",
        "[\\]], ], true",
        "[a\\-c], -, true",
        "[a\\-c], b, false",
        "\\a, a, true",
        "a\\*b, a*b, true",
        "a\\*b, axb, false",
        "news.*, news.a.b, true",
        "?, ab, false",
        "*, '', false",
    })
    void shouldMatchAsRedisDoes_P45(final String pattern, final String channel, final boolean expected) {
        assertThat(matches(pattern, channel)).isEqualTo(expected);
    }

    @Test
    void shouldMatchBytesNotCharacters_P45() {
        final String eAcute = "\u00c3\u00a9";

        assertThat(matches("?", eAcute)).isFalse();
        assertThat(matches("??", eAcute)).isTrue();
        assertThat(matches("\u00c3?", eAcute)).isTrue();
        assertThat(matches("[\u0080-\u00ff]", "\u00a0")).isTrue();
        assertThat(matches("\u00ff?", "\u00ff\0")).isTrue();
    }

    private boolean matches(final String pattern, final String channel) {
        client.call("PSUBSCRIBE", pattern);
        final String count = other.call("PUBLISH", channel, "x");
        final String hostsCount = atHost().call("PUBLISH", channel, "x");
        assertThat(hostsCount).isEqualTo(count).isIn(":0¶", ":1¶");
        final boolean matched = count.equals(":1¶");
        if (matched) {
            assertThat(client.replies(2)).allMatch(frame -> frame.startsWith("*4¶$8¶pmessage¶"));
        }
        assertThat(client.call("PUNSUBSCRIBE", pattern)).startsWith("*3¶$12¶punsubscribe¶");
        return matched;
    }
}
