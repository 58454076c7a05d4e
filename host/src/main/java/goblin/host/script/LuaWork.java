// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

/**
 * What a Java function that goes through many values asks between them: whether memory is left, as Lua's own limit is
 * off meanwhile, and whether the script is to end, as no hook runs. Tables shared by several others make the number of
 * values exponential, so no function may rely on its input being small.
 */
final class LuaWork {
    /** The longest text a function makes, in bytes. */
    static final long LONGEST_TEXT = 512L << 20;

    /** How much of a table is reserved for a count that was only claimed: any number of them may be nested. */
    private static final long MOST_RESERVED = 1024;

    /** Values between two looks at the clock; a power of two. */
    private static final int VALUES = 1024;

    private final LuaMemory memory;
    private final ScriptWatch watch;
    private int values;

    LuaWork(final LuaMemory memory, final ScriptWatch watch) {
        this.memory = memory;
        this.watch = watch;
    }

    /** For {@code lua_createtable}; Lua raises an error, which must not pass Java, for more than 2^26 fields. */
    static int reserved(final long claimed) {
        return (int) Math.min(claimed, MOST_RESERVED);
    }

    /** To be called for each value. */
    void step(final long lua) throws ScriptError {
        memory();
        if ((++values & (VALUES - 1)) == 0) {
            watch.tick(lua);
            if (watch.killed()) {
                throw new ScriptError("script killed");
            }
        }
    }

    /** To be called for each value where the server must not be asked. */
    void memory() throws ScriptError {
        if (memory.exceeded()) {
            throw noMemory();
        }
    }

    /** To be called before a text that becomes Lua's grows to a length. */
    void text(final long length) throws ScriptError {
        if (length > LONGEST_TEXT || !memory.fits(length)) {
            throw noMemory();
        }
    }

    private static ScriptError noMemory() {
        return new ScriptError("not enough memory");
    }
}
