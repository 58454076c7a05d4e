// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import goblin.net.linux.Memory;
import java.util.HexFormat;

/** One compiled script of the cache. */
public final class Script {
    /** It began with no {@code #!} line, so nothing is known about what it does. */
    public static final int COMPATIBLE = 1;

    /** It writes nothing. */
    public static final int NO_WRITES = 2;

    /** It may run while the server is out of memory. */
    public static final int ALLOW_OOM = 4;

    /** It may run on a replica that lost its source; we have none. */
    public static final int ALLOW_STALE = 8;

    /** It may not run in a cluster; we are none. */
    public static final int NO_CLUSTER = 16;

    /** It may name keys of several slots; we have none. */
    public static final int ALLOW_CROSS_SLOT_KEYS = 32;

    final byte[] digest;
    final int flags;
    final int function;
    final long bodyHash;
    final long body;
    final int bodyLength;

    /** Loaded by {@code SCRIPT LOAD}: stays until the cache is flushed. */
    boolean loaded;

    Script nextOfDigest;
    Script nextOfBody;
    Script older;
    Script newer;

    private final String name;

    Script(
            final byte[] digest,
            final int flags,
            final int function,
            final long bodyHash,
            final long body,
            final int bodyLength) {
        this.digest = digest;
        this.flags = flags;
        this.function = function;
        this.bodyHash = bodyHash;
        this.body = Memory.allocate(Math.max(1, bodyLength));
        this.bodyLength = bodyLength;
        Memory.copy(body, this.body, bodyLength);
        name = HexFormat.of().formatHex(digest);
    }

    /**
     * The script's name.
     *
     * @return 40 lower-case hexadecimal digits of the SHA-1 of its text
     */
    public String name() {
        return name;
    }

    /**
     * What its first line says.
     *
     * @return an OR of the constants
     */
    public int flags() {
        return flags;
    }
}
