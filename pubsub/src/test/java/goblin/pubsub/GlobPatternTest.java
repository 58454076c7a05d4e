// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GlobPatternTest {

    private static boolean matches(final String pattern, final String name) {
        try (NativeBytes p = NativeBytes.of(pattern);
                NativeBytes n = NativeBytes.of(name)) {
            return Glob.matches(p.address(), p.length(), n.address(), n.length());
        }
    }

    private static GlobPattern compiled(final String pattern) {
        try (NativeBytes p = NativeBytes.of(pattern)) {
            return GlobPattern.compile(p.address(), p.length());
        }
    }

    private static long steps(final String pattern, final String name) {
        try (NativeBytes n = NativeBytes.of(name)) {
            return compiled(pattern).steps(n.address(), n.length());
        }
    }

    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            quoteCharacter = '`',
            value = {
                "h[!e]llo,hello,true",
                "h[!e]llo,h!llo,true",
                "h[!e]llo,hallo,false",
                "h[^e]llo,hallo,true",
                "h[^e]llo,hello,false",
                "a.b,axb,false",
                "a.b,a.b,true",
                "`{a,b}`,a,false",
                "[A-Z],a,false",
                "?,\u00c3\u00a9,false",
                "\u00c3?,\u00c3\u00a9,true",
                "[\u0080-\u00ff],\u00a0,true",
                "[\u0080-\u00ff],a,false",
                "\u00ff?,\u00ff\0,true",
                "h[c-a]llo,hbllo,true",
                "h[c-a]llo,hdllo,false",
                "[\\]],],true",
                "[a\\-c],-,true",
                "[a\\-c],b,false",
                "[a\\-c],c,true",
                "\\a,a,true",
                "a\\*b,a*b,true",
                "a\\*b,axb,false"
            })
    void shouldMatchBytesByRedisRules_P45(final String pattern, final String name, final boolean expected) {
        assertThat(matches(pattern, name)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            quoteCharacter = '`',
            emptyValue = "",
            value = {
                "*,``,false",
                "**,``,false",
                "``,``,true",
                "``,a,false",
                "a*,a,true",
                "a**,a,true",
                "[,[,false",
                "[^,a,true",
                "[],a,false",
                "[^],a,true",
                "[abc,b,true",
                "[a-,-,true",
                "[a-],_,true",
                "[a-],b,false",
                "\\,\\,true",
                "a\\,a\\,true",
                "[\\,\\,true",
                "[a\\,a,true",
                "[\\],],true",
                "[a-\\]],_,false",
                "[a-\\]],_],true",
                "*[,[,false",
                "[]a],a,false",
                "?,``,false",
                "*?,``,false",
                "[^a,b,true",
                "[^a,a,false",
                "*,a,true",
                "*a,a,true",
                "*a,b,false",
                "*?*,a,true",
                "a*b*c,abc,true",
                "a*b*c,axxbyyc,true",
                "a*b*c,axxbyy,false",
                "*ab*ab*,abab,true",
                "*ab*ab*,aba,false",
                "a*a,a,false"
            })
    void shouldTreatOddPatternsAsRedisDoes(final String pattern, final String name, final boolean expected) {
        assertThat(matches(pattern, name)).isEqualTo(expected);
    }

    @Property(tries = 5_000)
    void shouldAgreeWithARecursiveMatcher(
            @ForAll @Chars({'a', 'b', '-', '*', '?', '[', ']', '^', '\\'}) @StringLength(max = 9) final String pattern,
            @ForAll @Chars({'a', 'b', '-', ']', '\\', '_'}) @StringLength(max = 7) final String name) {
        assertThat(matches(pattern, name)).isEqualTo(new GlobOracle(pattern, name).matches());
    }

    @Property(tries = 3_000)
    void shouldAgreeWithARecursiveMatcherOnManyStars(
            @ForAll @Chars({'a', 'b', '*', '?'}) @StringLength(max = 12) final String pattern,
            @ForAll @Chars({'a', 'b'}) @StringLength(max = 12) final String name) {
        assertThat(matches(pattern, name)).isEqualTo(new GlobOracle(pattern, name).matches());
    }

    @Property
    void shouldTakeNoMoreStepsThanPatternTimesName(
            @ForAll @Chars({'a', 'b', '*', '?', '['}) @StringLength(max = 40) final String pattern,
            @ForAll @Chars({'a', 'b'}) @StringLength(max = 60) final String name) {
        assertThat(steps(pattern, name)).isLessThanOrEqualTo((long) pattern.length() * name.length());
    }

    @Test
    void shouldNotTryEveryWayToPlaceManyStars_P42() {
        assertThat(matches("a*".repeat(30) + "b", "a".repeat(60))).isFalse();
        assertThat(steps("a*".repeat(30) + "b", "a".repeat(60))).isLessThan(100);
        assertThat(steps("a*".repeat(1_000) + "b", "a".repeat(20_000))).isLessThan(1_000 * 20_000L);
        assertThat(steps("*" + "a*".repeat(1_000) + "b*", "a".repeat(20_000))).isLessThan(1_000 * 20_000L);
    }

    @Test
    void shouldMatchWithoutAStack_P43() {
        final String pattern = "a*".repeat(100_000);
        assertThat(matches(pattern, "a")).isFalse();
        assertThat(matches(pattern, "a".repeat(100_000))).isTrue();
        assertThat(matches(pattern, "b".repeat(200_000))).isFalse();
    }

    @Test
    void shouldLookAtALongClassOncePerByteOfTheName() {
        // 40,000 bytes of class against 40,000 bytes of name: once six seconds elsewhere.
        final String pattern = "*[" + "abcdefgh".repeat(5_000) + "]z";
        assertThat(matches(pattern, "a".repeat(40_000))).isFalse();
        assertThat(steps("*[" + "abcdefgh".repeat(5_000) + "]z*", "a".repeat(40_000)))
                .isLessThanOrEqualTo(2 * 40_000);
    }

    @Test
    void shouldKnowPatternsThatNeedNoMatching() {
        assertThat(compiled("*").isStar()).isTrue();
        assertThat(compiled("***").isStar()).isTrue();
        assertThat(compiled("*a").isStar()).isFalse();
        assertThat(compiled("").isStar()).isFalse();
        assertThat(compiled("abc").isLiteral()).isTrue();
        assertThat(compiled("a\\*c").isLiteral()).isTrue();
        assertThat(compiled("a[b]c").isLiteral()).isTrue();
        assertThat(compiled("a?c").isLiteral()).isFalse();
        assertThat(compiled("[]").isLiteral()).isFalse();
    }

    @Test
    void shouldIgnoreCaseOnlyWhenAskedTo() {
        try (NativeBytes pattern = NativeBytes.of("Max[m-o]*[^x]");
                NativeBytes name = NativeBytes.of("mAXMemory");
                NativeBytes other = NativeBytes.of("maxmemorX")) {
            final GlobPattern ignoring = GlobPattern.compileIgnoringCase(pattern.address(), pattern.length());
            final GlobPattern exact = GlobPattern.compile(pattern.address(), pattern.length());
            assertThat(ignoring.matches(name.address(), name.length())).isTrue();
            assertThat(exact.matches(name.address(), name.length())).isFalse();
            assertThat(ignoring.matches(other.address(), other.length())).isFalse();
        }
    }
}
