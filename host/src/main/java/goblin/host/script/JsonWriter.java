// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import java.math.BigDecimal;
import java.math.MathContext;

/** Writes a Lua value as JSON, the way the {@code cjson} module does. */
final class JsonWriter {
    private static final String[] ESCAPES = escapes();

    /** How Lua itself turns numbers into text. */
    private static final int LUA_PRECISION = 14;

    private final NativeBuffer out = new NativeBuffer();
    private final LuaText text;
    private final LuaWork work;

    private int deepest;
    private int precision;
    private boolean sparseConvert;
    private int sparseRatio;
    private int sparseSafe;
    private boolean invalidAsIs;
    private boolean invalidAsNull;

    JsonWriter(final LuaText text, final LuaWork work) {
        this.text = text;
        this.work = work;
    }

    void options(final int depth, final int digits, final boolean convert, final int ratio, final int safe) {
        deepest = depth;
        precision = digits;
        sparseConvert = convert;
        sparseRatio = ratio;
        sparseSafe = safe;
    }

    void invalidNumbers(final boolean asIs, final boolean asNull) {
        invalidAsIs = asIs;
        invalidAsNull = asNull;
    }

    /** Replaces the value on the top of the stack by its JSON text. */
    void encode(final long lua) throws ScriptError {
        out.clear();
        try {
            value(lua, 0);
            Lua.pushString(lua, out.address(), out.length());
        } finally {
            out.free();
        }
    }

    /** Writes the value on the top of the stack and pops it. */
    private void value(final long lua, final int depth) throws ScriptError {
        work.step(lua);
        work.text(out.length());
        switch (Lua.type(lua, -1)) {
            case Lua.STRING -> string(lua);
            case Lua.NUMBER -> number(lua);
            case Lua.BOOLEAN -> out.appendAscii(Lua.toBoolean(lua, -1) != 0 ? "true" : "false");
            case Lua.NIL -> out.appendAscii("null");
            case Lua.TABLE -> table(lua, depth + 1);
            case Lua.LIGHT_USERDATA -> {
                if (Lua.toUserData(lua, -1) != 0) {
                    throw cannot(lua, "type not supported");
                }
                out.appendAscii("null");
            }
            default -> throw cannot(lua, "type not supported");
        }
        Lua.pop(lua, 1);
    }

    private static ScriptError cannot(final long lua, final String why) {
        return new ScriptError("Cannot serialise " + LuaArguments.typeName(lua, -1) + ": " + why);
    }

    private void string(final long lua) throws ScriptError {
        final long address = text.address(lua, -1);
        final long length = text.length();
        work.text(out.length() + length);
        out.appendByte((byte) '"');
        long from = 0;
        for (long i = 0; i < length; i++) {
            final String escape = ESCAPES[Memory.getByte(address + i) & 0xFF];
            if (escape != null) {
                // Escapes make it up to six times as long.
                work.text(out.length() + length - from);
                out.append(address + from, i - from);
                out.appendAscii(escape);
                from = i + 1;
            }
        }
        out.append(address + from, length - from);
        out.appendByte((byte) '"');
    }

    private void number(final long lua) throws ScriptError {
        final double value = Lua.toNumber(lua, -1);
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            if (!invalidAsIs && !invalidAsNull) {
                throw cannot(lua, "must not be NaN or Inf");
            }
            final String sign = value < 0 ? "-" : "";
            out.appendAscii(invalidAsNull ? "null" : Double.isNaN(value) ? "nan" : sign + "inf");
        } else if (precision == LUA_PRECISION) {
            Lua.pushValue(lua, -1);
            final long address = text.address(lua, -1);
            out.append(address, text.length());
            Lua.pop(lua, 1);
        } else {
            out.appendAscii(general(value, precision));
        }
    }

    /** What {@code printf("%.*g")} prints. */
    static String general(final double value, final int digits) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        final BigDecimal rounded =
                new BigDecimal(value).round(new MathContext(digits)).stripTrailingZeros();
        final int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -4 && exponent < digits) {
            return rounded.toPlainString();
        }
        final String all = rounded.unscaledValue().abs().toString();
        final String fraction = all.length() > 1 ? "." + all.substring(1) : "";
        final int size = Math.abs(exponent);
        return (value < 0 ? "-" : "")
                + all.charAt(0)
                + fraction
                + (exponent < 0 ? "e-" : "e+")
                + (size < 10 ? "0" : "")
                + size;
    }

    private void table(final long lua, final int depth) throws ScriptError {
        if (depth > deepest || Lua.checkStack(lua, 6) == 0) {
            throw new ScriptError("Cannot serialise, excessive depth (" + depth + ")");
        }
        final long elements = elements(lua);
        if (elements > 0) {
            array(lua, elements, depth);
        } else {
            object(lua, depth);
        }
    }

    /** How long the table is as an array; -1 when it is none. */
    private long elements(final long lua) throws ScriptError {
        double largest = 0;
        long count = 0;
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
        if (sparseRatio > 0 && largest > (double) count * sparseRatio && largest > sparseSafe) {
            if (!sparseConvert) {
                throw cannot(lua, "excessively sparse array");
            }
            return -1;
        }
        if (largest > Integer.MAX_VALUE) {
            throw cannot(lua, "excessively sparse array");
        }
        return (long) largest;
    }

    private void array(final long lua, final long elements, final int depth) throws ScriptError {
        out.appendByte((byte) '[');
        for (long i = 1; i <= elements; i++) {
            if (i > 1) {
                out.appendByte((byte) ',');
            }
            Lua.rawGetAt(lua, -1, (int) i);
            value(lua, depth);
        }
        out.appendByte((byte) ']');
    }

    private void object(final long lua, final int depth) throws ScriptError {
        out.appendByte((byte) '{');
        boolean first = true;
        Lua.pushNil(lua);
        while (Lua.next(lua, -2) != 0) {
            if (!first) {
                out.appendByte((byte) ',');
            }
            first = false;
            // The key is copied: turning the table's own into a string would confuse the iteration.
            Lua.pushValue(lua, -2);
            key(lua);
            out.appendByte((byte) ':');
            value(lua, depth);
        }
        out.appendByte((byte) '}');
    }

    private void key(final long lua) throws ScriptError {
        switch (Lua.type(lua, -1)) {
            case Lua.STRING -> string(lua);
            case Lua.NUMBER -> {
                out.appendByte((byte) '"');
                number(lua);
                out.appendByte((byte) '"');
            }
            default -> throw new ScriptError("Cannot serialise table: table key must be a number or string");
        }
        Lua.pop(lua, 1);
    }

    private static String[] escapes() {
        final String[] escapes = new String[256];
        for (int i = 0; i < 0x20; i++) {
            escapes[i] = String.format("\\u%04x", i);
        }
        escapes['\b'] = "\\b";
        escapes['\t'] = "\\t";
        escapes['\n'] = "\\n";
        escapes['\f'] = "\\f";
        escapes['\r'] = "\\r";
        escapes['"'] = "\\\"";
        escapes['/'] = "\\/";
        escapes['\\'] = "\\\\";
        escapes[0x7F] = "\\u007f";
        return escapes;
    }
}
