// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.raw;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PduBuilderTest {
    private static String hex(final byte[] bytes, final int from, final int to) {
        return HexFormat.ofDelimiter(" ").formatHex(bytes, from, to);
    }

    @Test
    void shouldMakeAnInitializationRequest() {
        final byte[] bytes = PduBuilder.icReq(false, false).bytes();

        assertThat(bytes).hasSize(128);
        assertThat(hex(bytes, 0, 16)).isEqualTo("00 00 80 00 80 00 00 00 00 00 00 00 00 00 00 00");
    }

    @Test
    void shouldMakeTheCapsuleOfAConnect() {
        final byte[] bytes = PduBuilder.capsule(SqeBuilder.connect(0, 31, 4, 0).sgl(SqeBuilder.IN_CAPSULE, 1024))
                .data(new byte[1024])
                .bytes();

        assertThat(hex(bytes, 0, 8)).isEqualTo("04 00 48 48 48 04 00 00");
        assertThat(bytes).hasSize(72 + 1024);
    }

    @Test
    void shouldComputeTheDigestsThatTheSpecificationGives() {
        final byte[] bytes =
                PduBuilder.h2cData(1, 2, 0, new byte[32]).digests(true, true).bytes();

        assertThat(bytes).hasSize(24 + 4 + 32 + 4);
        assertThat(hex(bytes, 60, 64)).isEqualTo("aa 36 91 8a");
        assertThat(bytes[1]).isEqualTo((byte) 7);
    }

    @Test
    void shouldLetTheLastWordToWhatATestBreaks() {
        final byte[] bytes = PduBuilder.capsule(SqeBuilder.opcode(2))
                .plen(0xFFFFFFFFL)
                .pdo(200)
                .bytes();

        assertThat(hex(bytes, 0, 8)).isEqualTo("04 00 48 c8 ff ff ff ff");
    }
}
