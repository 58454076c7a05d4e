// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A constant text in native memory, ended by a zero byte, so that pushing it costs no Java object. */
final class LuaName {
    private final MemorySegment bytes;

    /**
     * Makes a constant that lives as long as the process.
     *
     * @param ascii the text
     */
    LuaName(final String ascii) {
        bytes = Arena.global().allocateFrom(ascii);
    }

    long address() {
        return bytes.address();
    }

    void push(final long lua) {
        Lua.pushString(lua, bytes.address(), bytes.byteSize() - 1);
    }
}
