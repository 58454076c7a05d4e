// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes Java functions callable by Lua.
 *
 * <p>No exception may leave such a function, and Lua must not raise an error through it: a failure is returned as two
 * values, {@link #FAIL} and a text, of which the prelude in Lua makes an error.
 */
final class LuaFunctions {
    /** The light userdata that stands for a failure; no script ever holds it. */
    static final long FAIL = 1;

    private static final MethodHandle ENTER;

    static {
        try {
            ENTER = MethodHandles.lookup()
                    .findVirtual(
                            LuaFunctions.class,
                            "enter",
                            MethodType.methodType(int.class, LuaFunction.class, long.class));
        } catch (final ReflectiveOperationException failure) {
            throw new ExceptionInInitializerError(failure);
        }
    }

    private final Arena arena;
    private final LuaMemory memory;
    private final LuaText text;
    private final Map<String, Long> stubs = new LinkedHashMap<>();

    LuaFunctions(final Arena arena, final LuaMemory memory, final LuaText text) {
        this.arena = arena;
        this.memory = memory;
        this.text = text;
    }

    /** Adds a function under the name by which the prelude finds it. */
    void add(final String name, final LuaFunction function) {
        final MethodHandle bound = MethodHandles.insertArguments(ENTER, 0, this, function);
        stubs.put(name, Lua.stub(arena, bound, FunctionDescriptor.of(JAVA_INT, JAVA_LONG)));
    }

    /** Leaves a table of all functions on the stack. */
    void pushAll(final long lua) {
        Lua.createTable(lua, 0, stubs.size() + 8);
        stubs.forEach((name, stub) -> {
            text.push(lua, name);
            Lua.pushFunction(lua, stub, 0);
            Lua.rawSet(lua, -3);
        });
    }

    /** What Lua calls. */
    int enter(final LuaFunction function, final long lua) {
        memory.limited(false);
        try {
            final int results = function.call(lua);
            return memory.exceeded() ? fail(lua, "not enough memory") : results;
        } catch (final ScriptError error) {
            return fail(lua, error.getMessage());
        } catch (final Throwable failure) {
            // An exception that left this method would end the process.
            return fail(lua, "internal error: " + failure);
        } finally {
            memory.limited(true);
        }
    }

    private int fail(final long lua, final String message) {
        Lua.setTop(lua, 0);
        Lua.pushLight(lua, FAIL);
        text.push(lua, message);
        return 2;
    }
}
