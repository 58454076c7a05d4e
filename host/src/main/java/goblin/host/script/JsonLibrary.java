// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

/** The {@code cjson} library: its functions and options; the work is done by {@link JsonWriter} and {@link JsonReader}. */
final class JsonLibrary {
    private static final int DEFAULT_DEPTH = 1000;

    /** Nesting is followed by recursion, whatever a script asks for. */
    private static final int DEEPEST = 2000;

    private static final int DEFAULT_PRECISION = 14;
    private static final int DEFAULT_SPARSE_RATIO = 2;
    private static final int DEFAULT_SPARSE_SAFE = 10;

    private final JsonWriter writer;
    private final JsonReader reader;

    private int encodeDepth;
    private int decodeDepth;
    private int precision;
    private boolean sparseConvert;
    private int sparseRatio;
    private int sparseSafe;
    private boolean encodeInvalid;
    private boolean encodeInvalidAsNull;
    private boolean decodeInvalid;
    private boolean keepBuffer;

    JsonLibrary(final LuaText text, final LuaWork work) {
        writer = new JsonWriter(text, work);
        reader = new JsonReader(text, work);
        reset();
    }

    /** Gives every option its default, so that no script finds what another chose. */
    void reset() {
        encodeDepth = DEFAULT_DEPTH;
        decodeDepth = DEFAULT_DEPTH;
        precision = DEFAULT_PRECISION;
        sparseConvert = false;
        sparseRatio = DEFAULT_SPARSE_RATIO;
        sparseSafe = DEFAULT_SPARSE_SAFE;
        encodeInvalid = false;
        encodeInvalidAsNull = false;
        decodeInvalid = true;
        keepBuffer = true;
    }

    void addTo(final LuaFunctions functions) {
        functions.add("cjson_encode", this::encode);
        functions.add("cjson_decode", this::decode);
        functions.add("cjson_encode_max_depth", lua -> {
            encodeDepth = integer(lua, 1, encodeDepth, "encode_max_depth", 1, Integer.MAX_VALUE);
            return pushNumber(lua, encodeDepth);
        });
        functions.add("cjson_decode_max_depth", lua -> {
            decodeDepth = integer(lua, 1, decodeDepth, "decode_max_depth", 1, Integer.MAX_VALUE);
            return pushNumber(lua, decodeDepth);
        });
        functions.add("cjson_encode_number_precision", lua -> {
            precision = integer(lua, 1, precision, "encode_number_precision", 1, DEFAULT_PRECISION);
            return pushNumber(lua, precision);
        });
        functions.add("cjson_encode_keep_buffer", lua -> {
            keepBuffer = bool(lua, 1, keepBuffer);
            return pushBoolean(lua, keepBuffer);
        });
        functions.add("cjson_decode_invalid_numbers", lua -> {
            decodeInvalid = bool(lua, 1, decodeInvalid);
            return pushBoolean(lua, decodeInvalid);
        });
        functions.add("cjson_encode_invalid_numbers", this::encodeInvalidNumbers);
        functions.add("cjson_encode_sparse_array", this::encodeSparseArray);
    }

    private int encode(final long lua) throws ScriptError {
        if (Lua.top(lua) != 1) {
            throw LuaArguments.bad(1, "encode", "expected 1 argument");
        }
        writer.options(Math.min(encodeDepth, DEEPEST), precision, sparseConvert, sparseRatio, sparseSafe);
        writer.invalidNumbers(encodeInvalid, encodeInvalidAsNull);
        writer.encode(lua);
        return 1;
    }

    private int decode(final long lua) throws ScriptError {
        if (Lua.top(lua) != 1) {
            throw LuaArguments.bad(1, "decode", "expected 1 argument");
        }
        LuaArguments.string(lua, 1, "decode");
        reader.decode(lua, Math.min(decodeDepth, DEEPEST), decodeInvalid);
        return 1;
    }

    private int encodeInvalidNumbers(final long lua) throws ScriptError {
        if (Lua.type(lua, 1) == Lua.STRING) {
            encodeInvalid = false;
            encodeInvalidAsNull = true;
        } else if (Lua.type(lua, 1) > Lua.NIL) {
            encodeInvalid = bool(lua, 1, encodeInvalid);
            encodeInvalidAsNull = false;
        }
        return pushBoolean(lua, encodeInvalid || encodeInvalidAsNull);
    }

    private int encodeSparseArray(final long lua) throws ScriptError {
        sparseConvert = bool(lua, 1, sparseConvert);
        sparseRatio = integer(lua, 2, sparseRatio, "encode_sparse_array", 0, Integer.MAX_VALUE);
        sparseSafe = integer(lua, 3, sparseSafe, "encode_sparse_array", 0, Integer.MAX_VALUE);
        pushBoolean(lua, sparseConvert);
        pushNumber(lua, sparseRatio);
        pushNumber(lua, sparseSafe);
        return 3;
    }

    private static int integer(
            final long lua, final int index, final int otherwise, final String function, final int low, final int high)
            throws ScriptError {
        if (Lua.type(lua, index) <= Lua.NIL) {
            return otherwise;
        }
        final long value = LuaArguments.integer(lua, index, function);
        if (value < low || value > high) {
            throw LuaArguments.bad(index, function, "expected integer between " + low + " and " + high);
        }
        return (int) value;
    }

    private static boolean bool(final long lua, final int index, final boolean otherwise) {
        final int type = Lua.type(lua, index);
        return type <= Lua.NIL ? otherwise : Lua.toBoolean(lua, index) != 0;
    }

    private static int pushNumber(final long lua, final int value) {
        Lua.pushNumber(lua, value);
        return 1;
    }

    private static int pushBoolean(final long lua, final boolean value) {
        Lua.pushBoolean(lua, value ? 1 : 0);
        return 1;
    }
}
