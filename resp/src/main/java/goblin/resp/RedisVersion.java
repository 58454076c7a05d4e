// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

/**
 * The Redis release whose commands, replies and error texts host and edge follow. Libraries parse it in {@code HELLO}
 * and {@code INFO}, so both programs tell the same.
 */
public final class RedisVersion {
    /** The release, for {@code version} and {@code redis_version}. */
    public static final String TEXT = "7.2.4";

    private RedisVersion() {}
}
