// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

/** Checks arguments of library functions and complains about them in Lua's words. */
final class LuaArguments {
    private static final String[] TYPES = {
        "nil", "boolean", "userdata", "number", "string", "table", "function", "userdata", "thread"
    };

    private LuaArguments() {}

    static double number(final long lua, final int index, final String function) throws ScriptError {
        if (Lua.isNumber(lua, index) == 0) {
            throw wrongType(lua, index, function, "number");
        }
        return Lua.toNumber(lua, index);
    }

    /** An integer argument, without its fraction. */
    static long integer(final long lua, final int index, final String function) throws ScriptError {
        return (long) number(lua, index, function);
    }

    /** Makes sure that there is a string, or a number that can become one. */
    static void string(final long lua, final int index, final String function) throws ScriptError {
        final int type = Lua.type(lua, index);
        if (type != Lua.STRING && type != Lua.NUMBER) {
            throw wrongType(lua, index, function, "string");
        }
    }

    static ScriptError bad(final int index, final String function, final String why) {
        return new ScriptError("bad argument #" + index + " to '" + function + "' (" + why + ")");
    }

    static String typeName(final long lua, final int index) {
        final int type = Lua.type(lua, index);
        return type < 0 ? "no value" : TYPES[type];
    }

    private static ScriptError wrongType(
            final long lua, final int index, final String function, final String expected) {
        return bad(index, function, expected + " expected, got " + typeName(lua, index));
    }
}
