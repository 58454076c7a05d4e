// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Requests of all sorts, cut in all ways. */
final class CommandCutsTest {
    private static final RespLimits LOW = new RespLimits(12, 4, 24);

    private static List<String> cutEverywhere(final RespLimits limits, final String stream) {
        return Cuts.everywhere(stream.getBytes(ISO_8859_1), (bytes, cuts) -> CommandFeed.of(limits, bytes, cuts));
    }

    @Provide
    Arbitrary<List<List<String>>> commands() {
        final Arbitrary<Character> bytes = Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(3, Arbitraries.chars().range('a', 'c')),
                net.jqwik.api.Tuple.of(2, Arbitraries.of('\r', '\n', '$', '*', '1', '\0')),
                net.jqwik.api.Tuple.of(1, Arbitraries.chars().range('\0', '\u00ff')));
        return bytes.list()
                .ofMaxSize(9)
                .map(CommandCutsTest::joined)
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .list()
                .ofMaxSize(4);
    }

    /** Pieces of requests, legal and not, as hostile and broken clients send them. */
    @Provide
    Arbitrary<String> streams() {
        return Arbitraries.of(
                        "*1\r\n$4\r\nPING\r\n",
                        "*2\r\n$1\r\na\r\n$0\r\n\r\n",
                        "*3\r\n",
                        "$1\r\nx\r\n",
                        "$0\r\n\r\n",
                        "*0\r\n",
                        "*-1\r\n",
                        "\r\n",
                        "\n",
                        "PING\r\n",
                        "a \"b\\x41 c\" 'd'\n",
                        "\"x",
                        "*",
                        "$",
                        "1",
                        "-",
                        "0",
                        "\r",
                        " ",
                        "aaaaaaaaaa",
                        "*5\r\n",
                        "$13\r\n",
                        "*1048577\r\n",
                        "$536870913\r\n",
                        "'",
                        "\0",
                        "*1\n",
                        "$-1\r\n",
                        "*01\r\n",
                        "POST / x\r\n")
                .list()
                .ofMaxSize(9)
                .map(pieces -> String.join("", pieces));
    }

    @Property(tries = 300)
    void shouldReadBackEveryArrayHoweverItIsCut_P02_P61(@ForAll("commands") final List<List<String>> commands) {
        final StringBuilder stream = new StringBuilder();
        for (final List<String> command : commands) {
            stream.append('*').append(command.size()).append("\r\n");
            for (final String word : command) {
                stream.append('$')
                        .append(word.length())
                        .append("\r\n")
                        .append(word)
                        .append("\r\n");
            }
        }
        assertThat(cutEverywhere(RespLimits.AUTHENTICATED, stream.toString()))
                .isEqualTo(commands.stream()
                        .map(words -> "array|" + String.join("|", words))
                        .toList());
    }

    @Property(tries = 700)
    void shouldMakeTheSameOfEveryStreamHoweverItIsCut(@ForAll("streams") final String stream) {
        cutEverywhere(RespLimits.AUTHENTICATED, stream);
    }

    @Property(tries = 700)
    void shouldEnforceLowLimitsTheSameWayHoweverTheStreamIsCut_P01(@ForAll("streams") final String stream) {
        cutEverywhere(LOW, stream);
    }

    @Property(tries = 300)
    void shouldCountWhatIsNeededWhileItStreamsOn(@ForAll("commands") final List<List<String>> commands) {
        for (final List<String> command : commands) {
            final StringBuilder text = new StringBuilder("*" + command.size() + "\r\n");
            command.forEach(word -> text.append('$')
                    .append(word.length())
                    .append("\r\n")
                    .append(word)
                    .append("\r\n"));
            streamOn(text.toString().getBytes(ISO_8859_1), command.size());
        }
    }

    private static void streamOn(final byte[] whole, final int words) {
        try (CommandDecoder decoder = new CommandDecoder(RespLimits.AUTHENTICATED);
                NativeBytes bytes = new NativeBytes(whole)) {
            int gone = 0;
            for (int have = 1; have <= whole.length; have++) {
                final int result = decoder.decode(bytes.address() + gone, have - gone);
                assertThat(result).isEqualTo(have == whole.length ? CommandDecoder.COMMAND : CommandDecoder.NEED_MORE);
                if (result == CommandDecoder.NEED_MORE) {
                    assertThat(decoder.bytesNeeded()).isBetween((long) have - gone + 1, (long) whole.length - gone);
                    assertThat(decoder.unparsedBulkRemaining()).isBetween(0L, (long) whole.length - have);
                    final int discarded = (int) decoder.discardable();
                    // What is gone may be overwritten.
                    Memory.fill(bytes.address() + gone, discarded, (byte) '*');
                    decoder.discard(discarded);
                    gone += discarded;
                }
            }
            assertThat(decoder.consumed()).isEqualTo(whole.length - gone);
            assertThat(decoder.argumentCount()).isEqualTo(words);
        }
    }

    private static String joined(final List<Character> characters) {
        final StringBuilder text = new StringBuilder();
        characters.forEach(text::append);
        return text.toString();
    }
}
