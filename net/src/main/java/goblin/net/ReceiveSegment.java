// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/**
 * Received bytes lent by the transport at a native address; reference-counted.
 *
 * <p>The handler may read them during the callback. To keep them longer it calls {@link #retain} once and
 * {@link #release} exactly once, in any order relative to other segments, from the owning loop's thread or any other
 * (a release elsewhere travels through the owner's queue).
 */
public interface ReceiveSegment {

    /**
     * First byte.
     *
     * @return a native address, valid while the segment is held
     */
    long address();

    /**
     * Number of bytes.
     *
     * @return at least 1
     */
    int length();

    /** Keeps the bytes until the matching {@link #release}; only on the loop's thread, while the segment is held. */
    void retain();

    /** Gives the bytes back. Releasing more often than retaining is an error that a checking pool reports. */
    void release();
}
