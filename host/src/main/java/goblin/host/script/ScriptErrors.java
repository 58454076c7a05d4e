// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import goblin.net.NativeBuffer;
import goblin.resp.ReplyWriter;

/** Turns what a script raised into an error reply that says where. */
final class ScriptErrors {
    private static final LuaName ERR = new LuaName("err");
    private static final LuaName SOURCE = new LuaName("source");
    private static final LuaName LINE = new LuaName("line");

    private final LuaText text;
    private final NativeBuffer message = new NativeBuffer();

    ScriptErrors(final LuaText text) {
        this.text = text;
    }

    /** Writes an error reply for the value on the top of the stack, as the handler left it. */
    void write(final long lua, final Script script, final ReplyWriter out) {
        message.clear();
        if (Lua.type(lua, -1) != Lua.TABLE) {
            // Raised where no handler runs: out of memory, or an error in the handling of an error.
            message.appendAscii("ERR Error running script " + script.name() + ", ");
            if (!append(lua, -1)) {
                message.appendAscii("execution failure");
            }
        } else {
            ERR.push(lua);
            Lua.rawGet(lua, -2);
            if (!append(lua, -1)) {
                message.appendAscii("ERR Error running script, its error is no text");
            }
            Lua.pop(lua, 1);
            place(lua, script);
        }
        out.error(message.address(), message.length());
        message.free();
    }

    private void place(final long lua, final Script script) {
        final int top = Lua.top(lua);
        LINE.push(lua);
        Lua.rawGet(lua, top);
        SOURCE.push(lua);
        Lua.rawGet(lua, top);
        if (Lua.type(lua, -1) == Lua.STRING && Lua.type(lua, -2) == Lua.NUMBER) {
            message.appendAscii(" script: " + script.name() + ", on ");
            append(lua, -1);
            message.appendAscii(":");
            append(lua, -2);
            message.appendAscii(".");
        }
        Lua.setTop(lua, top);
    }

    private boolean append(final long lua, final int index) {
        final long address = text.address(lua, index);
        if (address == 0) {
            return false;
        }
        message.append(address, text.length());
        return true;
    }
}
