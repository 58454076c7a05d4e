// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PhcHashTest {
    private static final Argon2Cost CHEAP = new Argon2Cost(64, 1, 1);

    @Test
    void shouldStandOnAnArgon2idThatGivesTheTestVectorOfRfc9106() {
        final Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(32)
                .withIterations(3)
                .withParallelism(4)
                .withSalt(filled(16, 2))
                .withSecret(filled(8, 3))
                .withAdditional(filled(12, 4))
                .build());
        final byte[] tag = new byte[32];
        generator.generateBytes(filled(32, 1), tag);

        assertThat(HexFormat.of().formatHex(tag))
                .isEqualTo("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659");
    }

    @Test
    void shouldAcceptAHashThatTheReferenceToolMade() {
        final PhcHash hash =
                PhcHash.parse("$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc");

        assertThat(hash.matches(bytes("password"))).isTrue();
        assertThat(hash.matches(bytes("Password"))).isFalse();
        assertThat(PhcHash.parse(
                                "$argon2id$v=19$m=4096,t=3,p=4$MDEyMzQ1Njc4OWFiY2RlZg$LtNS9C0nSDUFNT87ANZn8jUqqE/P+cky")
                        .matches(bytes("pässword")))
                .isTrue();
    }

    @Test
    void shouldReadBackWhatItMade() {
        final PhcHash made = PhcHash.create(bytes("päss\u0000wörd"), Argon2Cost.STANDARD, new SecureRandom());
        final PhcHash read = PhcHash.parse(made.toString());

        assertThat(made.toString()).startsWith("$argon2id$v=19$m=19456,t=2,p=1$");
        assertThat(read).hasToString(made.toString());
        assertThat(read.matches(bytes("päss\u0000wörd"))).isTrue();
        assertThat(read.matches(bytes("päss"))).isFalse();
    }

    @Test
    void shouldSaltEachHash() {
        final SecureRandom random = new SecureRandom();

        assertThat(PhcHash.create(bytes("x"), CHEAP, random).toString())
                .isNotEqualTo(PhcHash.create(bytes("x"), CHEAP, random).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "secret",
                "$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=16$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=19$m=7,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=19$m=262145,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=19$m=999999999,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=19$m=64,t=0,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=19$m=64,t=1,p=17$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=19$m=64,t=1,p=1$c2FsdA$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdU",
                "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPcxx",
            })
    void shouldRefuseWhatIsNoAcceptableHash(final String text) {
        assertThatThrownBy(() -> PhcHash.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldMatchNothingWhenMadeToMatchNothing() {
        assertThat(PhcHash.unmatchable(CHEAP, new SecureRandom()).matches(bytes("")))
                .isFalse();
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] filled(final int length, final int value) {
        final byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }
}
