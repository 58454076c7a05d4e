// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReplyScannerTest {

    /** The frames found when the stream comes in spans that end at the given places; a trailing "…" is an open one. */
    static List<String> frames(final byte[] stream, final int... cuts) {
        final ReplyScanner scanner = new ReplyScanner();
        final List<String> frames = new ArrayList<>();
        long frameBytes = 0;
        try (NativeBytes bytes = new NativeBytes(stream)) {
            for (int i = 0; i <= cuts.length; i++) {
                long from = i == 0 ? 0 : cuts[i - 1];
                final long to = i == cuts.length ? stream.length : cuts[i];
                while (from < to) {
                    final int result = scanner.scan(bytes.address() + from, to - from);
                    if (result == ReplyScanner.MALFORMED) {
                        frames.add("malformed");
                        return frames;
                    }
                    frameBytes += scanner.consumed();
                    from += scanner.consumed();
                    if (result == ReplyScanner.FRAME) {
                        frames.add((scanner.push() ? "push" : String.valueOf((char) scanner.type())) + frameBytes);
                        frameBytes = 0;
                    }
                    if (scanner.midFrame() != (result == ReplyScanner.NEED_MORE)) {
                        throw new AssertionError("midFrame() disagrees with the result " + result);
                    }
                }
            }
        }
        if (scanner.midFrame()) {
            frames.add("…");
        }
        return frames;
    }

    static List<String> frames(final String text, final int... cuts) {
        return frames(NativeBytes.wire(text), cuts);
    }

    @Test
    void shouldCountNestedRepliesOnce_P11() {
        assertThat(frames("*3¶$2¶ro¶+OK¶*2¶:1¶-ERR x¶")).containsExactly("*33");
        assertThat(frames("%1¶+a¶~2¶#t¶,1.5¶")).containsExactly("%22");
        assertThat(frames("=7¶txt:abc¶(123¶_¶!3¶ERR¶")).containsExactly("=13", "(6", "_3", "!9");
    }

    @Test
    void shouldCountAnAttributeWithTheReplyAfterIt_P11() {
        assertThat(frames("|1¶+k¶+v¶:1¶")).containsExactly(":16");
        assertThat(frames("|1¶+k¶*1¶+v¶|1¶+k¶+v¶>2¶+a¶+b¶+OK¶"))
                .hasSize(2)
                .last()
                .isEqualTo("+5");
        assertThat(frames("*2¶|1¶+k¶+v¶:1¶:2¶")).containsExactly("*24");
        assertThat(frames("|0¶:1¶")).containsExactly(":8");
    }

    @Test
    void shouldTakeNullArraysAndNullBulks_P12() {
        assertThat(frames("*-1¶$-1¶_¶*0¶%0¶~0¶>0¶*2¶*-1¶$-1¶+PONG¶"))
                .containsExactly("*5", "$5", "_3", "*4", "%4", "~4", "push4", "*14", "+7");
    }

    @Test
    void shouldFindTheEndOfBulksThatHoldLineEnds() {
        assertThat(frames("$6¶a¶b¶¶$0¶¶+x¶")).containsExactly("$12", "$6", "+4");
    }

    @Test
    void shouldTellPushesFromReplies() {
        assertThat(frames(">3¶$7¶message¶$2¶ch¶$3¶foo¶+OK¶")).containsExactly("push34", "+5");
    }

    @Test
    void shouldKnowTheTypeOfAFrameThatIsStillComing() {
        final ReplyScanner scanner = new ReplyScanner();
        try (NativeBytes bytes = NativeBytes.of("|1¶+k¶+v¶>2¶+a¶")) {
            scanner.scan(bytes.address(), bytes.length() - 8);
            assertThat(scanner.type()).isZero();
            scanner.scan(bytes.address() + bytes.length() - 8, 1);
            assertThat(scanner.push()).isTrue();
            scanner.scan(bytes.address() + bytes.length() - 7, 7);
            assertThat(scanner.push()).isTrue();
            assertThat(scanner.midFrame()).isTrue();
        }
    }

    @Test
    void shouldFollowDeepNestingWithoutAStack() {
        final String deep = "*1¶".repeat(100_000) + ":1¶";
        assertThat(frames(deep)).containsExactly("*400004");
    }

    @Test
    void shouldSkipABulkOfManyGigabytesByArithmetic() {
        final ReplyScanner scanner = new ReplyScanner();
        try (NativeBytes header = NativeBytes.of("$1099511627776¶");
                NativeBytes end = NativeBytes.of("¶")) {
            assertThat(scanner.scan(header.address(), header.length())).isEqualTo(ReplyScanner.NEED_MORE);
            // The bulk's inside is not read, so no memory needs to stand behind it.
            assertThat(scanner.scan(0, 1L << 39)).isEqualTo(ReplyScanner.NEED_MORE);
            assertThat(scanner.scan(0, 1L << 39)).isEqualTo(ReplyScanner.NEED_MORE);
            assertThat(scanner.scan(end.address(), 2)).isEqualTo(ReplyScanner.FRAME);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "PING¶",
                "$?¶",
                "*?¶",
                "$-2¶",
                "*-2¶",
                "$-1x",
                "$-0¶",
                "$+1¶",
                "$01¶",
                "$¶",
                "*¶",
                "%-1¶",
                "=-1¶",
                ">-1¶",
                "|-1¶",
                "$1099511627777¶",
                "*4294967297¶",
                "$1¶ab¶",
                "$1¶a\rb",
                "+a\rb",
                "*1\rx",
                "*1¶\r"
            })
    void shouldRefuseWhatIsNoReply(final String text) {
        assertThat(frames(text)).containsExactly("malformed");
        final byte[] bytes = NativeBytes.wire(text);
        for (int cut = 1; cut < bytes.length; cut++) {
            assertThat(frames(bytes, cut)).containsExactly("malformed");
        }
    }

    @Test
    void shouldStayMalformed() {
        final ReplyScanner scanner = new ReplyScanner();
        try (NativeBytes bytes = NativeBytes.of("x+OK¶")) {
            assertThat(scanner.scan(bytes.address(), 1)).isEqualTo(ReplyScanner.MALFORMED);
            assertThat(scanner.scan(bytes.address() + 1, 5)).isEqualTo(ReplyScanner.MALFORMED);
            scanner.reset();
            assertThat(scanner.scan(bytes.address() + 1, 5)).isEqualTo(ReplyScanner.FRAME);
        }
    }
}
