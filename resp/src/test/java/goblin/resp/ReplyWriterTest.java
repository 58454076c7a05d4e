// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.NativeBuffer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class ReplyWriterTest {

    private static String written(final int protocol, final Consumer<ReplyWriter> replies) {
        final NativeBuffer buffer = new NativeBuffer();
        replies.accept(new ReplyWriter().wrap(buffer).protocol(protocol));
        final String text = Ascii.text(buffer.address(), (int) buffer.length()).replace("\r\n", "¶");
        buffer.free();
        return text;
    }

    private static void shouldWrite(final Consumer<ReplyWriter> reply, final String resp2, final String resp3) {
        assertThat(written(2, reply)).isEqualTo(resp2);
        assertThat(written(3, reply)).isEqualTo(resp3);
    }

    @Test
    void shouldWriteEveryTypeInBothProtocols() {
        shouldWrite(ReplyWriter::ok, "+OK¶", "+OK¶");
        shouldWrite(w -> w.simple("PONG"), "+PONG¶", "+PONG¶");
        shouldWrite(w -> w.error("ERR no"), "-ERR no¶", "-ERR no¶");
        shouldWrite(w -> w.error("ERR", "no"), "-ERR no¶", "-ERR no¶");
        shouldWrite(w -> w.integer(7), ":7¶", ":7¶");
        shouldWrite(w -> w.integer(Long.MIN_VALUE), ":-9223372036854775808¶", ":-9223372036854775808¶");
        shouldWrite(w -> w.bulk(new byte[] {'a', 0}), "$2¶a\0¶", "$2¶a\0¶");
        shouldWrite(w -> w.bulk(new byte[0]), "$0¶¶", "$0¶¶");
        shouldWrite(w -> w.bulkAscii("abc"), "$3¶abc¶", "$3¶abc¶");
        shouldWrite(w -> w.bulkDecimal(-120), "$4¶-120¶", "$4¶-120¶");
        shouldWrite(ReplyWriter::nullBulk, "$-1¶", "_¶");
        shouldWrite(ReplyWriter::nullArray, "*-1¶", "_¶");
        shouldWrite(w -> w.array(3), "*3¶", "*3¶");
        shouldWrite(w -> w.array(1_000_000), "*1000000¶", "*1000000¶");
        shouldWrite(w -> w.map(3), "*6¶", "%3¶");
        shouldWrite(w -> w.set(3), "*3¶", "~3¶");
        shouldWrite(w -> w.push(3), "*3¶", ">3¶");
        shouldWrite(w -> w.bool(true), ":1¶", "#t¶");
        shouldWrite(w -> w.bool(false), ":0¶", "#f¶");
        shouldWrite(w -> w.real(1.5), "$3¶1.5¶", ",1.5¶");
        shouldWrite(w -> w.real(Double.NEGATIVE_INFINITY), "$4¶-inf¶", ",-inf¶");
        shouldWrite(w -> w.bigNumber("123"), "$3¶123¶", "(123¶");
        shouldWrite(w -> w.verbatim("txt", new byte[] {'a'}), "$1¶a¶", "=5¶txt:a¶");
        assertThat(written(3, w -> w.attribute(1))).isEqualTo("|1¶");
        assertThatThrownBy(() -> written(2, w -> w.attribute(1))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new ReplyWriter().protocol(4)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldWriteABulkFromNativeMemory() {
        try (NativeBytes bytes = NativeBytes.of("x¶y")) {
            shouldWrite(w -> w.bulk(bytes.address(), bytes.length()), "$4¶x¶y¶", "$4¶x¶y¶");
            shouldWrite(w -> w.bulk(0, 0), "$0¶¶", "$0¶¶");
        }
    }

    @Test
    void shouldNeverLetAUsersByteForgeALine() {
        final StringBuilder every = new StringBuilder();
        for (char c = 0; c < 256; c++) {
            every.append(c);
        }
        final String expected = every.toString().replaceAll("[\0-\u001f\u007f]", " ");
        shouldWrite(w -> w.error(every.toString()), "-" + expected + "¶", "-" + expected + "¶");
        shouldWrite(w -> w.error("ERR", every.toString()), "-ERR " + expected + "¶", "-ERR " + expected + "¶");
        shouldWrite(w -> w.simple(every.toString()), "+" + expected + "¶", "+" + expected + "¶");
        try (NativeBytes bytes = new NativeBytes(every.toString().getBytes(ISO_8859_1))) {
            shouldWrite(w -> w.error(bytes.address(), 256), "-" + expected + "¶", "-" + expected + "¶");
            shouldWrite(w -> w.simple(bytes.address(), 256), "+" + expected + "¶", "+" + expected + "¶");
        }
        assertThat(written(2, w -> w.error("ERR \u20ac\u010d"))).isEqualTo("-ERR ??¶");
    }
}
