// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * What hosts know a namespace by.
 *
 * @param uuid      never nil
 * @param nguidHigh the first 8 bytes of the NGUID, as a big-endian number
 * @param nguidLow  its last 8 bytes, likewise; never zero together with the first
 */
public record NamespaceIdentity(UUID uuid, long nguidHigh, long nguidLow) {

    /**
     * An identity of which both names hold the same 16 bytes.
     *
     * @param uuid not nil
     * @return the identity
     */
    public static NamespaceIdentity of(final UUID uuid) {
        return new NamespaceIdentity(uuid, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    /**
     * An identity that nobody has.
     *
     * @return new each time
     */
    public static NamespaceIdentity fresh() {
        return of(UUID.randomUUID());
    }

    /**
     * The identity of a namespace by its place: the same after a restart, on every path and at every target that serves the
     * same subsystem.
     *
     * @param subsystemNqn the subsystem's name
     * @param nsid         the namespace's number in it, unsigned 32 bits
     * @return a UUID of version 8 (RFC 9562: made from a hash)
     */
    public static NamespaceIdentity derived(final String subsystemNqn, final long nsid) {
        final byte[] hash;
        try {
            hash = MessageDigest.getInstance("SHA-256")
                    .digest(("goblin namespace " + nsid + " of " + subsystemNqn).getBytes(StandardCharsets.UTF_8));
        } catch (final NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
        final ByteBuffer bytes = ByteBuffer.wrap(hash);
        final long high = (bytes.getLong() & ~0xF000L) | 0x8000L;
        final long low = (bytes.getLong() & ~(3L << 62)) | 1L << 63;
        return of(new UUID(high, low));
    }
}
