// SPDX-License-Identifier: Apache-2.0
package goblin.link;

/** Bounds of the link's wire format, the same at both ends. */
public final class LinkLimits {
    /** Longest channel, pattern or payload in bytes: RESP's own bound of 512 MiB. */
    public static final int MAX_DATA_BYTES = 512 << 20;

    /** Longest message in bytes, without its length prefix: two data fields and 64 KiB. */
    public static final int MAX_FRAME_BYTES = 2 * MAX_DATA_BYTES + (64 << 10);

    /** Longest text for people and longest release, in bytes. */
    public static final int MAX_TEXT_BYTES = 1024;

    /** Bytes of the length prefix before each message. */
    public static final int PREFIX_BYTES = 4;

    private LinkLimits() {}
}
