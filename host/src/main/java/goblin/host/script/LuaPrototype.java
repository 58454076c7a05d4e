// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import goblin.net.linux.Memory;

/**
 * Looks into a freshly compiled function, laid out as Lua 5.1 does on 64-bit machines ({@code lobject.h}), for two
 * things its compiler cannot be told.
 *
 * <p>Calls: the library functions of scripts are written in Lua, and {@code return redis.call(…)} would replace the
 * frame of the calling function, whose line an error names. Such tail calls become ordinary ones: all of the main
 * chunk, which is never recursive, and elsewhere those of a table's field. Loops by tail calls keep working.
 *
 * <p>Parameters: a function with named parameters besides {@code ...} uses more stack than Lua makes sure of. Few
 * parameters stay within the margin that {@link LuaMemory} adds; functions with more are refused.
 */
final class LuaPrototype {
    /** Named parameters that a function with {@code ...} may have; two slots of 16 bytes each fit the margin. */
    static final int MOST_PARAMETERS = 16;

    private static final int CLOSURE_PROTOTYPE = 32;
    private static final int CODE = 24;
    private static final int INNER = 32;
    private static final int CODE_SIZE = 80;
    private static final int INNER_SIZE = 88;
    private static final int FIRST_LINE = 96;
    private static final int PARAMETERS = 113;
    private static final int VARIADIC = 114;

    private static final int OPCODE_MASK = 0x3F;
    private static final int TARGET_SHIFT = 6;
    private static final int TARGET_MASK = 0xFF;
    private static final int GET_TABLE = 6;
    private static final int SELF = 11;
    private static final int CALL = 28;
    private static final int TAIL_CALL = 29;

    private LuaPrototype() {}

    /**
     * Prepares a function of Lua and those inside it.
     *
     * @param closure as {@code lua_topointer} gives it
     * @throws ScriptError when it cannot be run safely
     */
    static void prepare(final long closure) throws ScriptError {
        prepare(Memory.getLong(closure + CLOSURE_PROTOTYPE), true);
    }

    private static void prepare(final long prototype, final boolean main) throws ScriptError {
        final int parameters = Memory.getByte(prototype + PARAMETERS) & 0xFF;
        if (Memory.getByte(prototype + VARIADIC) != 0 && parameters > MOST_PARAMETERS) {
            throw new ScriptError("user_script:" + Memory.getInt(prototype + FIRST_LINE)
                    + ": function with '...' has more than " + MOST_PARAMETERS + " named parameters");
        }
        final long code = Memory.getLong(prototype + CODE);
        final int size = Memory.getInt(prototype + CODE_SIZE);
        for (int i = 0; i < size; i++) {
            final int instruction = Memory.getInt(code + 4L * i);
            if ((instruction & OPCODE_MASK) == TAIL_CALL && (main || callsField(code, i))) {
                Memory.putInt(code + 4L * i, (instruction & ~OPCODE_MASK) | CALL);
            }
        }
        final long inner = Memory.getLong(prototype + INNER);
        final int innerSize = Memory.getInt(prototype + INNER_SIZE);
        for (int i = 0; i < innerSize; i++) {
            prepare(Memory.getLong(inner + 8L * i), false);
        }
    }

    /** The called function is loaded into its register before the arguments, which lie in higher registers. */
    private static boolean callsField(final long code, final int call) {
        final int register = target(Memory.getInt(code + 4L * call));
        for (int i = call - 1; i >= 0; i--) {
            final int instruction = Memory.getInt(code + 4L * i);
            if (target(instruction) == register) {
                final int opcode = instruction & OPCODE_MASK;
                return opcode == GET_TABLE || opcode == SELF;
            }
        }
        return false;
    }

    private static int target(final int instruction) {
        return (instruction >>> TARGET_SHIFT) & TARGET_MASK;
    }
}
