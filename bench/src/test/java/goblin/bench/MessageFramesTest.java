// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageFramesTest {
    private static final byte[] CHANNEL = RespBytes.ascii("c");

    private final MessageFrames frames = new MessageFrames(CHANNEL, 2);

    @Test
    void shouldCountTheSameWhereverTheStreamIsCut() throws Failure {
        final byte[] stream = stream("0:0", "1:0", "0:1", "1:1", "1:2");
        for (int first = 0; first <= stream.length; first++) {
            for (int second = first; second <= stream.length; second++) {
                final MessageFrames cut = new MessageFrames(CHANNEL, 2);
                accept(cut, Arrays.copyOf(stream, first));
                accept(cut, Arrays.copyOfRange(stream, first, second));
                accept(cut, Arrays.copyOfRange(stream, second, stream.length));

                assertThat(cut.messages()).isEqualTo(5);
                assertThat(cut.next(0)).isEqualTo(2);
                assertThat(cut.next(1)).isEqualTo(3);
            }
        }
    }

    @Test
    void shouldSeeALostMessage() {
        assertThatThrownBy(() -> accept(frames, stream("0:0", "0:2")))
                .isInstanceOf(Failure.class)
                .hasMessage("publisher 0: message 2 received instead of 1");
    }

    @Test
    void shouldSeeAMessageReceivedTwice() {
        assertThatThrownBy(() -> accept(frames, stream("1:0", "1:0")))
                .isInstanceOf(Failure.class)
                .hasMessage("publisher 1: message 0 received instead of 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2:0", "x:0", "0:", ":", "", "0:x", "0"})
    void shouldRefuseAPayloadOfNobody(final String payload) {
        assertThatThrownBy(() -> accept(frames, stream(payload, "0:0"))).isInstanceOf(Failure.class);
    }

    @Test
    void shouldRefuseWhatIsNoMessage() {
        assertThatThrownBy(() -> accept(frames, RespBytes.ascii("-ERR no\r\n")))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("-ERR no\\r\\n");
    }

    private static void accept(final MessageFrames frames, final byte[] bytes) throws Failure {
        frames.accept(bytes, bytes.length);
    }

    private static byte[] stream(final String... payloads) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (final String payload : payloads) {
            out.writeBytes(RespBytes.message(CHANNEL, RespBytes.ascii(payload)));
        }
        return out.toByteArray();
    }
}
