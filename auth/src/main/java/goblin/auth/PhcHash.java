// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * An Argon2id hash as a PHC string: {@code $argon2id$v=19$m=19456,t=2,p=1$SALT$HASH}. Immutable.
 *
 * <p>Read from others: Argon2id of version 19, costs within {@link Argon2Cost}'s bounds, salt of 8 to 64 bytes, hash of
 * 16 to 64 bytes. Checking a password takes tens of milliseconds and the memory that the hash names.
 */
final class PhcHash {
    private static final Pattern FORM = Pattern.compile(
            "\\$argon2id\\$v=(\\d{1,9})\\$m=(\\d{1,9}),t=(\\d{1,9}),p=(\\d{1,9})\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");
    private static final int VERSION = Argon2Parameters.ARGON2_VERSION_13;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;

    private final Argon2Cost cost;
    private final byte[] salt;
    private final byte[] hash;

    private PhcHash(final Argon2Cost cost, final byte[] salt, final byte[] hash) {
        this.cost = cost;
        this.salt = salt;
        this.hash = hash;
    }

    /** Hashes a password with a fresh salt; the caller wipes the password. */
    static PhcHash create(final byte[] password, final Argon2Cost cost, final SecureRandom random) {
        final byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new PhcHash(cost, salt, argon2id(password, salt, cost, HASH_BYTES));
    }

    /** A hash that no password matches and that costs as much to check as one that could. */
    static PhcHash unmatchable(final Argon2Cost cost, final SecureRandom random) {
        final byte[] salt = new byte[SALT_BYTES];
        final byte[] hash = new byte[HASH_BYTES];
        random.nextBytes(salt);
        random.nextBytes(hash);
        return new PhcHash(cost, salt, hash);
    }

    /** Reads a PHC string; throws IllegalArgumentException with a reason that holds nothing of the text itself. */
    static PhcHash parse(final String text) {
        final Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("not of the form $argon2id$v=19$m=…,t=…,p=…$SALT$HASH");
        }
        if (Integer.parseInt(form.group(1)) != VERSION) {
            throw new IllegalArgumentException("v=" + form.group(1) + " is not v=" + VERSION);
        }
        final Argon2Cost cost = new Argon2Cost(
                Integer.parseInt(form.group(2)), Integer.parseInt(form.group(3)), Integer.parseInt(form.group(4)));
        return new PhcHash(cost, decode("salt", form.group(5), 8), decode("hash", form.group(6), 16));
    }

    Argon2Cost cost() {
        return cost;
    }

    /** Tells whether this is the password, in a time that does not depend on how much of the hash is right. */
    boolean matches(final byte[] password) {
        final byte[] computed = argon2id(password, salt, cost, hash.length);
        final boolean equal = MessageDigest.isEqual(computed, hash);
        Arrays.fill(computed, (byte) 0);
        return equal;
    }

    @Override
    public String toString() {
        final Base64.Encoder encoder = Base64.getEncoder().withoutPadding();
        return "$argon2id$v=" + VERSION + "$m=" + cost.memoryKib() + ",t=" + cost.passes() + ",p=" + cost.lanes() + '$'
                + encoder.encodeToString(salt) + '$' + encoder.encodeToString(hash);
    }

    private static byte[] decode(final String what, final String base64, final int least) {
        final byte[] bytes = Base64.getDecoder().decode(base64);
        if (bytes.length < least || bytes.length > 64) {
            throw new IllegalArgumentException(what + " of " + bytes.length + " bytes is not in " + least + " to 64");
        }
        return bytes;
    }

    private static byte[] argon2id(final byte[] password, final byte[] salt, final Argon2Cost cost, final int length) {
        final Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(VERSION)
                .withMemoryAsKB(cost.memoryKib())
                .withIterations(cost.passes())
                .withParallelism(cost.lanes())
                .withSalt(salt)
                .build());
        final byte[] out = new byte[length];
        generator.generateBytes(password, out);
        return out;
    }
}
