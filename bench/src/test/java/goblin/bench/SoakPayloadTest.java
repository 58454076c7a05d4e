// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoakPayloadTest {
    @Test
    void shouldComeBackForEverySize() throws Failure {
        for (int sequence = 0; sequence < 5000; sequence++) {
            final SoakPayload payload = new SoakPayload(3, 7, sequence);

            assertThat(SoakPayload.decode(payload.encode())).isEqualTo(payload);
        }
    }

    @Test
    void shouldSeeAChangedByteAndAMissingOne() {
        final byte[] whole = new SoakPayload(1, 2, 30).encode();
        final byte[] changed = whole.clone();
        changed[changed.length - 1]++;

        assertThatThrownBy(() -> SoakPayload.decode(changed)).hasMessageContaining("was changed at byte");
        assertThatThrownBy(() -> SoakPayload.decode(Arrays.copyOf(whole, whole.length - 1)))
                .hasMessageContaining("bytes");
        assertThatThrownBy(() -> SoakPayload.decode(RespBytes.ascii("hello"))).hasMessageContaining("is nobody's");
    }

    @ParameterizedTest
    @CsvSource({"--minutes 0", "--vanish -1", "--rss-slack-mib -1", "--minutes x", "--other"})
    void shouldRefuseABadOptionOfTheSoakWithOneLine(final String arguments) {
        final Captured run = Captured.run(() -> SoakMain.run(arguments.split(" ", -1)));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).hasLineCount(1).startsWith("goblin soak: ");
    }
}
