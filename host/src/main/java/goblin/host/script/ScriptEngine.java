// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import goblin.net.linux.Memory;
import goblin.resp.Arguments;
import goblin.resp.ReplyWriter;
import java.lang.foreign.Arena;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Compiles and runs scripts; keeps them by name. One script runs at a time, on the server's thread, to its end.
 *
 * <p>The engine owns the Lua state's memory and a copy of each script's text; {@link #close} gives both back.
 */
public final class ScriptEngine implements AutoCloseable {
    /** Garbage below this is left to Lua's own collector. */
    private static final long QUIET = 16 * 1024 * 1024;

    private static final LuaName CHUNK = new LuaName("@user_script");
    private static final LuaName KEYS = new LuaName("KEYS");
    private static final LuaName ARGV = new LuaName("ARGV");

    private final Arena arena = Arena.ofShared();
    private final String version;
    private final LuaText text = new LuaText();
    private final LuaMemory memory;
    private final ScriptWatch watch;
    private final LuaFunctions functions;
    private final CommandCalls calls;
    private final LuaToReply results;
    private final ScriptErrors errors = new ScriptErrors(text);
    private final ScriptCache cache = new ScriptCache(script -> release(script.function));
    private final MessageDigest sha1;
    private final LuaWork work;
    private final JsonLibrary json;
    private final RandomNumbers random = new RandomNumbers();
    private LuaState state;
    private long collectAt = QUIET;
    private boolean running;

    /**
     * Makes an engine without scripts.
     *
     * @param memoryLimit bytes that scripts may hold, all together
     * @param version     of Redis that scripts see, such as 7.2.4
     */
    public ScriptEngine(final long memoryLimit, final String version) {
        this.version = version;
        memory = new LuaMemory(arena, memoryLimit);
        watch = new ScriptWatch(arena);
        functions = new LuaFunctions(arena, memory, text);
        results = new LuaToReply(text, memoryLimit);
        work = new LuaWork(memory, watch);
        calls = new CommandCalls(watch, text, work);
        json = new JsonLibrary(text, work);
        try {
            sha1 = MessageDigest.getInstance("SHA-1");
        } catch (final NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
        addFunctions();
        state = newState();
    }

    /**
     * Finds a script by its text, compiling it when it is new.
     *
     * @param address first byte of the text
     * @param length  bytes
     * @param keep    whether it stays until {@link #flush}, as after {@code SCRIPT LOAD}
     * @param out     gets an error reply when the text is no script
     * @return the script, or null when {@code out} got an error
     */
    public Script load(final long address, final int length, final boolean keep, final ReplyWriter out) {
        Script script = cache.findBody(address, length);
        if (script == null) {
            try {
                script = compile(address, length, keep);
            } catch (final ScriptError error) {
                out.error("ERR", error.getMessage());
                return null;
            }
        }
        if (keep) {
            cache.keep(script);
        }
        return script;
    }

    /**
     * Finds a script by its name.
     *
     * @param address first of the hexadecimal digits, in either case
     * @param length  how many there are
     * @return the script, or null when it is not known
     */
    public Script find(final long address, final int length) {
        return cache.findDigest(address, length);
    }

    /**
     * How many scripts are known.
     *
     * @return 0 or more
     */
    public int scripts() {
        return cache.size();
    }

    /**
     * What the Lua state holds.
     *
     * @return bytes
     */
    public long memoryUsed() {
        return memory.used();
    }

    /**
     * Tells whether a script is running now.
     *
     * @return true from the begin to the end of {@link #run}
     */
    public boolean isRunning() {
        return running;
    }

    /**
     * Runs a script to its end.
     *
     * @param script    from this engine, since the last {@link #flush}
     * @param host      the server, for the time of the run
     * @param words     keys and other arguments among them; read before the script begins
     * @param first     index of the first key
     * @param keys      how many keys there are; all words after them are the other arguments
     * @param out       gets exactly one reply, after the script has ended
     */
    public void run(
            final Script script,
            final ScriptHost host,
            final Arguments words,
            final int first,
            final int keys,
            final ReplyWriter out) {
        if (running) {
            throw new IllegalStateException("a script is running");
        }
        final long lua = state.lua();
        pushList(lua, words, first, first + keys);
        Lua.setField(lua, LuaState.REAL_GLOBALS, KEYS.address());
        pushList(lua, words, first + keys, words.argumentCount());
        Lua.setField(lua, LuaState.REAL_GLOBALS, ARGV.address());
        Lua.rawGetAt(lua, Lua.REGISTRY, script.function);
        calls.protocol(2);
        json.reset();
        watch.begin(host);
        running = true;
        memory.limited(true);
        final int status = Lua.protectedCall(lua, 0, 1, LuaState.ERROR_HANDLER);
        memory.limited(false);
        running = false;
        watch.end(lua);
        try {
            if (status == Lua.OK) {
                results.write(lua, out, calls.protocol());
            } else {
                errors.write(lua, script, out);
            }
        } finally {
            Lua.setTop(lua, LuaState.ERROR_HANDLER);
        }
        cache.touch(script);
        tidy(lua, status);
    }

    /** Forgets all scripts and starts with a fresh Lua state. */
    public void flush() {
        if (running) {
            throw new IllegalStateException("a script is running");
        }
        cache.clear();
        state.close();
        memory.free();
        collectAt = QUIET;
        state = newState();
    }

    @Override
    public void close() {
        cache.clear();
        state.close();
        memory.free();
        calls.free();
        text.free();
        arena.close();
    }

    private LuaState newState() {
        return new LuaState(memory, functions, text, watch, version);
    }

    private Script compile(final long address, final int length, final boolean keep) throws ScriptError {
        final byte[] digest = digest(address, length);
        final Shebang shebang = Shebang.parse(address, length);
        final long lua = state.lua();
        String objection = null;
        try {
            if (!loadChunk(lua, address + shebang.length(), length - shebang.length(), CHUNK.address())) {
                objection = text.get(lua, -1);
            }
        } catch (final ScriptError error) {
            objection = error.getMessage();
        }
        if (objection != null) {
            Lua.setTop(lua, LuaState.ERROR_HANDLER);
            throw new ScriptError("Error compiling script (new function): " + objection);
        }
        final int function = Lua.ref(lua, Lua.REGISTRY);
        final Script script =
                new Script(digest, shebang.flags(), function, Memory.hash(address, length), address, length);
        script.loaded = keep;
        cache.add(script);
        return script;
    }

    /**
     * Compiles text, never bytecode, and leaves a function or a message on the stack. The collector rests meanwhile:
     * this Lua's parser does not protect the chunk's name from it.
     */
    private boolean loadChunk(final long lua, final long address, final long length, final long name)
            throws ScriptError {
        if (length > 0 && Memory.getByte(address) == 0x1B) {
            throw new ScriptError("attempt to load a binary chunk");
        }
        Lua.collect(lua, Lua.GC_STOP, 0);
        final int status = Lua.load(lua, address, length, name);
        Lua.collect(lua, Lua.GC_RESTART, 0);
        if (status != Lua.OK) {
            return false;
        }
        LuaPrototype.prepare(Lua.toPointer(lua, -1));
        return true;
    }

    private void release(final int function) {
        Lua.unref(state.lua(), Lua.REGISTRY, function);
    }

    private static void pushList(final long lua, final Arguments words, final int from, final int to) {
        Lua.createTable(lua, to - from, 0);
        for (int i = from; i < to; i++) {
            Lua.pushString(lua, words.argument(i), words.argumentLength(i));
            Lua.rawSetAt(lua, -2, i - from + 1);
        }
    }

    /** A script's garbage shall not stay until the next one runs, nor shall a small script pay for a full collection. */
    private void tidy(final long lua, final int status) {
        if (memory.used() > collectAt || status == Lua.ERROR_MEMORY) {
            Lua.createTable(lua, 0, 0);
            Lua.setField(lua, LuaState.REAL_GLOBALS, KEYS.address());
            Lua.createTable(lua, 0, 0);
            Lua.setField(lua, LuaState.REAL_GLOBALS, ARGV.address());
            Lua.collect(lua, Lua.GC_COLLECT, 0);
            collectAt = Math.max(QUIET, memory.used() * 2);
        }
    }

    private byte[] digest(final long address, final long length) {
        sha1.update(NativeBytes.view(address, length));
        return sha1.digest();
    }

    private void addFunctions() {
        functions.add("call", calls);
        functions.add("load", this::loadString);
        functions.add("log", this::log);
        functions.add("sha1hex", this::sha1hex);
        functions.add("setresp", lua -> {
            calls.protocol((int) Lua.toNumber(lua, 1));
            return 0;
        });
        functions.add("killed", lua -> {
            Lua.pushBoolean(lua, watch.killed() ? 1 : 0);
            return 1;
        });
        functions.add("random", lua -> {
            Lua.pushNumber(lua, random.next());
            return 1;
        });
        functions.add("randomseed", lua -> {
            random.seed((int) (long) Lua.toNumber(lua, 1));
            return 0;
        });
        new BitLibrary(text).addTo(functions);
        json.addTo(functions);
        new MessagePackLibrary(text, work).addTo(functions);
        new StructLibrary(text, work).addTo(functions);
    }

    private int loadString(final long lua) {
        final long name = text.address(lua, 2);
        final long address = text.address(lua, 1);
        final long length = text.length();
        try {
            if (loadChunk(lua, address, length, name)) {
                return 1;
            }
        } catch (final ScriptError error) {
            text.push(lua, error.getMessage());
        }
        Lua.pushNil(lua);
        Lua.insert(lua, -2);
        return 2;
    }

    private int log(final long lua) {
        final long address = text.address(lua, 2);
        watch.host().log((int) Lua.toNumber(lua, 1), address, (int) text.length());
        return 0;
    }

    private int sha1hex(final long lua) {
        final long address = text.address(lua, 1);
        final byte[] digest = digest(address, text.length());
        text.push(lua, HexFormat.of().formatHex(digest));
        return 1;
    }
}
