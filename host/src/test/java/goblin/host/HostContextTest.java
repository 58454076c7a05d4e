// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.IdlePolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

final class HostContextTest {
    @Test
    void shouldListenOnLoopbackByDefault() {
        final HostContext context = HostUnderTest.context();
        assertThat(context.bind()).hasToString("127.0.0.1:6379");
        assertThat(context.idle()).isEqualTo(IdlePolicy.BACKOFF);
        assertThat(context.backlog()).isEqualTo(4096);
        assertThat(context.edgeOutputBufferBytes()).isEqualTo(64L << 20);
        assertThat(context.enableSbe()).isFalse();
    }

    @Test
    void shouldTakeSeveralTrustedListenersAndUnits() {
        final HostContext context = HostUnderTest.context(
                "--trusted-listen", "10.0.0.1:7000", "--trusted-listen", "[::1]:0", "--maxmemory", "2gb");
        assertThat(context.trusted()).extracting(Object::toString).containsExactly("10.0.0.1:7000", "[::1]:0");
        assertThat(context.maxMemory()).isEqualTo(2L << 30);
    }

    @ParameterizedTest
    @CsvSource({
        "--port, 65536, 0 to 65535",
        "--port, -1, 0 to 65535",
        "--bind, localhost, an IPv4 or IPv6 address",
        "--bind, 0.0.0.0, --no-protected-mode",
        "--trusted-listen, 10.0.0.1, ADDRESS:PORT",
        "--uds-mode, 9, octal",
        "--cpu, x, 0 to 4095",
        "--numa, nosuchdevice, network device",
        "--backlog, 0, 1 to 65535",
        "--idle, sometimes, spin or backoff",
        "--maxmemory, lots, bytes",
        "--maxmemory, 100000gb, the Java heap",
        "--link-timeout, 1, 2 to 86400",
        "--save, 60 1, not available yet",
        "--dir, /, not available yet",
        "--dbfilename, x, not available yet"
    })
    void shouldNameTheOptionAndWhatIsAllowed(final String option, final String value, final String allowed) {
        assertThatThrownBy(() -> HostUnderTest.context(option, value))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(option)
                .hasMessageContaining(allowed);
    }
}
