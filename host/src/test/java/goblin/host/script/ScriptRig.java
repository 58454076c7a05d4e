// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import goblin.resp.Arguments;
import goblin.resp.ReplyWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/** An engine and a server of few commands around it; texts hold one byte in each character. */
final class ScriptRig implements ScriptHost, AutoCloseable {
    static final String VERSION = "7.2.4";
    private static final long MEMORY = 64L * 1024 * 1024;

    final ScriptEngine engine;
    final List<List<String>> called = new ArrayList<>();
    final List<String> logged = new ArrayList<>();
    BooleanSupplier onPoll = () -> false;
    int polls;

    /** The reply of every command but ECHO and RAW. */
    String reply = "+OK\r\n";

    private final NativeBuffer out = new NativeBuffer();
    private final ReplyWriter writer = new ReplyWriter().wrap(out);

    ScriptRig() {
        this(MEMORY);
    }

    ScriptRig(final long memoryLimit) {
        engine = new ScriptEngine(memoryLimit, VERSION);
    }

    /** Runs a script as EVAL would and gives the raw reply. */
    String eval(final String script, final String... keys) {
        return eval(2, script, List.of(keys), List.of());
    }

    String eval(final int protocol, final String script, final List<String> keys, final List<String> arguments) {
        final byte[] body = script.getBytes(ISO_8859_1);
        final long address = Memory.allocate(body.length + 1L);
        Memory.copyIn(body, 0, address, body.length);
        out.clear();
        writer.protocol(protocol);
        final Script loaded = engine.load(address, body.length, false, writer);
        Memory.free(address);
        if (loaded != null) {
            run(loaded, keys, arguments);
        }
        return text();
    }

    private void run(final Script script, final List<String> keys, final List<String> arguments) {
        final List<String> all = new ArrayList<>(keys);
        all.addAll(arguments);
        final long[] addresses = new long[all.size()];
        final int[] lengths = new int[all.size()];
        for (int i = 0; i < lengths.length; i++) {
            final byte[] bytes = all.get(i).getBytes(ISO_8859_1);
            addresses[i] = Memory.allocate(bytes.length + 1L);
            lengths[i] = bytes.length;
            Memory.copyIn(bytes, 0, addresses[i], bytes.length);
        }
        engine.run(script, this, new Words(addresses, lengths), 0, keys.size(), writer);
        Arrays.stream(addresses).forEach(Memory::free);
    }

    /** Arguments as a decoder would show them. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Words(long[] addresses, int[] lengths) implements Arguments {
        @Override
        public int argumentCount() {
            return lengths.length;
        }

        @Override
        public long argument(final int index) {
            return addresses[index];
        }

        @Override
        public int argumentLength(final int index) {
            return lengths[index];
        }
    }

    Script load(final String script) {
        final byte[] body = script.getBytes(ISO_8859_1);
        final long address = Memory.allocate(body.length + 1L);
        Memory.copyIn(body, 0, address, body.length);
        out.clear();
        final Script loaded = engine.load(address, body.length, true, writer);
        Memory.free(address);
        return loaded;
    }

    Script find(final String name) {
        final byte[] digits = name.getBytes(ISO_8859_1);
        final long address = Memory.allocate(digits.length + 1L);
        Memory.copyIn(digits, 0, address, digits.length);
        final Script found = engine.find(address, digits.length);
        Memory.free(address);
        return found;
    }

    String text() {
        return new String(out.toBytes(), ISO_8859_1);
    }

    @Override
    public void call(
            final long[] addresses,
            final int[] lengths,
            final int count,
            final NativeBuffer buffer,
            final int protocol) {
        final List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(new String(Memory.toBytes(addresses[i], lengths[i]), ISO_8859_1));
        }
        called.add(words);
        switch (words.getFirst()) {
            case "ECHO" -> new ReplyWriter().wrap(buffer).bulk(addresses[1], lengths[1]);
            case "RAW" -> buffer.append(addresses[1], lengths[1]);
            case "PROTOCOL" -> new ReplyWriter().wrap(buffer).integer(protocol);
            default -> buffer.appendAscii(reply);
        }
    }

    @Override
    public boolean poll() {
        polls++;
        return onPoll.getAsBoolean();
    }

    @Override
    public void log(final int level, final long address, final int length) {
        logged.add(level + " " + new String(Memory.toBytes(address, length), ISO_8859_1));
    }

    @Override
    public void close() {
        engine.close();
        out.free();
    }
}
