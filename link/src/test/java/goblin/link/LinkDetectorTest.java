// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.NativeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LinkDetectorTest {
    private final NativeBuffer bytes = new NativeBuffer();
    private final LinkDetector detector = new LinkDetector();

    @AfterEach
    void freeBytes() {
        bytes.free();
    }

    @Test
    void shouldFindTheLinkAtEverySplitOfThePreamble() {
        for (int cut = 1; cut < Preamble.LENGTH; cut++) {
            final LinkDetector split = new LinkDetector();

            assertThat(offer(split, Preamble.TEXT.substring(0, cut))).isEqualTo(LinkDetector.UNDECIDED);
            assertThat(offer(split, Preamble.TEXT.substring(cut) + "xyz")).isEqualTo(LinkDetector.SBE);
            assertThat(split.consumed()).isEqualTo(Preamble.LENGTH - cut);
        }
    }

    @Test
    void shouldDecideForRespAtTheFirstByteThatDiffers() {
        assertThat(offer(detector, "*1\r\n$4\r\nPING\r\n")).isEqualTo(LinkDetector.RESP);
        assertThat(detector.consumed()).isZero();
        assertThat(detector.replayed()).isZero();
    }

    @Test
    void shouldReplayWhatItTookFromAnInlineCommandThatBeginsLikeALink() {
        assertThat(offer(detector, "G")).isEqualTo(LinkDetector.UNDECIDED);
        assertThat(offer(detector, "OB")).isEqualTo(LinkDetector.UNDECIDED);
        assertThat(offer(detector, "LET k\r\n")).isEqualTo(LinkDetector.RESP);
        assertThat(detector.replayed()).isEqualTo(3);
        assertThat(detector.consumed()).isZero();
    }

    @Test
    void shouldStayUndecidedWithoutBytesAndKeepItsDecision() {
        assertThat(offer(detector, "")).isEqualTo(LinkDetector.UNDECIDED);
        assertThat(offer(detector, "GET k\r\n")).isEqualTo(LinkDetector.RESP);
        assertThat(offer(detector, Preamble.TEXT)).isEqualTo(LinkDetector.RESP);
    }

    private int offer(final LinkDetector to, final String text) {
        bytes.clear();
        bytes.appendAscii(text);
        return to.offer(bytes.address(), text.length());
    }
}
