// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The functions of Lua's C interface that this server uses, one to one (see the Lua 5.1 manual, section 3). Pointers
 * and {@code size_t} are longs. What may raise a Lua error other than "not enough memory" is left out.
 */
@SuppressWarnings("restricted")
final class Lua {
    static final int REGISTRY = -10000;
    static final int GLOBALS = -10002;

    static final int NONE = -1;
    static final int NIL = 0;
    static final int BOOLEAN = 1;
    static final int LIGHT_USERDATA = 2;
    static final int NUMBER = 3;
    static final int STRING = 4;
    static final int TABLE = 5;

    static final int OK = 0;
    static final int ERROR_MEMORY = 4;

    static final int GC_STOP = 0;
    static final int GC_RESTART = 1;
    static final int GC_COLLECT = 2;
    static final int GC_STEP = 5;

    static final int MASK_COUNT = 8;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBRARY = LuaLibrary.load();

    private static final MethodHandle NEW_STATE =
            handle("lua_newstate", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle CLOSE = handle("lua_close", FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle TOP = handle("lua_gettop", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle SET_TOP = handle("lua_settop", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final MethodHandle PUSH_VALUE =
            handle("lua_pushvalue", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final MethodHandle REMOVE = handle("lua_remove", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final MethodHandle INSERT = handle("lua_insert", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final MethodHandle REPLACE = handle("lua_replace", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final MethodHandle CHECK_STACK =
            handle("lua_checkstack", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle TYPE = handle("lua_type", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle IS_NUMBER =
            handle("lua_isnumber", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle TO_NUMBER =
            handle("lua_tonumber", FunctionDescriptor.of(JAVA_DOUBLE, JAVA_LONG, JAVA_INT));
    private static final MethodHandle TO_BOOLEAN =
            handle("lua_toboolean", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle TO_STRING =
            handle("lua_tolstring", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle LENGTH =
            handle("lua_objlen", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle TO_POINTER =
            handle("lua_topointer", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle TO_USER_DATA =
            handle("lua_touserdata", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle PUSH_NIL = handle("lua_pushnil", FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle PUSH_NUMBER =
            handle("lua_pushnumber", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_DOUBLE));
    private static final MethodHandle PUSH_BOOLEAN =
            handle("lua_pushboolean", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final MethodHandle PUSH_STRING =
            handle("lua_pushlstring", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PUSH_LIGHT =
            handle("lua_pushlightuserdata", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PUSH_FUNCTION =
            handle("lua_pushcclosure", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CREATE_TABLE =
            handle("lua_createtable", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle RAW_GET = handle("lua_rawget", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final MethodHandle RAW_GET_AT =
            handle("lua_rawgeti", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle RAW_SET = handle("lua_rawset", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final MethodHandle RAW_SET_AT =
            handle("lua_rawseti", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle SET_FIELD =
            handle("lua_setfield", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle NEXT = handle("lua_next", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle PROTECTED_CALL =
            handle("lua_pcall", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle COLLECT =
            handle("lua_gc", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle SET_HOOK =
            handle("lua_sethook", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle LOAD =
            handle("luaL_loadbuffer", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle REF = handle("luaL_ref", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle UNREF =
            handle("luaL_unref", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_INT));

    private Lua() {}

    /** The address of a C function of the library, to be pushed or set as a hook. */
    static long address(final String name) {
        return LIBRARY.findOrThrow(name).address();
    }

    /** A C function that calls a Java method; lives as long as the arena. The method must not throw. */
    static long stub(final Arena arena, final MethodHandle target, final FunctionDescriptor descriptor) {
        return LINKER.upcallStub(target, descriptor, arena).address();
    }

    /** Pushes an integer; beyond 53 bits the nearest number that Lua has. */
    static void pushInteger(final long lua, final long value) {
        pushNumber(lua, (double) value);
    }

    static void pop(final long lua, final int count) {
        setTop(lua, -count - 1);
    }

    static long newState(final long allocator, final long context) {
        try {
            return (long) NEW_STATE.invokeExact(allocator, context);
        } catch (final Throwable failure) {
            throw broken("lua_newstate", failure);
        }
    }

    static void close(final long lua) {
        try {
            CLOSE.invokeExact(lua);
        } catch (final Throwable failure) {
            throw broken("lua_close", failure);
        }
    }

    static int top(final long lua) {
        try {
            return (int) TOP.invokeExact(lua);
        } catch (final Throwable failure) {
            throw broken("lua_gettop", failure);
        }
    }

    static void setTop(final long lua, final int index) {
        try {
            SET_TOP.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_settop", failure);
        }
    }

    static void pushValue(final long lua, final int index) {
        try {
            PUSH_VALUE.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_pushvalue", failure);
        }
    }

    static void remove(final long lua, final int index) {
        try {
            REMOVE.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_remove", failure);
        }
    }

    static void insert(final long lua, final int index) {
        try {
            INSERT.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_insert", failure);
        }
    }

    static void replace(final long lua, final int index) {
        try {
            REPLACE.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_replace", failure);
        }
    }

    static int checkStack(final long lua, final int extra) {
        try {
            return (int) CHECK_STACK.invokeExact(lua, extra);
        } catch (final Throwable failure) {
            throw broken("lua_checkstack", failure);
        }
    }

    static int type(final long lua, final int index) {
        try {
            return (int) TYPE.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_type", failure);
        }
    }

    static int isNumber(final long lua, final int index) {
        try {
            return (int) IS_NUMBER.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_isnumber", failure);
        }
    }

    static double toNumber(final long lua, final int index) {
        try {
            return (double) TO_NUMBER.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_tonumber", failure);
        }
    }

    static int toBoolean(final long lua, final int index) {
        try {
            return (int) TO_BOOLEAN.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_toboolean", failure);
        }
    }

    static long toString(final long lua, final int index, final long lengthAt) {
        try {
            return (long) TO_STRING.invokeExact(lua, index, lengthAt);
        } catch (final Throwable failure) {
            throw broken("lua_tolstring", failure);
        }
    }

    static long length(final long lua, final int index) {
        try {
            return (long) LENGTH.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_objlen", failure);
        }
    }

    static long toPointer(final long lua, final int index) {
        try {
            return (long) TO_POINTER.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_topointer", failure);
        }
    }

    static long toUserData(final long lua, final int index) {
        try {
            return (long) TO_USER_DATA.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_touserdata", failure);
        }
    }

    static void pushNil(final long lua) {
        try {
            PUSH_NIL.invokeExact(lua);
        } catch (final Throwable failure) {
            throw broken("lua_pushnil", failure);
        }
    }

    static void pushNumber(final long lua, final double value) {
        try {
            PUSH_NUMBER.invokeExact(lua, value);
        } catch (final Throwable failure) {
            throw broken("lua_pushnumber", failure);
        }
    }

    static void pushBoolean(final long lua, final int value) {
        try {
            PUSH_BOOLEAN.invokeExact(lua, value);
        } catch (final Throwable failure) {
            throw broken("lua_pushboolean", failure);
        }
    }

    static void pushString(final long lua, final long address, final long length) {
        try {
            PUSH_STRING.invokeExact(lua, address, length);
        } catch (final Throwable failure) {
            throw broken("lua_pushlstring", failure);
        }
    }

    static void pushLight(final long lua, final long pointer) {
        try {
            PUSH_LIGHT.invokeExact(lua, pointer);
        } catch (final Throwable failure) {
            throw broken("lua_pushlightuserdata", failure);
        }
    }

    static void pushFunction(final long lua, final long function, final int upvalues) {
        try {
            PUSH_FUNCTION.invokeExact(lua, function, upvalues);
        } catch (final Throwable failure) {
            throw broken("lua_pushcclosure", failure);
        }
    }

    static void createTable(final long lua, final int elements, final int fields) {
        try {
            CREATE_TABLE.invokeExact(lua, elements, fields);
        } catch (final Throwable failure) {
            throw broken("lua_createtable", failure);
        }
    }

    static void rawGet(final long lua, final int index) {
        try {
            RAW_GET.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_rawget", failure);
        }
    }

    static void rawGetAt(final long lua, final int index, final int element) {
        try {
            RAW_GET_AT.invokeExact(lua, index, element);
        } catch (final Throwable failure) {
            throw broken("lua_rawgeti", failure);
        }
    }

    static void rawSet(final long lua, final int index) {
        try {
            RAW_SET.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_rawset", failure);
        }
    }

    static void rawSetAt(final long lua, final int index, final int element) {
        try {
            RAW_SET_AT.invokeExact(lua, index, element);
        } catch (final Throwable failure) {
            throw broken("lua_rawseti", failure);
        }
    }

    static void setField(final long lua, final int index, final long name) {
        try {
            SET_FIELD.invokeExact(lua, index, name);
        } catch (final Throwable failure) {
            throw broken("lua_setfield", failure);
        }
    }

    static int next(final long lua, final int index) {
        try {
            return (int) NEXT.invokeExact(lua, index);
        } catch (final Throwable failure) {
            throw broken("lua_next", failure);
        }
    }

    static int protectedCall(final long lua, final int arguments, final int results, final int handler) {
        try {
            return (int) PROTECTED_CALL.invokeExact(lua, arguments, results, handler);
        } catch (final Throwable failure) {
            throw broken("lua_pcall", failure);
        }
    }

    static int collect(final long lua, final int what, final int data) {
        try {
            return (int) COLLECT.invokeExact(lua, what, data);
        } catch (final Throwable failure) {
            throw broken("lua_gc", failure);
        }
    }

    static int setHook(final long lua, final long function, final int mask, final int count) {
        try {
            return (int) SET_HOOK.invokeExact(lua, function, mask, count);
        } catch (final Throwable failure) {
            throw broken("lua_sethook", failure);
        }
    }

    static int load(final long lua, final long address, final long length, final long name) {
        try {
            return (int) LOAD.invokeExact(lua, address, length, name);
        } catch (final Throwable failure) {
            throw broken("luaL_loadbuffer", failure);
        }
    }

    static int ref(final long lua, final int table) {
        try {
            return (int) REF.invokeExact(lua, table);
        } catch (final Throwable failure) {
            throw broken("luaL_ref", failure);
        }
    }

    static void unref(final long lua, final int table, final int reference) {
        try {
            UNREF.invokeExact(lua, table, reference);
        } catch (final Throwable failure) {
            throw broken("luaL_unref", failure);
        }
    }

    private static IllegalStateException broken(final String function, final Throwable failure) {
        return new IllegalStateException(function, failure);
    }

    private static MethodHandle handle(final String name, final FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LIBRARY.findOrThrow(name), descriptor);
    }
}
