// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;

/** Moves short texts and the addresses of strings between Java and Lua. */
final class LuaText {
    private final NativeBuffer scratch = new NativeBuffer();
    private final long lengthAt = Memory.allocate(Long.BYTES);

    /** Pushes a text, one byte for each character. */
    void push(final long lua, final String text) {
        scratch.clear();
        scratch.append(text.getBytes(ISO_8859_1));
        Lua.pushString(lua, scratch.address(), scratch.length());
    }

    /** Where the string at an index begins, valid while it is on the stack; a number there is turned into a string. */
    long address(final long lua, final int index) {
        return Lua.toString(lua, index, lengthAt);
    }

    /** The length of the string whose {@link #address} was asked for last. */
    long length() {
        return Memory.getLong(lengthAt);
    }

    /** A copy of the string at an index, one character for each byte; null when it is neither string nor number. */
    String get(final long lua, final int index) {
        final long address = address(lua, index);
        return address == 0 ? null : new String(Memory.toBytes(address, Math.toIntExact(length())), ISO_8859_1);
    }

    void free() {
        scratch.free();
        Memory.free(lengthAt);
    }
}
