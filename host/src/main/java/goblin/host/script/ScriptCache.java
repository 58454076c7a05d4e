// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import goblin.net.linux.Memory;
import java.util.Arrays;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The scripts known by text and by digest. Scripts that only {@code EVAL} brought are bounded in number, the one used
 * longest ago goes first; those of {@code SCRIPT LOAD} stay. Look-ups allocate nothing.
 */
final class ScriptCache {
    /** How many scripts are kept that were never loaded by name. */
    static final int EVALUATED = 500;

    private static final int DIGEST = 20;

    private final Long2ObjectHashMap<Script> byDigest = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<Script> byBody = new Long2ObjectHashMap<>();
    private final Consumer<Script> onEvicted;
    private Script oldest;
    private Script newest;
    private int evaluated;
    private int size;

    /**
     * Makes an empty cache.
     *
     * @param onEvicted told of each script that leaves, before its text is freed
     */
    ScriptCache(final Consumer<Script> onEvicted) {
        this.onEvicted = onEvicted;
    }

    int size() {
        return size;
    }

    Script findBody(final long address, final int length) {
        Script script = byBody.get(Memory.hash(address, length));
        while (script != null && !(script.bodyLength == length && Memory.equal(address, script.body, length))) {
            script = script.nextOfBody;
        }
        return script;
    }

    /** Finds by 40 hexadecimal digits in either case; null when there is no such script or it is no digest. */
    Script findDigest(final long hex, final int length) {
        if (length != DIGEST * 2) {
            return null;
        }
        long key = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            final int value = octet(hex + 2L * i);
            if (value < 0) {
                return null;
            }
            key = (key << 8) | value;
        }
        Script script = byDigest.get(key);
        while (script != null && !same(script.digest, hex)) {
            script = script.nextOfDigest;
        }
        return script;
    }

    Script findDigest(final byte[] digest) {
        Script script = byDigest.get(key(digest));
        while (script != null && !Arrays.equals(script.digest, digest)) {
            script = script.nextOfDigest;
        }
        return script;
    }

    void add(final Script script) {
        script.nextOfDigest = byDigest.put(key(script.digest), script);
        script.nextOfBody = byBody.put(script.bodyHash, script);
        size++;
        if (!script.loaded) {
            while (evaluated >= EVALUATED) {
                final Script victim = oldest;
                unlink(victim);
                remove(victim);
            }
            link(script);
        }
    }

    /** Keeps a script until the cache is flushed. */
    void keep(final Script script) {
        if (!script.loaded) {
            unlink(script);
            script.loaded = true;
        }
    }

    /** Says that a script is used now. */
    void touch(final Script script) {
        if (!script.loaded && script != newest) {
            unlink(script);
            link(script);
        }
    }

    void clear() {
        byDigest.values().forEach(first -> {
            for (Script script = first; script != null; script = script.nextOfDigest) {
                Memory.free(script.body);
            }
        });
        byDigest.clear();
        byBody.clear();
        oldest = null;
        newest = null;
        evaluated = 0;
        size = 0;
    }

    private void remove(final Script script) {
        final long digestKey = key(script.digest);
        final Script firstOfDigest = byDigest.get(digestKey);
        if (firstOfDigest != script) {
            Script before = firstOfDigest;
            while (before.nextOfDigest != script) {
                before = before.nextOfDigest;
            }
            before.nextOfDigest = script.nextOfDigest;
        } else if (script.nextOfDigest != null) {
            byDigest.put(digestKey, script.nextOfDigest);
        } else {
            byDigest.remove(digestKey);
        }
        final Script firstOfBody = byBody.get(script.bodyHash);
        if (firstOfBody != script) {
            Script before = firstOfBody;
            while (before.nextOfBody != script) {
                before = before.nextOfBody;
            }
            before.nextOfBody = script.nextOfBody;
        } else if (script.nextOfBody != null) {
            byBody.put(script.bodyHash, script.nextOfBody);
        } else {
            byBody.remove(script.bodyHash);
        }
        size--;
        onEvicted.accept(script);
        Memory.free(script.body);
    }

    private void link(final Script script) {
        script.older = newest;
        script.newer = null;
        if (newest == null) {
            oldest = script;
        } else {
            newest.newer = script;
        }
        newest = script;
        evaluated++;
    }

    private void unlink(final Script script) {
        if (script.older == null) {
            oldest = script.newer;
        } else {
            script.older.newer = script.newer;
        }
        if (script.newer == null) {
            newest = script.older;
        } else {
            script.newer.older = script.older;
        }
        script.older = null;
        script.newer = null;
        evaluated--;
    }

    private static boolean same(final byte[] digest, final long hex) {
        for (int i = 0; i < DIGEST; i++) {
            if (octet(hex + 2L * i) != (digest[i] & 0xFF)) {
                return false;
            }
        }
        return true;
    }

    private static int octet(final long hex) {
        final int high = Character.digit(Memory.getByte(hex), 16);
        final int low = Character.digit(Memory.getByte(hex + 1), 16);
        return high < 0 || low < 0 ? -1 : (high << 4) | low;
    }

    private static long key(final byte[] digest) {
        long key = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            key = (key << 8) | (digest[i] & 0xFF);
        }
        return key;
    }
}
