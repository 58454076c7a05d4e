// SPDX-License-Identifier: Apache-2.0
package goblin.host;

/**
 * What edges may use of the host.
 *
 * @param release {@link goblin.link.Release#text} that an edge must have, too
 * @param linkTimeoutNs silence after which an edge is dead, more than a second
 * @param outputBufferBytes {@code --edge-output-buffer-bytes}: at half of it publishers to the edge wait
 * @param maxFrameBytes longest message accepted from an edge
 */
record EdgeOptions(String release, long linkTimeoutNs, long outputBufferBytes, long maxFrameBytes) {
    /** Time an edge whose buffer is half full has for taking anything at all, and for the ping of its link. */
    static final long STALL_NS = 5_000_000_000L;

    static final long PING_NS = 1_000_000_000L;

    /** Time a refused edge has for reading why. */
    static final long LINGER_NS = 2_000_000_000L;

    /** What only a script or notifications can queue, since they cannot wait: past this the edge is cut. */
    long hardLimitBytes() {
        return outputBufferBytes * 8;
    }
}
