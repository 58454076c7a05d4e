// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.resp.ReplyWriter;

/**
 * Turns a Lua value into a reply, by the rules Redis documents: numbers lose their fraction, arrays end at the first
 * nil, tables with {@code err}, {@code ok}, {@code double}, {@code big_number}, {@code verbatim_string}, {@code map}
 * or {@code set} stand for replies Lua has no type for.
 */
final class LuaToReply {
    /** Slots of the stack that one level of nesting takes. */
    private static final int SLOTS = 6;

    private static final LuaName OK = new LuaName("ok");
    private static final LuaName BIG_NUMBER = new LuaName("big_number");
    private static final LuaName ERR = new LuaName("err");
    private static final LuaName DOUBLE = new LuaName("double");
    private static final LuaName VERBATIM = new LuaName("verbatim_string");
    private static final LuaName STRING = new LuaName("string");
    private static final LuaName FORMAT = new LuaName("format");
    private static final LuaName MAP = new LuaName("map");
    private static final LuaName SET = new LuaName("set");

    /** A value nested deeper ends in an error at that place: it is written by recursion. */
    private static final int DEEPEST = 500;

    /**
     * What each value counts, in bytes, and what a table counts besides: more than Lua takes for them, so that a reply of
     * the largest size is written in seconds.
     */
    private static final int VALUE_BYTES = 32;

    private static final int TABLE_BYTES = 128;

    private static final double LONG_BOUND = 0x1p63;

    private final LuaText text;
    private final long most;
    private ReplyWriter writer;
    private long left;
    private int scriptProtocol;
    private int depth;

    /**
     * Makes a converter.
     *
     * @param most bytes of the values of a reply. Tables that others share make small values endless replies, and nobody
     *             can end the script while its reply is written
     */
    LuaToReply(final LuaText text, final long most) {
        this.text = text;
        this.most = most;
    }

    /**
     * Writes one reply for the value on the top of the stack; an error when it would be too large.
     *
     * @param out    where to, for the client's protocol
     * @param script the protocol the script chose by {@code redis.setresp}
     */
    void write(final long lua, final ReplyWriter out, final int script) {
        writer = out;
        scriptProtocol = script;
        depth = 0;
        left = most;
        final long mark = out.buffer().length();
        try {
            value(lua);
        } catch (final ScriptError tooLarge) {
            out.buffer().truncate(mark);
            out.error("ERR", tooLarge.getMessage());
        }
    }

    private void spend(final long bytes) throws ScriptError {
        left -= bytes;
        if (left < 0) {
            throw new ScriptError("the script's reply is too large");
        }
    }

    private void value(final long lua) throws ScriptError {
        spend(VALUE_BYTES);
        if (depth == DEEPEST || Lua.checkStack(lua, SLOTS) == 0) {
            writer.error("ERR reached lua stack limit");
            Lua.pop(lua, 1);
            return;
        }
        switch (Lua.type(lua, -1)) {
            case Lua.STRING -> {
                final long address = text.address(lua, -1);
                spend(text.length());
                writer.bulk(address, text.length());
            }
            case Lua.NUMBER -> writer.integer(truncated(Lua.toNumber(lua, -1)));
            case Lua.BOOLEAN -> bool(Lua.toBoolean(lua, -1) != 0);
            case Lua.TABLE -> {
                spend(TABLE_BYTES);
                depth++;
                table(lua);
                depth--;
            }
            default -> writer.nullBulk();
        }
        Lua.pop(lua, 1);
    }

    /** As a conversion in C does it on the usual machines: what does not fit becomes the smallest number. */
    static long truncated(final double number) {
        return number >= -LONG_BOUND && number < LONG_BOUND ? (long) number : Long.MIN_VALUE;
    }

    private void bool(final boolean value) {
        if (scriptProtocol == 3) {
            writer.bool(value);
        } else if (value) {
            writer.integer(1);
        } else {
            writer.nullBulk();
        }
    }

