// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.linux.Memory;
import goblin.resp.Decimal;
import goblin.resp.Real;

/**
 * Turns the reply of a command into a Lua value, by the rules Redis documents for RESP2 and RESP3: integers are
 * numbers, bulks strings, statuses {@code {ok=}}, errors {@code {err=}}, RESP2's nulls false and RESP3's null nil.
 */
final class ReplyToLua {
    /** Slots of the stack that one level of nesting takes. */
    private static final int SLOTS = 8;

    private static final LuaName OK = new LuaName("ok");
    private static final LuaName BIG_NUMBER = new LuaName("big_number");
    private static final LuaName ERR = new LuaName("err");
    private static final LuaName DOUBLE = new LuaName("double");
    private static final LuaName VERBATIM = new LuaName("verbatim_string");
    private static final LuaName STRING = new LuaName("string");
    private static final LuaName FORMAT = new LuaName("format");
    private static final LuaName MAP = new LuaName("map");
    private static final LuaName SET = new LuaName("set");

    private final LuaText text;
    private final LuaWork work;
    private long at;

    ReplyToLua(final LuaText text, final LuaWork work) {
        this.text = text;
        this.work = work;
    }

    /**
     * Pushes one value.
     *
     * @param address first byte of a whole, well-formed reply
     * @throws ScriptError when the reply is nested deeper than Lua's stack
     */
    void push(final long lua, final long address) throws ScriptError {
        at = address;
        value(lua);
    }

    private void value(final long lua) throws ScriptError {
        if (Lua.checkStack(lua, SLOTS) == 0) {
            throw new ScriptError("reached lua stack limit");
        }
        work.memory();
        final byte type = Memory.getByte(at++);
        switch (type) {
            case ':' -> {
                final long line = at;
                Lua.pushInteger(lua, Decimal.toLong(line, line()));
            }
            case '$' -> bulk(lua);
            case '+' -> field(lua, OK);
            case '-' -> error(lua);
            case '*', '>' -> array(lua);
            case '_' -> {
                line();
                Lua.pushNil(lua);
            }
            case '#' -> {
                Lua.pushBoolean(lua, Memory.getByte(at) == 't' ? 1 : 0);
                line();
            }
            case ',' -> real(lua);
            case '(' -> field(lua, BIG_NUMBER);
            case '=' -> verbatim(lua);
            case '%' -> map(lua);
            case '~' -> set(lua);
            case '|' -> attribute(lua);
            default -> throw new ScriptError("unknown type of reply");
        }
    }

    /** Steps over a line and gives its length without the line end. */
    private long line() {
        final long start = at;
        // Replies are well-formed; a page is looked at in one go, and a line is rarely longer than a few bytes.
        while (Memory.getByte(at) != '\r') {
            at++;
        }
        final long length = at - start;
        at += 2;
        return length;
    }

    private long count() {
        final long start = at;
        return Decimal.toLong(start, line());
    }

    private void bulk(final long lua) {
        final long length = count();
        if (length < 0) {
            Lua.pushBoolean(lua, 0);
            return;
        }
        Lua.pushString(lua, at, length);
        at += length + 2;
    }

    private void field(final long lua, final LuaName name) {
        Lua.createTable(lua, 0, 1);
        name.push(lua);
        final long start = at;
        Lua.pushString(lua, start, line());
        Lua.rawSet(lua, -3);
    }

    private void error(final long lua) {
        final long start = at;
        final long length = line();
        Lua.createTable(lua, 0, 3);
        ERR.push(lua);
        if (Memory.indexOf(start, length, (byte) ' ') < 0) {
            text.push(lua, "ERR " + new String(Memory.toBytes(start, (int) length), ISO_8859_1));
        } else {
            Lua.pushString(lua, start, length);
        }
        Lua.rawSet(lua, -3);
    }

    private void array(final long lua) throws ScriptError {
        final long elements = count();
        if (elements < 0) {
            Lua.pushBoolean(lua, 0);
            return;
        }
        Lua.createTable(lua, (int) elements, 0);
        for (int i = 1; i <= elements; i++) {
            value(lua);
            Lua.rawSetAt(lua, -2, i);
        }
    }

    private void real(final long lua) {
        Lua.createTable(lua, 0, 1);
        DOUBLE.push(lua);
        final long start = at;
        Lua.pushNumber(lua, Real.parse(start, (int) line()));
        Lua.rawSet(lua, -3);
    }

    private void verbatim(final long lua) {
        final long length = count();
        Lua.createTable(lua, 0, 1);
        VERBATIM.push(lua);
        Lua.createTable(lua, 0, 2);
        STRING.push(lua);
        Lua.pushString(lua, at + 4, length - 4);
        Lua.rawSet(lua, -3);
        FORMAT.push(lua);
        Lua.pushString(lua, at, 3);
        Lua.rawSet(lua, -3);
        Lua.rawSet(lua, -3);
        at += length + 2;
    }

    private void map(final long lua) throws ScriptError {
        final long pairs = count();
        Lua.createTable(lua, 0, 1);
        MAP.push(lua);
        Lua.createTable(lua, 0, LuaWork.reserved(pairs));
        for (long i = 0; i < pairs; i++) {
            value(lua);
            value(lua);
            store(lua);
        }
        Lua.rawSet(lua, -3);
    }

    private void set(final long lua) throws ScriptError {
        final long elements = count();
        Lua.createTable(lua, 0, 1);
        SET.push(lua);
        Lua.createTable(lua, 0, LuaWork.reserved(elements));
        for (long i = 0; i < elements; i++) {
            value(lua);
            Lua.pushBoolean(lua, 1);
            store(lua);
        }
        Lua.rawSet(lua, -3);
    }

    /** Like a raw set, but a nil key is left out instead of raising an error. */
    private static void store(final long lua) {
        if (Lua.type(lua, -2) == Lua.NIL) {
            Lua.pop(lua, 2);
        } else {
            Lua.rawSet(lua, -3);
        }
    }

    private void attribute(final long lua) throws ScriptError {
        final long pairs = count();
        for (long i = 0; i < pairs * 2; i++) {
            value(lua);
            Lua.pop(lua, 1);
        }
        value(lua);
    }
}
