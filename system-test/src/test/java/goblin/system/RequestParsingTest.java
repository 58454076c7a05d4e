// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.WireClient;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests in every legal cut and form, and what malformed ones are answered. */
final class RequestParsingTest extends RespSuite {
    private static final String LENGTH_ERROR = "-ERR Protocol error: invalid multibulk length¶";
    private static final String BULK_ERROR = "-ERR Protocol error: invalid bulk length¶";

    @ParameterizedTest
    @ValueSource(ints = {-2, -1, 0, 1, 2})
    void shouldAcceptALongArgumentWhereverItsPacketEnds_P01(final int shift) {
        final String head = "*6¶$4¶HSET¶$1¶h¶$1¶f¶$70000¶" + "x".repeat(70_000) + "¶";
        final byte[] whole = wire(head + "$2¶f2¶$1¶v¶");
        final int cut = wire(head).length + shift;

        client.bytes(Arrays.copyOf(whole, cut));
        settle();
        client.bytes(Arrays.copyOfRange(whole, cut, whole.length));

        assertThat(client.reply()).isEqualTo(":2¶");
        client.expectSilence();
    }

    @Test
    void shouldAcceptARequestOneByteAtATime_P02() {
        for (final byte one : wire(command("ECHO", "a\r\nb"))) {
            client.bytes(new byte[] {one});
            settle();
        }

        assertThat(client.reply()).isEqualTo("$4¶a¶b¶");
    }

    @Test
    void shouldAcceptARequestCutAtAnyByte_P02() {
        final byte[] whole = wire(command("SET", "k", "a\r\nb") + command("GET", "k"));
        for (int cut = 1; cut < whole.length; cut++) {
            client.bytes(Arrays.copyOf(whole, cut));
            settle();
            client.bytes(Arrays.copyOfRange(whole, cut, whole.length));

            assertThat(client.replies(2)).as("cut at %s", cut).containsExactly("+OK¶", "$4¶a¶b¶");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4096, 8192, 16_384, 65_536})
    void shouldAcceptRequestsThatEndAroundAMultipleOfAPage_P02(final int multiple) {
        final int around = wire(command("ECHO", "x".repeat(multiple - 50))).length + 50 - multiple;
        for (int requestLength = multiple - 2; requestLength <= multiple + 2; requestLength++) {
            final String payload = "x".repeat(requestLength - around);
            final byte[] request = wire(command("ECHO", payload));
            assertThat(request).hasSize(requestLength);

            assertThat(client.bytes(request).reply()).isEqualTo("$" + payload.length() + "¶" + payload + "¶");
        }
    }

    @Test
    void shouldKeepStepBehindAnEmptyArgument_P04() {
        client.raw("*3¶$3¶SET¶$1¶e¶$0¶¶*2¶$3¶GET¶$1¶e¶*1¶$4¶PING¶");

        assertThat(client.replies(3)).containsExactly("+OK¶", "$0¶¶", "+PONG¶");
    }

    @Test
    void shouldAnswerInlineCommandsThatEndWithALineFeed_P05() {
        client.raw("PING\n¶¶PING¶ECHO \"a b\"\nSET k v¶GET k\n");

        assertThat(client.replies(5)).containsExactly("+PONG¶", "+PONG¶", "$3¶a b¶", "+OK¶", "$1¶v¶");
        client.expectSilence();
    }

