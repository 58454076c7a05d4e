// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.ByteViews;
import goblin.net.linux.Memory;
import java.util.zip.CRC32C;

/**
 * CRC32C over native memory, as header and data digests use it: the JDK's, which uses the CPU's instruction. One digest at
 * a time; any number of them may share one {@link ByteViews}. Owned by one thread.
 */
public final class Crc32c {
    private final CRC32C crc = new CRC32C();
    private final ByteViews views;

    /** Makes one with views of its own. */
    public Crc32c() {
        this(new ByteViews());
    }

    /**
     * Makes one that shares views with others of the same thread.
     *
     * @param views the thread's
     */
    public Crc32c(final ByteViews views) {
        this.views = views;
    }

    /** Begins a new digest. */
    public void reset() {
        crc.reset();
    }

    /**
     * Goes on with some bytes.
     *
     * @param address first byte
     * @param length  0 to {@link ByteViews#MAX_BYTES}
     */
    public void update(final long address, final int length) {
        if (length > 0) {
            crc.update(views.of(address, length));
        }
    }

    /**
     * The digest of the bytes since {@link #reset}.
     *
     * @return the 32 bits in the lower half; on the wire they stand with the lowest byte first
     */
    public long value() {
        return crc.getValue();
    }

    /**
     * The digest of some bytes; what {@link #update} did before is forgotten.
     *
     * @param address first byte
     * @param length  0 to {@link ByteViews#MAX_BYTES}
     * @return see {@link #value}
     */
    public long of(final long address, final int length) {
        reset();
        update(address, length);
        return value();
    }

    /**
     * Writes the digest of a header behind it.
     *
     * @param header first byte
     * @param length bytes of the header; {@link CommonHeader#DIGEST_BYTES} more are written
     */
    public void seal(final long header, final int length) {
        Memory.putInt(header + length, (int) of(header, length));
    }
}
