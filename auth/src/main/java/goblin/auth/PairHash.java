// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A keyed hash of a user and a password with a random key that never leaves the process. Safe for any thread. */
final class PairHash {
    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;

    PairHash(final SecureRandom random) {
        final byte[] key = new byte[32];
        random.nextBytes(key);
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
        Arrays.fill(key, (byte) 0);
    }

    synchronized byte[] of(final byte[] user, final byte[] password) {
        // The length keeps "ab"+"c" apart from "a"+"bc".
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, user.length));
        mac.update(user);
        return mac.doFinal(password);
    }
}
