// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CommandDecoderTest {
    private static final String INVALID_COUNT = "-Protocol error: invalid multibulk length";
    private static final String INVALID_LENGTH = "-Protocol error: invalid bulk length";

    @Test
    void shouldAcceptLegalLengthLineAtEveryCut_P01() {
        final String text = "*6¶$4¶HSET¶$1¶h¶$1¶f¶$70000¶" + "x".repeat(70_000) + "¶$2¶f2¶$1¶v¶";
        final List<String> expected = List.of("array|HSET|h|f|" + "x".repeat(70_000) + "|f2|v");
        final int bulkEnd = NativeBytes.wire(text).length - "$2¶f2¶$1¶v¶".length() - 4;
        for (int cut = bulkEnd - 2; cut <= bulkEnd + 6; cut++) {
            assertThat(CommandFeed.of(text, cut)).isEqualTo(expected);
        }
    }

    @Test
    void shouldWaitForBothHalvesOfALineEnd_P02() {
        final String text = "*2¶$4¶ECHO¶$4¶a¶b¶";
        final List<String> expected = List.of("array|ECHO|a\r\nb");
        final int length = NativeBytes.wire(text).length;
        for (int cut = 1; cut < length; cut++) {
            assertThat(CommandFeed.of(text, cut)).isEqualTo(expected);
        }
        assertThat(CommandFeed.byteByByte(text)).isEqualTo(expected);
    }

    @Test
    void shouldEatTheLineEndOfAnEmptyBulk_P04() {
        assertThat(CommandFeed.of("*3¶$3¶SET¶$1¶e¶$0¶¶*2¶$3¶GET¶$1¶e¶*1¶$4¶PING¶"))
                .containsExactly("array|SET|e|", "array|GET|e", "array|PING");
    }

    @Test
    void shouldTakeALineFeedAloneInInlineRequestsOnly_P05() {
        assertThat(CommandFeed.of("PING\n")).containsExactly("inline|PING");
        assertThat(CommandFeed.of("¶¶PING¶")).containsExactly("inline", "inline", "inline|PING");
        assertThat(CommandFeed.of("*1\n$4\nPING\n")).isEmpty();
        assertThat(CommandFeed.of("*1\n$4\nPING\n¶")).containsExactly(INVALID_COUNT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*0¶PING¶", "*-1¶PING¶", "*-10¶PING¶"})
    void shouldSkipCountsThatAreNotPositive_P07(final String text) {
        assertThat(CommandFeed.of(text)).containsExactly("array", "inline|PING");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"*¶", "*+1¶", "*01¶", "*1x¶", "* 1¶", "*1 ¶", "*-¶", "*-0¶", "*2147483648¶", "*1048577¶", "*1\rx"
            })
    void shouldRefuseCountsThatAreNotStrictIntegers_P07(final String text) {
        assertThat(CommandFeed.of("PING¶" + text)).containsExactly("inline|PING", INVALID_COUNT);
        assertThat(CommandFeed.byteByByte("PING¶" + text)).containsExactly("inline|PING", INVALID_COUNT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "-0",
                "99999999999999999999",
                "536870913",
                "",
                "+1",
                "01",
                "1x",
                " 1",
                "9223372036854775808"
            })
    void shouldRefuseBulkLengthsThatAreNotStrictIntegers_P07(final String length) {
        final String text = "*1¶$4¶PING¶*2¶$4¶ECHO¶$" + length + "¶";
        assertThat(CommandFeed.of(text)).containsExactly("array|PING", INVALID_LENGTH);
        assertThat(CommandFeed.byteByByte(text)).containsExactly("array|PING", INVALID_LENGTH);
    }

    @Test
    void shouldSayWhatItGotInsteadOfABulk() {
        assertThat(CommandFeed.of("*3¶$3¶SET¶$1¶x¶fooz¶")).containsExactly("-Protocol error: expected '$', got 'f'");
        assertThat(CommandFeed.of("*1¶¶")).containsExactly("-Protocol error: expected '$', got '\\x0d'");
        assertThat(CommandFeed.of("*1¶\0")).containsExactly("-Protocol error: expected '$', got '\\x00'");
        assertThat(CommandFeed.of("*1¶ÿ")).containsExactly("-Protocol error: expected '$', got '\\xff'");
    }

    @Test
    void shouldRefuseABulkThatIsLongerThanAnnounced() {
        assertThat(CommandFeed.of("*1¶$4¶PINGS¶"))
                .containsExactly("-Protocol error: expected CRLF after a bulk string");
        assertThat(CommandFeed.of("*1¶$4¶PING\rX"))
                .containsExactly("-Protocol error: expected CRLF after a bulk string");
    }

    @ParameterizedTest
    @CsvSource({"*,too big mbulk count string", "*1¶$,too big bulk count string", "'',too big inline request"})
    void shouldBoundLines(final String start, final String reason) {
        final String limit = "A".repeat(64 << 10);
        assertThat(CommandFeed.of(start + limit)).isEmpty();
        assertThat(CommandFeed.of(start + limit + "A")).containsExactly("-Protocol error: " + reason);
        assertThat(CommandFeed.of(start + limit + "A¶")).containsExactly("-Protocol error: " + reason);
        assertThat(CommandFeed.of(start + limit + "AA", 3, 40_000)).containsExactly("-Protocol error: " + reason);
    }

    @Test
    void shouldTakeLessFromStrangers() {
        final RespLimits stranger = RespLimits.UNAUTHENTICATED;
        assertThat(CommandFeed.of(stranger, NativeBytes.wire("*11¶")))
                .containsExactly("-Protocol error: unauthenticated multibulk length");
        assertThat(CommandFeed.of(stranger, NativeBytes.wire("*10¶$16385¶")))
                .containsExactly("-Protocol error: unauthenticated bulk length");
        assertThat(CommandFeed.of(stranger, NativeBytes.wire("*1¶$16384¶" + "x".repeat(16_384) + "¶")))
                .hasSize(1);
        assertThat(CommandFeed.of(stranger, NativeBytes.wire("*2000000¶"))).containsExactly(INVALID_COUNT);
    }

    @Test
    void shouldShowTheFirstArgumentsWhileTheRestIsComing() {
        try (CommandDecoder decoder = new CommandDecoder(RespLimits.AUTHENTICATED);
                NativeBytes start = NativeBytes.of("*3¶$3¶SET¶$3¶key¶$100¶abc")) {
            assertThat(decoder.announced()).isEqualTo(-1);
            assertThat(decoder.atCommandStart()).isTrue();
            assertThat(decoder.decode(start.address(), start.length())).isEqualTo(CommandDecoder.NEED_MORE);
            assertThat(decoder.atCommandStart()).isFalse();
            assertThat(decoder.announced()).isEqualTo(3);
            assertThat(decoder.argumentsSeen()).isEqualTo(2);
            assertThat(Ascii.text(decoder.argument(0), decoder.argumentLength(0)))
                    .isEqualTo("SET");
            assertThat(Ascii.text(decoder.argument(1), decoder.argumentLength(1)))
                    .isEqualTo("key");
            assertThat(decoder.bytesNeeded()).isEqualTo(start.length() + 99);
            assertThat(decoder.unparsedBulkRemaining()).isEqualTo(99);
        }
    }

    @Test
    void shouldGoOnAfterBytesWereStreamedOn() {
        final byte[] whole = NativeBytes.wire("*3¶$3¶SET¶$3¶key¶$1000¶" + "v".repeat(1_000) + "¶");
        try (CommandDecoder decoder = new CommandDecoder(RespLimits.AUTHENTICATED)) {
            int from = 0;
            int have = 0;
            int result = CommandDecoder.NEED_MORE;
            long streamed = 0;
            while (result == CommandDecoder.NEED_MORE) {
                have = Math.min(whole.length, have + 7);
                try (NativeBytes piece = new NativeBytes(java.util.Arrays.copyOfRange(whole, from, have))) {
                    result = decoder.decode(piece.address(), piece.length());
                    final long gone = decoder.discardable();
                    assertThat(decoder.bytesNeeded()).isLessThanOrEqualTo(whole.length - from);
                    if (result == CommandDecoder.NEED_MORE) {
                        decoder.discard(gone);
                        from += (int) gone;
                        streamed += gone;
                    } else {
                        assertThat(streamed + decoder.consumed()).isEqualTo(whole.length);
                    }
                }
            }
            assertThat(result).isEqualTo(CommandDecoder.COMMAND);
            assertThat(decoder.argumentCount()).isEqualTo(3);
            assertThat(decoder.atCommandStart()).isTrue();
        }
    }

    @Test
    void shouldForgetAHalfReadCommandWhenReset() {
        try (CommandDecoder decoder = new CommandDecoder(RespLimits.AUTHENTICATED);
                NativeBytes half = NativeBytes.of("*2¶$4¶ECHO¶$5¶he");
                NativeBytes whole = NativeBytes.of("*1¶$4¶PING¶")) {
            decoder.decode(half.address(), half.length());
            decoder.discard(decoder.discardable());
            decoder.reset();
            assertThat(decoder.decode(whole.address(), whole.length())).isEqualTo(CommandDecoder.COMMAND);
            assertThat(CommandFeed.text(decoder)).isEqualTo("array|PING");
            assertThat(decoder.consumed()).isEqualTo(whole.length());
        }
    }

    @Test
    void shouldReadAndThenForgetAHugeCommand() {
        final int count = 10_000;
        final List<String> words = new ArrayList<>();
        final StringBuilder text = new StringBuilder("*" + count + "¶");
        for (int i = 0; i < count; i++) {
            words.add("a" + i);
            text.append('$')
                    .append(words.get(i).length())
                    .append('¶')
                    .append(words.get(i))
                    .append('¶');
        }
        assertThat(CommandFeed.of(text + "PING¶")).containsExactly("array|" + String.join("|", words), "inline|PING");
    }

    @Test
    void shouldRememberOnlyAsManyArgumentsAsWanted() {
        try (CommandDecoder decoder = new CommandDecoder(RespLimits.AUTHENTICATED);
                NativeBytes text = NativeBytes.of("*4¶$1¶a¶$1¶b¶$1¶c¶$1¶d¶a b c¶")) {
            decoder.recordAtMost(2);
            assertThat(decoder.decode(text.address(), text.length())).isEqualTo(CommandDecoder.COMMAND);
            assertThat(decoder.argumentCount()).isEqualTo(4);
            assertThat(Ascii.text(decoder.argument(1), decoder.argumentLength(1)))
                    .isEqualTo("b");
            final long next = decoder.consumed();
            assertThat(decoder.decode(text.address() + next, text.length() - next))
                    .isEqualTo(CommandDecoder.COMMAND);
            assertThat(CommandFeed.text(decoder)).isEqualTo("inline|a|b|c");
        }
    }

    @Test
    void shouldRecogniseMisusedBrowsers() {
        for (final String line : List.of("POST / HTTP/1.1¶", "post /¶", "Host: x¶", "\"Host:\" x¶")) {
            try (CommandDecoder decoder = new CommandDecoder(RespLimits.AUTHENTICATED);
                    NativeBytes text = NativeBytes.of(line)) {
                decoder.decode(text.address(), text.length());
                assertThat(decoder.isHttp()).isTrue();
            }
        }
        for (final String line : List.of("GET / HTTP/1.1¶", "¶", "HOST x¶", "*1¶$4¶POST¶")) {
            try (CommandDecoder decoder = new CommandDecoder(RespLimits.AUTHENTICATED);
                    NativeBytes text = NativeBytes.of(line)) {
                decoder.decode(text.address(), text.length());
                assertThat(decoder.isHttp()).isFalse();
            }
        }
    }

    @Test
    void shouldGiveAllItsMemoryBack() {
        final long before = Memory.allocatedBytes();
        final CommandDecoder decoder = new CommandDecoder(RespLimits.AUTHENTICATED);
        try (NativeBytes text = NativeBytes.of("echo \"quoted\"¶")) {
            decoder.decode(text.address(), text.length());
            assertThat(CommandFeed.text(decoder)).isEqualTo("inline|echo|quoted");
            decoder.close();
            decoder.close();
        }
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
    }
}
