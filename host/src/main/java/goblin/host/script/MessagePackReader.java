// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import goblin.net.linux.Memory;

/** Reads MessagePack values from native memory onto Lua's stack. */
final class MessagePackReader {
    /** A message nested deeper is refused: it is read by recursion. */
    private static final int DEEPEST = 1000;

    private final LuaWork work;
    private long at;
    private long end;
    private int depth;

    MessagePackReader(final LuaWork work) {
        this.work = work;
    }

    void wrap(final long address, final long length) {
        at = address;
        end = address + length;
        depth = 0;
    }

    boolean atEnd() {
        return at == end;
    }

    long position() {
        return at;
    }

    /** Pushes the next value. */
    void push(final long lua) throws ScriptError {
        if (depth == DEEPEST || Lua.checkStack(lua, 4) == 0) {
            throw new ScriptError("reached lua stack limit");
        }
        work.step(lua);
        final int type = (int) unsigned(1);
        if (type < 0x80) {
            Lua.pushNumber(lua, type);
        } else if (type < 0x90) {
            map(lua, type & 0xF);
        } else if (type < 0xA0) {
            array(lua, type & 0xF);
        } else if (type < 0xC0) {
            string(lua, type & 0x1F);
        } else if (type >= 0xE0) {
            Lua.pushNumber(lua, (byte) type);
        } else {
            marked(lua, type);
        }
    }

    private void marked(final long lua, final int type) throws ScriptError {
        switch (type) {
            case 0xC0 -> Lua.pushNil(lua);
            case 0xC2, 0xC3 -> Lua.pushBoolean(lua, type & 1);
            case 0xC4, 0xD9 -> string(lua, unsigned(1));
            case 0xC5, 0xDA -> string(lua, unsigned(2));
            case 0xC6, 0xDB -> string(lua, unsigned(4));
            case 0xCA -> Lua.pushNumber(lua, Float.intBitsToFloat((int) unsigned(4)));
            case 0xCB -> Lua.pushNumber(lua, Double.longBitsToDouble(unsigned(8)));
            case 0xCC -> Lua.pushInteger(lua, unsigned(1));
            case 0xCD -> Lua.pushInteger(lua, unsigned(2));
            case 0xCE -> Lua.pushInteger(lua, unsigned(4));
            case 0xCF -> {
                final long value = unsigned(8);
                Lua.pushNumber(lua, unsigned(value));
            }
            case 0xD0 -> Lua.pushNumber(lua, (byte) unsigned(1));
            case 0xD1 -> Lua.pushNumber(lua, (short) unsigned(2));
            case 0xD2 -> Lua.pushNumber(lua, (int) unsigned(4));
            case 0xD3 -> Lua.pushInteger(lua, unsigned(8));
            case 0xDC -> array(lua, unsigned(2));
            case 0xDD -> array(lua, unsigned(4));
            case 0xDE -> map(lua, unsigned(2));
            case 0xDF -> map(lua, unsigned(4));
            default -> throw new ScriptError("Bad data format in input.");
        }
    }

    private long unsigned(final int size) throws ScriptError {
        need(size);
        long value = 0;
        for (int i = 0; i < size; i++) {
            value = (value << 8) | (Memory.getByte(at++) & 0xFF);
        }
        return value;
    }

    private static double unsigned(final long value) {
        return value >= 0 ? (double) value : (double) (value >>> 1) * 2 + (value & 1);
    }

    private void need(final long bytes) throws ScriptError {
        if (end - at < bytes) {
            throw new ScriptError("Missing bytes in input.");
        }
    }

    private void string(final long lua, final long length) throws ScriptError {
        need(length);
        Lua.pushString(lua, at, length);
        at += length;
    }

    private void array(final long lua, final long elements) throws ScriptError {
        // Each element takes a byte at least.
        need(elements);
        Lua.createTable(lua, LuaWork.reserved(elements), 0);
        depth++;
        for (long i = 1; i <= elements; i++) {
            push(lua);
            Lua.rawSetAt(lua, -2, (int) i);
        }
        depth--;
    }

    private void map(final long lua, final long pairs) throws ScriptError {
        need(pairs * 2);
        Lua.createTable(lua, 0, LuaWork.reserved(pairs));
        depth++;
        for (long i = 0; i < pairs; i++) {
            push(lua);
            push(lua);
            final boolean noKey = Lua.type(lua, -2) == Lua.NIL
                    || (Lua.type(lua, -2) == Lua.NUMBER && Double.isNaN(Lua.toNumber(lua, -2)));
            if (noKey) {
                throw new ScriptError("Bad data format in input.");
            }
            Lua.rawSet(lua, -3);
        }
        depth--;
    }
}
