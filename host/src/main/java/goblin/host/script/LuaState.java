// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import goblin.net.NativeBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * One Lua state with the sandbox in it. At the bottom of its stack lie the real table of globals and the handler of
 * errors, for as long as the state lives.
 */
final class LuaState {
    static final int REAL_GLOBALS = 1;
    static final int ERROR_HANDLER = 2;

    private static final String[] LIBRARIES = {"base", "table", "string", "math", "debug"};
    private static final String PRELUDE = "sandbox.lua";
    private static final LuaName PRELUDE_NAME = new LuaName("=sandbox");

    private final long lua;

    /**
     * Makes a state.
     *
     * @param version of Redis that scripts see, such as 7.2.4
     */
    LuaState(
            final LuaMemory memory,
            final LuaFunctions functions,
            final LuaText text,
            final ScriptWatch watch,
            final String version) {
        memory.limited(false);
        lua = Lua.newState(memory.allocator(), 0);
        if (lua == 0) {
            throw new IllegalStateException("no memory for Lua");
        }
        for (final String library : LIBRARIES) {
            Lua.pushFunction(lua, Lua.address("luaopen_" + library), 0);
            text.push(lua, library.equals("base") ? "" : library);
            check(Lua.protectedCall(lua, 1, 0, 0), text);
        }
        final NativeBuffer source = new NativeBuffer();
        source.append(prelude());
        check(Lua.load(lua, source.address(), source.length(), PRELUDE_NAME.address()), text);
        source.free();
        functions.pushAll(lua);
        constants(text, version);
        check(Lua.protectedCall(lua, 1, 3, 0), text);
        // The prelude returned: the real globals, what scripts see of them, the handler.
        Lua.insert(lua, 2);
        Lua.replace(lua, Lua.GLOBALS);
        watch.install(lua);
        memory.limited(false);
    }

    long lua() {
        return lua;
    }

    void close() {
        Lua.close(lua);
    }

    private void constants(final LuaText text, final String version) {
        text.push(lua, "fail");
        Lua.pushLight(lua, LuaFunctions.FAIL);
        Lua.rawSet(lua, -3);
        text.push(lua, "null");
        Lua.pushLight(lua, 0);
        Lua.rawSet(lua, -3);
        text.push(lua, "version");
        text.push(lua, version);
        Lua.rawSet(lua, -3);
        text.push(lua, "versionNumber");
        Lua.pushNumber(lua, number(version));
        Lua.rawSet(lua, -3);
    }

    /** 7.2.4 is 0x070204. */
    static int number(final String version) {
        int number = 0;
        for (final String part : version.split("\\.", -1)) {
            number = (number << 8) | Integer.parseInt(part);
        }
        return number;
    }

    private void check(final int status, final LuaText text) {
        if (status != Lua.OK) {
            throw new IllegalStateException("the prelude of scripts failed: " + text.get(lua, -1));
        }
    }

    private static byte[] prelude() {
        try (InputStream in = LuaState.class.getResourceAsStream(PRELUDE)) {
            if (in == null) {
                throw new IllegalStateException(PRELUDE + " is missing");
            }
            return in.readAllBytes();
        } catch (final IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
