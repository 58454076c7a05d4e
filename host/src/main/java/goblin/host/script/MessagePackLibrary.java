// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import goblin.net.NativeBuffer;

/** The {@code cmsgpack} library: Lua values to MessagePack and back. */
final class MessagePackLibrary {
    /** Tables nested deeper become nil. */
    private static final int DEEPEST = 16;

    private final NativeBuffer out = new NativeBuffer();
    private final MessagePackReader reader;
    private final LuaText text;
    private final LuaWork work;

    MessagePackLibrary(final LuaText text, final LuaWork work) {
        this.text = text;
        this.work = work;
        reader = new MessagePackReader(work);
    }

    void addTo(final LuaFunctions functions) {
        functions.add("cmsgpack_pack", this::pack);
        functions.add("cmsgpack_unpack", lua -> unpack(lua, Integer.MAX_VALUE, 0, false));
        functions.add("cmsgpack_unpack_one", lua -> unpack(lua, 1, offset(lua, 2), true));
        functions.add("cmsgpack_unpack_limit", lua -> {
            final long limit = LuaArguments.integer(lua, 2, "unpack_limit");
            return unpack(lua, limit, offset(lua, 3), true);
        });
    }

    private static long offset(final long lua, final int index) throws ScriptError {
        return Lua.type(lua, index) <= Lua.NIL ? 0 : LuaArguments.integer(lua, index, "unpack");
    }

    private int pack(final long lua) throws ScriptError {
        final int count = Lua.top(lua);
        if (count == 0) {
            throw LuaArguments.bad(0, "pack", "MessagePack pack needs input.");
        }
        out.clear();
        try {
            for (int i = 1; i <= count; i++) {
                if (Lua.checkStack(lua, 1) == 0) {
                    throw new ScriptError("reached lua stack limit");
                }
                Lua.pushValue(lua, i);
                value(lua, 0);
            }
            Lua.pushString(lua, out.address(), out.length());
        } finally {
            out.free();
        }
        return 1;
    }

    /** Packs the value on the top of the stack and pops it. */
    private void value(final long lua, final int level) throws ScriptError {
        if (Lua.checkStack(lua, 4) == 0) {
            throw new ScriptError("reached lua stack limit");
        }
        work.step(lua);
        work.text(out.length());
        switch (Lua.type(lua, -1)) {
            case Lua.STRING -> {
                final long address = text.address(lua, -1);
                string(address, text.length());
            }
            case Lua.BOOLEAN -> put(Lua.toBoolean(lua, -1) != 0 ? 0xC3 : 0xC2);
            case Lua.NUMBER -> number(Lua.toNumber(lua, -1));
            case Lua.TABLE -> {
                if (level >= DEEPEST) {
                    put(0xC0);
                } else {
                    table(lua, level);
                }
            }
            default -> put(0xC0);
        }
        Lua.pop(lua, 1);
    }

    private void string(final long address, final long length) throws ScriptError {
        work.text(out.length() + length);
        if (length < 32) {
            put(0xA0 | (int) length);
        } else if (length <= 0xFF) {
            put(0xD9);
            bigEndian(length, 1);
        } else if (length <= 0xFFFF) {
            put(0xDA);
            bigEndian(length, 2);
        } else {
            put(0xDB);
            bigEndian(length, 4);
        }
        out.append(address, length);
    }

    private void number(final double value) {
        if (value == Math.rint(value) && value >= -0x1p63 && value < 0x1p63) {
            integer((long) value);
        } else if ((float) value == value) {
            put(0xCA);
            bigEndian(Float.floatToRawIntBits((float) value), 4);
        } else {
            put(0xCB);
            bigEndian(Double.doubleToRawLongBits(value), 8);
        }
    }

