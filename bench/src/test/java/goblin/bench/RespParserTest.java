// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespParserTest {
    private static final byte[] STREAM = RespBytes.ascii(String.join(
            "\r\n", "+OK", ":-12", "$5", "ab\r\nc", "*-1", "$-1", "_", "-ERR no", "*2", "*1", ":1", "$0", "", ">2",
            "+a", "+b", "%1", "+k", "#t", ""));

    @Test
    void shouldReadTheSameFramesWhereverTheStreamIsCut() throws Failure {
        for (int cut = 0; cut <= STREAM.length; cut++) {
            final RespParser parser = new RespParser();
            final List<String> texts = new ArrayList<>();
            read(parser, Arrays.copyOf(STREAM, cut), texts);
            read(parser, Arrays.copyOfRange(STREAM, cut, STREAM.length), texts);

            assertThat(texts)
                    .containsExactly(
                            "OK",
                            "-12",
                            "'ab\\r\\nc'",
                            "null",
                            "null",
                            "null",
                            "ErrorReply[text=ERR no]",
                            "[[1], '']",
                            "push [a, b]",
                            "[k, 1]");
            assertThat(parser.midFrame()).isFalse();
        }
    }

    @Test
    void shouldKnowThatAFrameIsUnfinished() throws Failure {
        final RespParser parser = new RespParser();
        read(parser, RespBytes.ascii("+OK\r\n*2\r\n:1\r\n"), new ArrayList<>());

        assertThat(parser.midFrame()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"?\r\n", ":\r\n", ":1x\r\n", "$2\r\nabcd\r\n"})
    void shouldRefuseWhatIsNoResp(final String text) {
        assertThatThrownBy(() -> read(new RespParser(), RespBytes.ascii(text), new ArrayList<>()))
                .isInstanceOf(Failure.class)
                .hasMessageStartingWith("malformed RESP");
    }

    private static void read(final RespParser parser, final byte[] bytes, final List<String> texts) throws Failure {
        parser.append(bytes, bytes.length);
        for (Object value = parser.next(); value != null; value = parser.next()) {
            texts.add(SoakConnection.text(value));
        }
    }
}
