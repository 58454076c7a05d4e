// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;

/** The {@code struct} library: packs values into strings by a format, and back. */
final class StructLibrary {
    private final NativeBuffer out = new NativeBuffer();
    private final LuaText text;
    private final LuaWork work;

    StructLibrary(final LuaText text, final LuaWork work) {
        this.text = text;
        this.work = work;
    }

    void addTo(final LuaFunctions functions) {
        functions.add("struct_pack", this::pack);
        functions.add("struct_unpack", this::unpack);
        functions.add("struct_size", this::size);
    }

    private StructFormat format(final long lua, final String function) throws ScriptError {
        LuaArguments.string(lua, 1, function);
        return new StructFormat(text.get(lua, 1));
    }

    private int pack(final long lua) throws ScriptError {
        final StructFormat format = format(lua, "pack");
        out.clear();
        try {
            pack(lua, format);
            Lua.pushString(lua, out.address(), out.length());
        } finally {
            out.free();
        }
        return 1;
    }

    private void pack(final long lua, final StructFormat format) throws ScriptError {
        int argument = 2;
        while (format.next()) {
            work.step(lua);
            final long padding = format.padding(out.length());
            for (long i = 0; i < padding; i++) {
                out.appendByte((byte) 0);
            }
            switch (format.option()) {
                case 'x' -> out.appendByte((byte) 0);
                case 'f' -> {
                    final float value = (float) LuaArguments.number(lua, argument++, "pack");
                    integer(Float.floatToRawIntBits(value), 4, format.bigEndian());
                }
                case 'd' -> {
                    final double value = LuaArguments.number(lua, argument++, "pack");
                    integer(Double.doubleToRawLongBits(value), 8, format.bigEndian());
                }
                case 'c', 's' -> string(lua, argument++, format);
                default -> {
                    if (format.isInteger()) {
                        final double value = LuaArguments.number(lua, argument++, "pack");
                        integer(unsigned(value), format.size(), format.bigEndian());
                    }
                }
            }
        }
    }

    /** Values from 2^63 up are unsigned. */
    private static long unsigned(final double value) {
        return value >= 0x1p63 ? (long) (value - 0x1p63) ^ Long.MIN_VALUE : (long) value;
    }

    private void integer(final long value, final int size, final boolean bigEndian) {
        for (int i = 0; i < size; i++) {
            final int place = bigEndian ? size - 1 - i : i;
            out.appendByte((byte) (place < Long.BYTES ? value >>> (8 * place) : 0));
        }
    }

    private void string(final long lua, final int argument, final StructFormat format) throws ScriptError {
        LuaArguments.string(lua, argument, "pack");
        final long address = text.address(lua, argument);
        final long length = text.length();
        final long wanted = format.size() == 0 ? length : format.size();
        if (length < wanted) {
            throw LuaArguments.bad(argument, "pack", "string too short");
        }
        work.text(out.length() + wanted);
        out.append(address, wanted);
        if (format.option() == 's') {
            out.appendByte((byte) 0);
        }
    }

    private int unpack(final long lua) throws ScriptError {
        final StructFormat format = format(lua, "unpack");
        LuaArguments.string(lua, 2, "unpack");
        final long data = text.address(lua, 2);
        final long length = text.length();
        final double start = Lua.type(lua, 3) <= Lua.NIL ? 1 : LuaArguments.number(lua, 3, "unpack");
        if (!(start >= 1)) {
            throw LuaArguments.bad(3, "unpack", "offset must be 1 or greater");
        }
        long at = (long) start - 1;
        int results = 0;
        while (format.next()) {
            if (Lua.checkStack(lua, 2) == 0) {
                throw new ScriptError("too many results to unpack");
            }
            at += format.padding(at);
            if (format.size() > length || at > length - format.size()) {
                throw LuaArguments.bad(2, "unpack", "data string too short");
            }
            long size = format.size();
            switch (format.option()) {
                case 'x' -> {}
                case 'f' -> {
                    final int bits = (int) read(data + at, 4, format.bigEndian());
                    Lua.pushNumber(lua, Float.intBitsToFloat(bits));
                    results++;
                }
                case 'd' -> {
                    Lua.pushNumber(lua, Double.longBitsToDouble(read(data + at, 8, format.bigEndian())));
                    results++;
                }
                case 'c' -> {
                    if (size == 0) {
                        if (results == 0 || Lua.isNumber(lua, -1) == 0) {
                            throw new ScriptError("format 'c0' needs a previous size");
                        }
                        final double previous = Lua.toNumber(lua, -1);
                        Lua.pop(lua, 1);
                        results--;
                        if (!(previous >= 0 && previous <= length - at)) {
                            throw LuaArguments.bad(2, "unpack", "data string too short");
                        }
                        size = (long) previous;
                    }
                    Lua.pushString(lua, data + at, size);
                    results++;
                }
                case 's' -> {
                    final long end = Memory.indexOf(data + at, length - at, (byte) 0);
                    if (end < 0) {
                        throw new ScriptError("unfinished string in data");
                    }
                    Lua.pushString(lua, data + at, end);
                    size = end + 1;
                    results++;
                }
                default -> {
                    if (format.isInteger()) {
                        Lua.pushNumber(lua, number(read(data + at, (int) size, format.bigEndian()), format));
                        results++;
                    }
                }
            }
            at += size;
        }
        Lua.pushInteger(lua, at + 1);
        return results + 1;
    }

    private static long read(final long address, final int size, final boolean bigEndian) {
        long value = 0;
        for (int i = 0; i < size; i++) {
            final int place = bigEndian ? i : size - 1 - i;
            value = (value << 8) | (Memory.getByte(address + place) & 0xFF);
        }
        return value;
    }

    private static double number(final long value, final StructFormat format) {
        final int unused = Math.max(0, Long.SIZE - 8 * format.size());
        if (format.isSigned()) {
            return (double) ((value << unused) >> unused);
        }
        return value >= 0 ? (double) value : (double) (value >>> 1) * 2 + (value & 1);
    }

    private int size(final long lua) throws ScriptError {
        final StructFormat format = format(lua, "size");
        long total = 0;
        while (format.next()) {
            total += format.padding(total);
            if (format.option() == 's') {
                throw LuaArguments.bad(1, "size", "variable-size format in packsize");
            } else if (format.option() == 'c' && format.size() == 0) {
                throw LuaArguments.bad(1, "size", "variable-length format in packsize");
            }
            total += format.size();
        }
        Lua.pushInteger(lua, total);
        return 1;
    }
}
