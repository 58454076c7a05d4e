// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every byte value passes through scripts unchanged. */
final class BinarySafetyTest {
    private static final String ALL =
            IntStream.range(0, 256).mapToObj(c -> String.valueOf((char) c)).collect(Collectors.joining());

    private ScriptRig rig;

    @BeforeEach
    void open() {
        rig = new ScriptRig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void shouldPassEveryByteThroughKeysAndArguments() {
        assertThat(rig.eval("return KEYS[1]", ALL)).isEqualTo(bulk(ALL));
        assertThat(rig.eval(2, "return ARGV[1]", List.of(), List.of(ALL))).isEqualTo(bulk(ALL));
        for (int i = 0; i < ALL.length(); i++) {
            final String one = ALL.substring(i, i + 1);
            assertThat(rig.eval(2, "return {KEYS[1], #KEYS[1], ARGV[2]}", List.of(one), List.of("", one)))
                    .isEqualTo("*3\r\n" + bulk(one) + ":1\r\n" + bulk(one));
        }
    }

    @Test
    void shouldPassEveryByteThroughCommandsAndTheirReplies() {
        assertThat(rig.eval("return redis.call('ECHO', KEYS[1])", ALL)).isEqualTo(bulk(ALL));
        assertThat(rig.called.getLast()).containsExactly("ECHO", ALL);
        assertThat(rig.eval("return redis.call('ECHO', string.rep(KEYS[1], 1000))", ALL))
                .isEqualTo(bulk(ALL.repeat(1000)));
    }

    @Test
    void shouldPassEveryByteButControlsThroughErrors() {
        final String printable = ALL.substring(0x20, 0x7F) + ALL.substring(0x80);

        assertThat(rig.eval("return {err = KEYS[1]}", printable)).isEqualTo("-" + printable + "\r\n");
        assertThat(rig.eval("return redis.error_reply('E ' .. KEYS[1])", printable))
                .isEqualTo("-E " + printable + "\r\n");
        assertThat(rig.eval("return {ok = KEYS[1]}", printable)).isEqualTo("+" + printable + "\r\n");
        assertThat(rig.eval("return {err = KEYS[1]}", ALL)).hasSize(1 + 256 + 2).startsWith("-" + " ".repeat(32));
    }

    @Test
    void shouldTakeEveryByteInTheTextOfAScript() {
        final String odd =
                ALL.replace("\r", "").replace("\n", "").replace("]", "").replace("\0", "");

        assertThat(rig.eval("return [[" + odd + "]]")).isEqualTo(bulk(odd));
    }

    @Property(tries = 200)
    void shouldPassAnyBytes(
            @ForAll @CharRange(from = 0, to = 255) final String key,
            @ForAll @CharRange(from = 0, to = 255) final String argument) {
        try (ScriptRig own = new ScriptRig()) {
            assertThat(own.eval(2, "return {redis.call('ECHO', KEYS[1]), ARGV[1]}", List.of(key), List.of(argument)))
                    .isEqualTo("*2\r\n" + bulk(key) + bulk(argument));
        }
    }

    private static String bulk(final String bytes) {
        return "$" + bytes.length() + "\r\n" + bytes + "\r\n";
    }
}
