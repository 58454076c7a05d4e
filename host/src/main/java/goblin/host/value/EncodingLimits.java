// SPDX-License-Identifier: Apache-2.0
package goblin.host.value;

/**
 * The sizes up to which a collection reports a compact encoding ({@code OBJECT ENCODING}), as {@code CONFIG SET} may
 * change them. They change names only: the representation in memory stays the same. Owned by the loop's thread.
 */
public final class EncodingLimits {
    /** {@code list-max-listpack-size}: entries when positive, -1 … -5 for 4 … 64 KiB. */
    public long listMaxListpackSize = -2;

    /** {@code hash-max-listpack-entries}. */
    public long hashMaxListpackEntries = 512;

    /** {@code hash-max-listpack-value}, bytes. */
    public long hashMaxListpackValue = 64;

    /** {@code set-max-intset-entries}. */
    public long setMaxIntsetEntries = 512;

    /** {@code set-max-listpack-entries}. */
    public long setMaxListpackEntries = 128;

    /** {@code set-max-listpack-value}, bytes. */
    public long setMaxListpackValue = 64;

    /** {@code zset-max-listpack-entries}. */
    public long zsetMaxListpackEntries = 128;

    /** {@code zset-max-listpack-value}, bytes. */
    public long zsetMaxListpackValue = 64;

    /** Makes the limits with the defaults of Redis 7.2. */
    public EncodingLimits() {}
}
