// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Watches a running script: Lua calls in every so many instructions, the server is asked about every five milliseconds
 * whether to go on.
 *
 * <p>A Java function cannot raise Lua's error, so a script is killed by Lua's own {@code lua_error} as the hook of every
 * following instruction: whatever the script catches, its next instruction raises again.
 */
final class ScriptWatch {
    private static final int INSTRUCTIONS = 10_000;
    private static final long POLL_NS = 5_000_000;
    private static final long RAISE = Lua.address("lua_error");

    private final long hook;
    private ScriptHost host;
    private long nextPollNs;
    private boolean killed;

    ScriptWatch(final Arena arena) {
        try {
            final MethodHandle method = MethodHandles.lookup()
                    .findVirtual(ScriptWatch.class, "onHook", MethodType.methodType(void.class, long.class, long.class))
                    .bindTo(this);
            hook = Lua.stub(arena, method, FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
        } catch (final ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Sets the hook of a fresh state. */
    void install(final long lua) {
        Lua.setHook(lua, hook, Lua.MASK_COUNT, INSTRUCTIONS);
    }

    void begin(final ScriptHost server) {
        host = server;
        killed = false;
        nextPollNs = System.nanoTime() + POLL_NS;
    }

    void end(final long lua) {
        host = null;
        if (killed) {
            install(lua);
        }
    }

    ScriptHost host() {
        return host;
    }

    boolean killed() {
        return killed;
    }

    /** Asks the server when it is time; arranges the script's end when it is to be killed. */
    void tick(final long lua) {
        if (!killed) {
            if (System.nanoTime() - nextPollNs < 0) {
                return;
            }
            killed = host.poll();
            nextPollNs = System.nanoTime() + POLL_NS;
        }
        if (killed) {
            Lua.setHook(lua, RAISE, Lua.MASK_COUNT, 1);
        }
    }

    /** What Lua calls. */
    void onHook(final long lua, final long activation) {
        if (host == null) {
            return;
        }
        try {
            tick(lua);
        } catch (final Throwable failure) {
            // An exception that left this method would end the process.
            System.err.println("goblin-core: script killed, the server failed while it ran: " + failure);
            killed = true;
            Lua.setHook(lua, RAISE, Lua.MASK_COUNT, 1);
        }
    }
}
