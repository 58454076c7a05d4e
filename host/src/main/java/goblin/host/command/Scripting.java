// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.script.Script;
import goblin.host.script.ScriptEngine;
import goblin.host.script.ScriptHost;
import goblin.net.NativeBuffer;
import goblin.resp.RedisVersion;
import goblin.resp.ReplyWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs scripts among the commands: says what a script may call, what it has done so far, and whether it is to be ended.
 * Used on the loop's thread only, except {@link #prepare}.
 */
public final class Scripting implements ScriptHost {
    /** What all scripts together may hold. */
    private static final long MEMORY_LIMIT = 1L << 30;

    private static final int LEVEL_NOTICE = 2;
    private static final String[] LEVELS = {"debug", "verbose", "notice", "warning"};

    private final Server server;
    private final FutureTask<ScriptEngine> engine =
            new FutureTask<>(() -> new ScriptEngine(MEMORY_LIMIT, RedisVersion.TEXT));
    private final Arguments words = new Arguments();
    private final ReplyWriter reply = new ReplyWriter();

    private Client client;
    private boolean readOnly;
    private boolean checksMemory;
    private boolean wrote;
    private boolean killed;

    Scripting(final Server server) {
        this.server = server;
    }

    /**
     * Makes Lua ready on a thread of its own, so that the first script does not make everybody wait. Call it before the
     * loop pins itself to its processor; without it Lua is made ready when it is first needed.
     */
    public void prepare() {
        final Thread thread = new Thread(engine, "lua-start");
        thread.setDaemon(true);
        thread.start();
    }

    /** Lua; waits when it is still being made ready. */
    ScriptEngine engine() {
        engine.run();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return engine.get();
                } catch (final InterruptedException stopping) {
                    interrupted = true;
                } catch (final ExecutionException failure) {
                    throw new IllegalStateException("Lua cannot be started", failure.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** How many scripts are known by name; does not start Lua. */
    int known() {
        return engine.isDone() ? engine().scripts() : 0;
    }

    /** Bytes that Lua holds; does not start it. */
    long memoryUsed() {
        return engine.isDone() ? engine().memoryUsed() : 0;
    }

    /** Whether a script is running now. */
    boolean isRunning() {
        return client != null;
    }

    /** Whether the running script has changed something. */
    boolean hasWritten() {
        return wrote;
    }

    /** Ends the running script before its next instruction. */
    void kill() {
        killed = true;
    }

    /**
     * Runs a script that was found or loaded, unless its flags forbid it now.
     *
     * @param call      its EVAL or EVALSHA; gets the reply
     * @param script    what to run
     * @param keys      how many words are keys
     * @param mayNotWrite whether the command promised that nothing is written
     */
    void run(final Call call, final Script script, final int keys, final boolean mayNotWrite) {
        final int flags = script.flags();
        final boolean declared = (flags & Script.COMPATIBLE) == 0;
        final boolean noWrites = declared && (flags & Script.NO_WRITES) != 0;
        if (declared && mayNotWrite && !noWrites) {
            call.error("ERR Can not execute a script with write flag using *_ro command.");
            return;
        }
        final long limit = server.settings().maxMemory();
        final boolean full = limit != 0 && server.usedMemory() > limit;
        final boolean allowsOom = declared && (flags & Script.ALLOW_OOM) != 0;
        if (declared && full && !allowsOom && !noWrites) {
            call.error("OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'");
            return;
        }
        client = call.client();
        readOnly = mayNotWrite || noWrites;
        checksMemory = full && !allowsOom;
        wrote = false;
        killed = false;
        server.surroundings().scriptBegins(client);
        try {
            engine().run(script, this, call.args(), ScriptCommands.FIRST_KEY, keys, call.reply());
        } finally {
            server.surroundings().scriptEnds(client);
            client = null;
        }
    }

    @Override
    public void call(
            final long[] addresses,
            final int[] lengths,
            final int count,
            final NativeBuffer target,
            final int protocol) {
        words.clear();
        for (int i = 0; i < count; i++) {
            words.add(addresses[i], lengths[i]);
        }
        reply.wrap(target).protocol(protocol);
        final CommandSpec spec = server.table().find(words);
        final String objection = objection(spec);
        if (objection != null) {
            if (spec != null) {
                spec.rejected++;
            }
            reply.error(objection);
            return;
        }
        if (spec.has(Flag.WRITE)) {
            wrote = true;
        }
        server.dispatcher().runScripted(client, spec, words, reply, target);
        if (target.isEmpty()) {
            reply.nullBulk();
        }
    }

    /** Why the running script may not call a command, or null. */
    private String objection(final CommandSpec spec) {
        if (spec == null || (spec.isContainer() && words.count() > 1)) {
            return "ERR Unknown Redis command called from script";
        }
        if (!spec.accepts(words.count())) {
            return "ERR Wrong number of args calling Redis command from script";
        }
        if (spec.has(Flag.NOSCRIPT)) {
            return "ERR This Redis command is not allowed from script";
        }
        if (readOnly && (spec.has(Flag.WRITE) || spec.has(Flag.MAY_REPLICATE))) {
            return "ERR Write commands are not allowed from read-only scripts.";
        }
        if (checksMemory && !wrote && spec.has(Flag.DENYOOM)) {
            return Errors.OOM;
        }
        return null;
    }

    @Override
    public boolean poll() {
        return server.surroundings().scriptPolls() < 0 || killed;
    }

    @Override
    public void log(final int level, final long address, final int length) {
        if (level >= LEVEL_NOTICE) {
            final byte[] text = goblin.net.linux.Memory.toBytes(address, length);
            final String line = new String(text, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
            server.surroundings().log("script (" + LEVELS[level] + "): " + line);
        }
    }
}
