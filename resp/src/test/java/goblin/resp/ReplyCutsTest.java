// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.NativeBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Replies of all sorts, cut in all ways; and what the writer writes, the reader and the scanner read. */
final class ReplyCutsTest {

    @Provide
    Arbitrary<List<String>> replies() {
        return reply(3).list().ofMaxSize(4);
    }

    private static Arbitrary<String> reply(final int depth) {
        final Arbitrary<String> line = Arbitraries.of(
                "+OK¶",
                "-ERR x¶",
                ":1¶",
                "$-1¶",
                "*-1¶",
                "_¶",
                "#t¶",
                ",1.5¶",
                "(123¶",
                "+¶",
                "*0¶",
                "%0¶",
                "=5¶txt:a¶",
                "!3¶ERR¶");
        final Arbitrary<String> bulk = Arbitraries.of("", "a", "\r\n", "$1\r\n", "\0\u00ff", "0123456789")
                .map(text -> "$" + text.length() + "¶" + text + "¶");
        if (depth == 0) {
            return Arbitraries.oneOf(line, bulk);
        }
        final Arbitrary<String> attributed =
                Combinators.combine(aggregate('|', 2, depth), reply(depth - 1)).as(String::concat);
        return Arbitraries.oneOf(
                line,
                bulk,
                aggregate('*', 1, depth),
                aggregate('~', 1, depth),
                aggregate('>', 1, depth),
                aggregate('%', 2, depth),
                attributed);
    }

    private static Arbitrary<String> aggregate(final char type, final int unit, final int depth) {
        return reply(depth - 1)
                .list()
                .ofMaxSize(3)
                .map(items -> items.subList(0, items.size() / unit * unit))
                .map(items -> type + Integer.toString(items.size() / unit) + "¶" + String.join("", items));
    }

    @Property(tries = 200)
    void shouldFindTheSameFramesHoweverTheStreamIsCut_P11(@ForAll("replies") final List<String> replies) {
        final byte[] stream = NativeBytes.wire(String.join("", replies));
        final List<String> frames = Cuts.everywhere(stream, ReplyScannerTest::frames);
        assertThat(frames.stream().map(ReplyCutsTest::length).toList())
                .isEqualTo(replies.stream()
                        .map(reply -> NativeBytes.wire(reply).length)
                        .toList());
        for (final String reply : replies) {
            RespReader.parse(NativeBytes.wire(reply));
        }
    }

    @Property(tries = 400)
    void shouldMakeTheSameOfEveryStreamHoweverItIsCut(@ForAll("pieces") final List<String> pieces) {
        Cuts.everywhere(NativeBytes.wire(String.join("", pieces)), ReplyScannerTest::frames);
    }

    @Provide
    Arbitrary<List<String>> pieces() {
        return Arbitraries.of(
                        "+OK¶",
                        "$3¶abc¶",
                        "$3¶",
                        "*2¶",
                        ">1¶",
                        "|1¶",
                        "%1¶",
                        "$-1¶",
                        "*-1¶",
                        "1",
                        "-",
                        "¶",
                        "\r",
                        "\n",
                        "abc",
                        "$",
                        "*",
                        "_",
                        ":1¶",
                        "$4294967296¶",
                        "*4294967296¶",
                        "$?¶")
                .list()
                .ofMaxSize(8);
    }

    private static int length(final String frame) {
        return Integer.parseInt(frame.replaceAll("\\D", ""));
    }

    @Property(tries = 200)
    void shouldReadBackWhatTheWriterWrote(@ForAll final List<Long> numbers, @ForAll final List<String> texts) {
        for (final int protocol : new int[] {2, 3}) {
            final NativeBuffer buffer = new NativeBuffer();
            final ReplyWriter writer = new ReplyWriter().wrap(buffer).protocol(protocol);
            final List<Reply> expected = new ArrayList<>();
            writer.array(numbers.size() * 2L + texts.size() * 2L);
            for (final long number : numbers) {
                writer.integer(number);
                writer.bulkDecimal(number);
                expected.add(new Reply.Int(number));
                expected.add(new Reply.Bulk(Long.toString(number)));
            }
            for (final String text : texts) {
                final byte[] bytes = text.getBytes(ISO_8859_1);
                writer.bulk(bytes);
                writer.error(text);
                expected.add(new Reply.Bulk(new String(bytes, ISO_8859_1)));
                expected.add(new Reply.Failure(harmless(text)));
            }
            assertThat(RespReader.parse(buffer.address(), (int) buffer.length()))
                    .isEqualTo(new Reply.Array(expected));
            assertThat(ReplyScannerTest.frames(buffer.toBytes())).containsExactly("*" + buffer.length());
            buffer.free();
        }
    }

    private static String harmless(final String text) {
        return text.chars()
                .mapToObj(c -> c < 0x20 || c == 0x7F ? " " : c > 0xFF ? "?" : String.valueOf((char) c))
                .collect(Collectors.joining());
    }
}
