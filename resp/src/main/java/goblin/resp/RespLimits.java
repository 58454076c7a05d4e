// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

/**
 * The sizes past which a request is refused as a protocol error.
 *
 * @param bulkBytes longest bulk string, in bytes
 * @param elements most elements of one request
 * @param inlineBytes longest inline request or header line, in bytes
 */
public record RespLimits(long bulkBytes, int elements, int inlineBytes) {
    /** The limits of an authenticated client, as in Redis. */
    public static final RespLimits AUTHENTICATED = new RespLimits(512L << 20, 1 << 20, 64 << 10);

    /** The limits before authentication, so that a stranger costs little. */
    public static final RespLimits UNAUTHENTICATED = new RespLimits(16L << 10, 10, 64 << 10);
}
