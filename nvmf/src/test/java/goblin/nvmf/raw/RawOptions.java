// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.raw;

/**
 * How a raw connection is set up.
 *
 * @param headerDigest       whether header digests are asked for
 * @param dataDigest         whether data digests are asked for
 * @param receiveBufferBytes SO_RCVBUF, 0 for the kernel's own choice
 * @param maxR2t             MAXR2T, counted from zero
 * @param flowControl        false disables SQ flow control at Connect
 * @param keepAliveMs        KATO of the admin queue
 */
public record RawOptions(
        boolean headerDigest,
        boolean dataDigest,
        int receiveBufferBytes,
        int maxR2t,
        boolean flowControl,
        long keepAliveMs) {
    /** Neither digests nor a Keep Alive; SQ flow control off as Linux has it. */
    public static final RawOptions PLAIN = new RawOptions(false, false, 0, 0, false, 0);

    /** Both digests. */
    public static final RawOptions DIGESTS = PLAIN.digests(true, true);

    /** The same with other digests. */
    public RawOptions digests(final boolean ofHeader, final boolean ofData) {
        return new RawOptions(ofHeader, ofData, receiveBufferBytes, maxR2t, flowControl, keepAliveMs);
    }

    /** The same with another receive buffer. */
    public RawOptions receiveBuffer(final int bytes) {
        return new RawOptions(headerDigest, dataDigest, bytes, maxR2t, flowControl, keepAliveMs);
    }

    /** The same with SQ flow control. */
    public RawOptions withFlowControl() {
        return new RawOptions(headerDigest, dataDigest, receiveBufferBytes, maxR2t, true, keepAliveMs);
    }

    /** The same with another Keep Alive time. */
    public RawOptions keepAlive(final long milliseconds) {
        return new RawOptions(headerDigest, dataDigest, receiveBufferBytes, maxR2t, flowControl, milliseconds);
    }
}
