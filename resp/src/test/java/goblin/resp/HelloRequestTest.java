// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HelloRequestTest {
    private final HelloRequest request = new HelloRequest();

    private String refused(final String... words) {
        try (Words command = new Words(words)) {
            assertThat(request.parse(command)).isFalse();
            assertThat(request.protocol()).isZero();
            assertThat(request.hasAuth()).isFalse();
            assertThat(request.nameIndex()).isEqualTo(-1);
            return request.error();
        }
    }

    private void accepted(final String... words) {
        try (Words command = new Words(words)) {
            assertThat(request.parse(command)).isTrue();
            assertThat(request.error()).isNull();
        }
    }

    @Test
    void shouldReadEveryForm_P47() {
        accepted("HELLO");
        assertThat(request.protocol()).isZero();
        accepted("hello", "3");
        assertThat(request.protocol()).isEqualTo(3);
        assertThat(request.hasAuth()).isFalse();
        assertThat(request.userIndex()).isEqualTo(-1);
        assertThat(request.passwordIndex()).isEqualTo(-1);
        accepted("HELLO", "2", "setname", "n", "auth", "default", "pw");
        assertThat(request.protocol()).isEqualTo(2);
        assertThat(request.nameIndex()).isEqualTo(3);
        assertThat(request.userIndex()).isEqualTo(5);
        assertThat(request.passwordIndex()).isEqualTo(6);
        accepted("HELLO", "3", "SETNAME", "");
        assertThat(request.nameIndex()).isEqualTo(3);
        accepted("HELLO", "3", "AUTH", "SETNAME", "AUTH");
        assertThat(request.userIndex()).isEqualTo(3);
        assertThat(request.nameIndex()).isEqualTo(-1);
    }

    @Test
    void shouldRefuseVersionsInRedisWords_P47() {
        assertThat(refused("HELLO", "4")).isEqualTo("NOPROTO unsupported protocol version");
        assertThat(refused("HELLO", "1")).isEqualTo("NOPROTO unsupported protocol version");
        assertThat(refused("HELLO", "-3")).isEqualTo("NOPROTO unsupported protocol version");
        final String notANumber = "ERR Protocol version is not an integer or out of range";
        assertThat(refused("HELLO", "abc")).isEqualTo(notANumber);
        assertThat(refused("HELLO", "")).isEqualTo(notANumber);
        assertThat(refused("HELLO", "03")).isEqualTo(notANumber);
        assertThat(refused("HELLO", "AUTH", "u", "p")).isEqualTo(notANumber);
    }

    @Test
    void shouldRefuseOptionsAndNamesInRedisWordsAndKeepNothing_P48() {
        assertThat(refused("HELLO", "3", "SETNAME", "bad name"))
                .isEqualTo("ERR Client names cannot contain spaces, newlines or special characters.");
        assertThat(refused("HELLO", "3", "AUTH", "u", "p", "FOO")).isEqualTo("ERR Syntax error in HELLO option 'FOO'");
        assertThat(refused("HELLO", "3", "AUTH", "u")).isEqualTo("ERR Syntax error in HELLO option 'AUTH'");
        assertThat(refused("HELLO", "3", "SETNAME")).isEqualTo("ERR Syntax error in HELLO option 'SETNAME'");
        accepted("HELLO");
    }

    @Test
    void shouldAcceptPrintableNamesOnly() {
        for (int c = 0; c < 256; c++) {
            try (NativeBytes name = new NativeBytes(new byte[] {'a', (byte) c})) {
                assertThat(HelloRequest.isClientName(name.address(), 2)).isEqualTo(c > 0x20 && c < 0x7F);
            }
        }
    }
}