    @Test
    void shouldNotTakeALineFeedForTheEndOfAnArrayHeader_P05() {
        client.raw("*1\n$4\nPING\n");
        settle();
        client.shutdownOutput();

        assertThat(client.rest())
                .satisfiesAnyOf(
                        nothing -> assertThat(nothing).isEmpty(),
                        error -> assertThat(error).startsWith("-ERR Protocol error"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*0¶", "*-1¶", "*-10¶", "¶", "¶¶¶"})
    void shouldSkipEmptyRequestsSilently_P07(final String empty) {
        client.raw(empty + "PING¶");

        assertThat(client.reply()).isEqualTo("+PONG¶");
        client.expectSilence();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*¶", "*+1¶", "*01¶", "*1x¶", "* 1¶", "*2147483648¶", "*3000000000¶"})
    void shouldRefuseAnOddArrayHeaderBehindTheReplyBeforeIt_P07(final String header) {
        client.raw(command("SET", "k", "v") + command("GET", "k") + header + command("PING"));

        assertThat(client.rest()).isEqualTo("+OK¶$1¶v¶" + LENGTH_ERROR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"$-1¶", "$-0¶", "$-10¶", "$99999999999999999999¶", "$536870913¶", "$¶", "$blabla¶"})
    void shouldRefuseAnOddBulkHeaderBehindTheReplyBeforeIt_P07(final String header) {
        client.raw(command("SET", "k", "v") + command("GET", "k") + "*2¶$4¶ECHO¶" + header);

        assertThat(client.rest()).isEqualTo("+OK¶$1¶v¶" + BULK_ERROR);
    }

    @Test
    void shouldRefuseAnElementThatIsNoBulkString_P07() {
        client.raw("*3¶$3¶SET¶$1¶x¶fooz¶");

        assertThat(client.rest()).isEqualTo("-ERR Protocol error: expected '$', got 'f'¶");
    }

    @Test
    void shouldNotLetAByteOfTheRequestForgeALineOfTheError() {
        client.raw("*1¶\r\n+FORGED¶");

        assertThat(client.rest())
                .startsWith("-ERR Protocol error: expected '$', got '")
                .doesNotContain("¶+FORGED");
    }

    @ParameterizedTest
    @CsvSource({"'', too big inline request", "*, too big mbulk count string", "'*1¶$', too big bulk count string"})
    void shouldEndALineWithoutEndAtItsLimit(final String begin, final String error) {
        client.raw(begin + "1".repeat(70_000));

        assertThat(client.rest()).isEqualTo("-ERR Protocol error: " + error + "¶");
    }

    @Test
    void shouldRefuseUnbalancedQuotesOfAnInlineCommand() {
        client.raw("set \"\"\"test-key\"\"\" test-value¶");

        assertThat(client.rest()).isEqualTo("-ERR Protocol error: unbalanced quotes in request¶");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST / HTTP/1.1¶Host: localhost¶¶", "Host: localhost¶¶"})
    void shouldCloseOnAnHttpRequest(final String request) {
        client.raw(request + "PING¶");

        assertThat(client.rest()).doesNotContain("PONG");
    }

    @Test
    void shouldKeepOthersServedWhenOneIsMalformed() {
        client.raw("*1¶+PING¶");

        assertThat(client.rest()).startsWith("-ERR Protocol error");
        assertThat(other.call("PING")).isEqualTo("+PONG¶");
    }

    @Test
    void shouldForwardNullArraysOfBothProtocols_P12() {
        final WireClient resp3 = openResp3();

        assertThat(client.call("BLPOP", "nolist", "0.05")).isEqualTo("*-1¶");
        assertThat(client.call("PING")).isEqualTo("+PONG¶");
        assertThat(resp3.call("BLPOP", "nolist", "0.05")).isEqualTo("_¶");
        assertThat(resp3.call("PING")).isEqualTo("+PONG¶");
    }

    @Test
    void shouldAnswerAPipelineOfThousandsInOrder() {
        final StringBuilder pipeline = new StringBuilder();
        final int count = 5000;
        for (int i = 0; i < count; i++) {
            pipeline.append(command("ECHO", "e" + i)).append(command("INCR", "n"));
        }

        client.raw(pipeline.toString());

        for (int i = 0; i < count; i++) {
            assertThat(client.replies(2))
                    .containsExactly("$" + ("e" + i).length() + "¶e" + i + "¶", ":" + (i + 1) + "¶");
        }
    }

    private static byte[] wire(final String text) {
        return text.replace("¶", "\r\n").getBytes(ISO_8859_1);
    }
}
