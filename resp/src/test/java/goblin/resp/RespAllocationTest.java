// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import goblin.net.NativeBuffer;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

final class RespAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUND = 20_000;
    private static final int MOST_ROUNDS = 500;

    /** Runs rounds until one allocates nothing: before that, code is still being compiled. */
    private static void shouldSettleWithoutAllocating(final Runnable step) {
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && allocated != 0; round++) {
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUND; i++) {
                step.run();
            }
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocated).isZero();
    }

    @Test
    void shouldDecodeCommandsWithoutAllocating() {
        try (CommandDecoder decoder = new CommandDecoder(RespLimits.AUTHENTICATED);
                NativeBytes bytes = NativeBytes.of("*3¶$3¶SET¶$3¶key¶$5¶value¶*0¶PING one two¶")) {
            final NameTable<String> names = new NameTable<>();
            names.put("set", "set");
            names.put("ping", "ping");
            shouldSettleWithoutAllocating(() -> {
                long at = 0;
                // The first command comes in two pieces.
                decoder.decode(bytes.address(), 20);
                while (at < bytes.length()) {
                    if (decoder.decode(bytes.address() + at, bytes.length() - at) != CommandDecoder.COMMAND) {
                        throw new AssertionError();
                    }
                    at += decoder.consumed();
                    if (decoder.argumentCount() > 0
                            && names.get(decoder.argument(0), decoder.argumentLength(0)) == null) {
                        throw new AssertionError();
                    }
                }
            });
        }
    }

    @Test
    void shouldScanRepliesWithoutAllocating() {
        final ReplyScanner scanner = new ReplyScanner();
        try (NativeBytes bytes = NativeBytes.of("+OK¶:12345¶$5¶hello¶*2¶$1¶a¶_¶>2¶+x¶#t¶")) {
            shouldSettleWithoutAllocating(() -> {
                long at = 0;
                int frames = 0;
                while (at < bytes.length()) {
                    frames += scanner.scan(bytes.address() + at, Math.min(7, bytes.length() - at));
                    at += scanner.consumed();
                }
                if (frames != 5) {
                    throw new AssertionError();
                }
            });
        }
    }

    @Test
    void shouldWriteRepliesWithoutAllocating() {
        final NativeBuffer buffer = new NativeBuffer();
        final ReplyWriter writer = new ReplyWriter().wrap(buffer).protocol(3);
        try (NativeBytes bytes = NativeBytes.of("value")) {
            shouldSettleWithoutAllocating(() -> {
                buffer.clear();
                writer.ok();
                writer.map(2);
                writer.integer(123_456);
                writer.bulk(bytes.address(), bytes.length());
                writer.nullBulk();
                writer.bulkAscii("ascii");
                writer.bulkDecimal(-77);
                writer.error(ErrorTexts.SYNTAX);
            });
        }
        buffer.free();
    }
}
