// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** The {@code bit} library: operations on 32-bit integers, results signed, as the BitOp module defines them. */
final class BitLibrary {
    private static final int DIGITS = 8;

    private final LuaText text;

    BitLibrary(final LuaText text) {
        this.text = text;
    }

    void addTo(final LuaFunctions functions) {
        unary(functions, "tobit", value -> value);
        unary(functions, "bnot", value -> ~value);
        unary(functions, "bswap", Integer::reverseBytes);
        fold(functions, "band", (a, b) -> a & b);
        fold(functions, "bor", (a, b) -> a | b);
        fold(functions, "bxor", (a, b) -> a ^ b);
        binary(functions, "lshift", (value, count) -> value << count);
        binary(functions, "rshift", (value, count) -> value >>> count);
        binary(functions, "arshift", (value, count) -> value >> count);
        binary(functions, "rol", Integer::rotateLeft);
        binary(functions, "ror", Integer::rotateRight);
        functions.add("bit_tohex", this::toHex);
    }

    private static void unary(final LuaFunctions functions, final String name, final IntUnaryOperator operator) {
        functions.add("bit_" + name, lua -> push(lua, operator.applyAsInt(argument(lua, 1, name))));
    }

    private static void binary(final LuaFunctions functions, final String name, final IntBinaryOperator operator) {
        functions.add("bit_" + name, lua -> {
            final int value = argument(lua, 1, name);
            return push(lua, operator.applyAsInt(value, argument(lua, 2, name)));
        });
    }

    private static void fold(final LuaFunctions functions, final String name, final IntBinaryOperator operator) {
        functions.add("bit_" + name, lua -> {
            int result = argument(lua, 1, name);
            for (int i = Lua.top(lua); i > 1; i--) {
                result = operator.applyAsInt(result, argument(lua, i, name));
            }
            return push(lua, result);
        });
    }

    private int toHex(final long lua) throws ScriptError {
        final int value = argument(lua, 1, "tohex");
        final int wanted = Lua.type(lua, 2) <= Lua.NIL ? DIGITS : argument(lua, 2, "tohex");
        final int digits = wanted == Integer.MIN_VALUE ? DIGITS : Math.min(Math.abs(wanted), DIGITS);
        final String all = String.format(wanted < 0 ? "%08X" : "%08x", value);
        text.push(lua, all.substring(DIGITS - digits));
        return 1;
    }

    private static int push(final long lua, final int value) {
        Lua.pushNumber(lua, value);
        return 1;
    }

    private static int argument(final long lua, final int index, final String function) throws ScriptError {
        return (int) (long) Math.rint(LuaArguments.number(lua, index, function));
    }
}