    /** Writes the table on the top of the stack and leaves it there. */
    private void table(final long lua) throws ScriptError {
        if (!line(lua, ERR)
                && !line(lua, OK)
                && !real(lua)
                && !bigNumber(lua)
                && !verbatim(lua)
                && !pairs(lua, MAP, true)
                && !pairs(lua, SET, false)) {
            array(lua);
        }
    }

    /** Pushes a field of the table on the top; pops it again and says no when it is not of that type. */
    private boolean field(final long lua, final LuaName name, final int type) {
        name.push(lua);
        Lua.rawGet(lua, -2);
        if (Lua.type(lua, -1) == type) {
            return true;
        }
        Lua.pop(lua, 1);
        return false;
    }

    private boolean line(final long lua, final LuaName name) throws ScriptError {
        if (!field(lua, name, Lua.STRING)) {
            return false;
        }
        final long address = text.address(lua, -1);
        final long length = text.length();
        spend(length);
        if (name == OK) {
            writer.simple(address, length);
        } else {
            writer.error(address, length);
        }
        Lua.pop(lua, 1);
        return true;
    }

    private boolean real(final long lua) {
        if (!field(lua, DOUBLE, Lua.NUMBER)) {
            return false;
        }
        writer.real(Lua.toNumber(lua, -1));
        Lua.pop(lua, 1);
        return true;
    }

    private boolean bigNumber(final long lua) throws ScriptError {
        if (!field(lua, BIG_NUMBER, Lua.STRING)) {
            return false;
        }
        spend(Lua.length(lua, -1));
        writer.bigNumber(text.get(lua, -1));
        Lua.pop(lua, 1);
        return true;
    }

    private boolean verbatim(final long lua) throws ScriptError {
        if (!field(lua, VERBATIM, Lua.TABLE)) {
            return false;
        }
        boolean written = false;
        if (field(lua, FORMAT, Lua.STRING)) {
            final String format = (text.get(lua, -1) + "   ").substring(0, 3);
            Lua.pop(lua, 1);
            if (field(lua, STRING, Lua.STRING)) {
                spend(Lua.length(lua, -1));
                final byte[] bytes = text.get(lua, -1).getBytes(ISO_8859_1);
                Lua.pop(lua, 1);
                writer.verbatim(harmless(format), bytes);
                written = true;
            }
        }
        Lua.pop(lua, 1);
        return written;
    }

    private static String harmless(final String format) {
        return format.replace('\r', ' ').replace('\n', ' ');
    }

    private boolean pairs(final long lua, final LuaName name, final boolean values) throws ScriptError {
        if (!field(lua, name, Lua.TABLE)) {
            return false;
        }
        int count = 0;
        Lua.pushNil(lua);
        while (Lua.next(lua, -2) != 0) {
            Lua.pop(lua, 1);
            count++;
        }
        if (values) {
            writer.map(count);
        } else {
            writer.set(count);
        }
        Lua.pushNil(lua);
        while (Lua.next(lua, -2) != 0) {
            // The key is copied: the table's own must stay as it is for the next step.
            Lua.pushValue(lua, -2);
            value(lua);
            if (values) {
                value(lua);
            } else {
                Lua.pop(lua, 1);
            }
        }
        Lua.pop(lua, 1);
        return true;
    }

    /** Writes the elements up to the first nil. They are counted first: an element may be large, so it is written once. */
    private void array(final long lua) throws ScriptError {
        final int elements = elements(lua);
        writer.array(elements);
        for (int i = 1; i <= elements; i++) {
            Lua.rawGetAt(lua, -1, i);
            value(lua);
        }
    }

    /** The length Lua knows is right unless there is a hole. */
    private static int elements(final long lua) {
        final int length = (int) Math.min(Lua.length(lua, -1), Integer.MAX_VALUE - 1);
        for (int i = 1; i <= length; i++) {
            Lua.rawGetAt(lua, -1, i);
            final int type = Lua.type(lua, -1);
            Lua.pop(lua, 1);
            if (type == Lua.NIL) {
                return i - 1;
            }
        }
        return length;
    }
}
