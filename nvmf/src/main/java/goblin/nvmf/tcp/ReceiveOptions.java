// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.SegmentArena;

/**
 * How payload is received. Everything is checked when the record is made.
 *
 * @param segmentBytes bytes of one piece of receive memory, 1 to 1 MiB; programs allow 1 KiB and more
 * @param windowBytes  most bytes that one receive call fills, from one segment to 4 MiB and {@value #MOST_PIECES} segments
 * @param maxSegments  the most entries of a request's vector and references to segments, 33 to 1024
 * @param path         what becomes of received payload
 * @param vectors      how large vectors are
 * @param retention    what becomes of vectors that have grown
 */
public record ReceiveOptions(
        int segmentBytes,
        int windowBytes,
        int maxSegments,
        ReceivePath path,
        VectorMode vectors,
        VectorRetention retention) {
    /** Entries of a vector unless something else is asked for; an 8-bit count's limit. */
    public static final int DEFAULT_MAX_SEGMENTS = 255;

    /** The fewest entries that a limit may say: those that each request has. */
    public static final int LEAST_MAX_SEGMENTS = 33;

    /** The most entries that the kernel takes in one call. */
    public static final int LARGEST_MAX_SEGMENTS = 1024;

    /** The largest segment. */
    public static final int LARGEST_SEGMENT_BYTES = 1 << 20;

    /** The largest window. */
    public static final int LARGEST_WINDOW_BYTES = 4 << 20;

    /** The most segments that one receive call fills. */
    public static final int MOST_PIECES = 1024;

    /** Lent segments of 64 KiB, one a receive; vectors that grow to 255 entries and stay so. */
    public static final ReceiveOptions DEFAULT = new ReceiveOptions(
            SegmentArena.DEFAULT_SEGMENT_BYTES,
            SegmentArena.DEFAULT_SEGMENT_BYTES,
            DEFAULT_MAX_SEGMENTS,
            ReceivePath.LENT,
            VectorMode.DYNAMIC,
            VectorRetention.KEEP);

    /**
     * Checks.
     *
     * @throws IllegalArgumentException with a message for people when something is out of its range
     */
    public ReceiveOptions {
        TcpOptions.check(
                segmentBytes >= 1 && segmentBytes <= LARGEST_SEGMENT_BYTES,
                "a receive segment has 1 to " + LARGEST_SEGMENT_BYTES + " bytes");
        TcpOptions.check(
                windowBytes >= segmentBytes
                        && windowBytes <= LARGEST_WINDOW_BYTES
                        && windowBytes / segmentBytes <= MOST_PIECES,
                "a receive window has at least one segment of " + segmentBytes + " bytes, at most " + MOST_PIECES
                        + " and " + LARGEST_WINDOW_BYTES + " bytes");
        TcpOptions.check(
                maxSegments >= LEAST_MAX_SEGMENTS && maxSegments <= LARGEST_MAX_SEGMENTS,
                "receive segments must be " + LEAST_MAX_SEGMENTS + " to " + LARGEST_MAX_SEGMENTS);
    }

    /**
     * The same with other sizes.
     *
     * @param segment bytes of one segment
     * @param window  bytes of one receive
     * @return new options
     */
    public ReceiveOptions withSizes(final int segment, final int window) {
        return new ReceiveOptions(segment, window, maxSegments, path, vectors, retention);
    }

    /**
     * The same with another limit.
     *
     * @param segments the most entries
     * @return new options
     */
    public ReceiveOptions withMaxSegments(final int segments) {
        return new ReceiveOptions(segmentBytes, windowBytes, segments, path, vectors, retention);
    }

    /**
     * The same with another path.
     *
     * @param other what becomes of payload
     * @return new options
     */
    public ReceiveOptions withPath(final ReceivePath other) {
        return new ReceiveOptions(segmentBytes, windowBytes, maxSegments, other, vectors, retention);
    }

    /**
     * The same with other vectors.
     *
     * @param mode      how large they are
     * @param afterwards what becomes of those that have grown
     * @return new options
     */
    public ReceiveOptions withVectors(final VectorMode mode, final VectorRetention afterwards) {
        return new ReceiveOptions(segmentBytes, windowBytes, maxSegments, path, mode, afterwards);
    }
}
