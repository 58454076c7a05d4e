// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import goblin.resp.Real;
import java.util.Arrays;

/**
 * {@code redis.call}: takes the arguments from Lua's stack where they are, runs the command, turns its reply into a Lua
 * value. Leaves a second value, true, when the reply is an error.
 */
final class CommandCalls implements LuaFunction {
    /** Room for any number in decimal digits. */
    private static final int NUMBER_ROOM = 32;

    /** A reply buffer larger than this is not kept for the next call. */
    private static final long KEPT_REPLY = 64 * 1024;

    private final ScriptWatch watch;
    private final LuaText text;
    private final ReplyToLua conversion;
    private final NativeBuffer numbers = new NativeBuffer();
    private final NativeBuffer reply = new NativeBuffer();
    private long[] addresses = new long[16];
    private int[] lengths = new int[16];
    private int protocol = 2;

    CommandCalls(final ScriptWatch watch, final LuaText text, final LuaWork work) {
        this.watch = watch;
        this.text = text;
        conversion = new ReplyToLua(text, work);
    }

    /** The protocol in which the running script wants replies, 2 or 3. */
    int protocol() {
        return protocol;
    }

    void protocol(final int version) {
        protocol = version;
    }

    @Override
    public int call(final long lua) throws ScriptError {
        final int count = Lua.top(lua);
        if (count == 0) {
            throw new ScriptError("Please specify at least one argument for this redis.call() call");
        }
        arguments(lua, count);
        reply.clear();
        watch.host().call(addresses, lengths, count, reply, protocol);
        Lua.setTop(lua, 0);
        final boolean failed = Memory.getByte(reply.address()) == '-';
        conversion.push(lua, reply.address());
        if (reply.capacity() > KEPT_REPLY) {
            reply.free();
        }
        watch.tick(lua);
        if (failed) {
            Lua.pushBoolean(lua, 1);
            return 2;
        }
        return 1;
    }

    private void arguments(final long lua, final int count) throws ScriptError {
        if (count > addresses.length) {
            addresses = Arrays.copyOf(addresses, count * 2);
            lengths = Arrays.copyOf(lengths, count * 2);
        }
        numbers.clear();
        // All room at once: the digits must not move any more.
        numbers.ensure((long) count * NUMBER_ROOM);
        for (int i = 0; i < count; i++) {
            switch (Lua.type(lua, i + 1)) {
                case Lua.STRING -> {
                    addresses[i] = text.address(lua, i + 1);
                    lengths[i] = (int) text.length();
                }
                case Lua.NUMBER -> number(i, Lua.toNumber(lua, i + 1));
                default -> throw new ScriptError("Lua redis lib command arguments must be strings or integers");
            }
        }
    }

    /** Lua's own conversion would lose digits. */
    private void number(final int i, final double value) {
        final long start = numbers.length();
        if (value == (long) value && Math.abs(value) < 0x1p63 && (value != 0 || 1 / value > 0)) {
            numbers.appendDecimal((long) value);
        } else {
            numbers.append(Real.text(value).getBytes(ISO_8859_1));
        }
        addresses[i] = numbers.address() + start;
        lengths[i] = (int) (numbers.length() - start);
    }

    void free() {
        numbers.free();
        reply.free();
    }
}