    private void integer(final long value) {
        if (value >= 0) {
            if (value <= 0x7F) {
                put((int) value);
            } else if (value <= 0xFF) {
                put(0xCC);
                bigEndian(value, 1);
            } else if (value <= 0xFFFF) {
                put(0xCD);
                bigEndian(value, 2);
            } else if (value <= 0xFFFFFFFFL) {
                put(0xCE);
                bigEndian(value, 4);
            } else {
                put(0xCF);
                bigEndian(value, 8);
            }
        } else if (value >= -32) {
            put((int) value);
        } else if (value >= Byte.MIN_VALUE) {
            put(0xD0);
            bigEndian(value, 1);
        } else if (value >= Short.MIN_VALUE) {
            put(0xD1);
            bigEndian(value, 2);
        } else if (value >= Integer.MIN_VALUE) {
            put(0xD2);
            bigEndian(value, 4);
        } else {
            put(0xD3);
            bigEndian(value, 8);
        }
    }

    private void table(final long lua, final int level) throws ScriptError {
        final long elements = elements(lua);
        if (elements >= 0) {
            header(elements, 0x90, 0xDC, 0xDD);
            for (long i = 1; i <= elements; i++) {
                Lua.rawGetAt(lua, -1, (int) i);
                value(lua, level + 1);
            }
            return;
        }
        long pairs = 0;
        Lua.pushNil(lua);
        while (Lua.next(lua, -2) != 0) {
            Lua.pop(lua, 1);
            pairs++;
        }
        header(pairs, 0x80, 0xDE, 0xDF);
        Lua.pushNil(lua);
        while (Lua.next(lua, -2) != 0) {
            Lua.pushValue(lua, -2);
            value(lua, level + 1);
            value(lua, level + 1);
        }
    }

    /** How many elements the table has when its keys are exactly 1 to that number, else -1. */
    private static long elements(final long lua) {
        long count = 0;
        double largest = 0;
        Lua.pushNil(lua);
        while (Lua.next(lua, -2) != 0) {
            Lua.pop(lua, 1);
            final double key = Lua.type(lua, -1) == Lua.NUMBER ? Lua.toNumber(lua, -1) : 0;
            if (!(key >= 1) || key != Math.rint(key)) {
                Lua.pop(lua, 1);
                return -1;
            }
            largest = Math.max(largest, key);
            count++;
        }
        return largest == count ? count : -1;
    }

    private void header(final long count, final int small, final int medium, final int large) {
        if (count < 16) {
            put(small | (int) count);
        } else if (count <= 0xFFFF) {
            put(medium);
            bigEndian(count, 2);
        } else {
            put(large);
            bigEndian(count, 4);
        }
    }

    private void put(final int octet) {
        out.appendByte((byte) octet);
    }

    private void bigEndian(final long value, final int size) {
        for (int i = size - 1; i >= 0; i--) {
            out.appendByte((byte) (value >>> (8 * i)));
        }
    }

    private int unpack(final long lua, final long limit, final long offset, final boolean withOffset)
            throws ScriptError {
        LuaArguments.string(lua, 1, "unpack");
        final long data = text.address(lua, 1);
        final long length = text.length();
        if (offset < 0 || limit < 0) {
            throw new ScriptError(
                    "Invalid request to unpack with offset of " + offset + " and limit of " + limit + ".");
        }
        if (offset > length) {
            throw new ScriptError("Start offset " + offset + " greater than input length " + length + ".");
        }
        // Without a limit given, all of the string is unpacked; with a limit of 0 too.
        final long most = limit == 0 ? Integer.MAX_VALUE : limit;
        reader.wrap(data + offset, length - offset);
        int results = 0;
        final int place = Lua.top(lua);
        while (!reader.atEnd() && results < most) {
            reader.push(lua);
            results++;
        }
        if (withOffset && (limit != 0 || offset != 0)) {
            Lua.checkStack(lua, 1);
            Lua.pushInteger(lua, reader.atEnd() ? -1 : reader.position() - data);
            Lua.insert(lua, place + 1);
            results++;
        }
        return results;
    }
}
