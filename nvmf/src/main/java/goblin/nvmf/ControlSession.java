// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.NativeBuffer;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import java.nio.charset.StandardCharsets;

/** One client of the control socket: its line, then its reply. On the control loop. */
final class ControlSession implements ConnectionHandler {
    private static final int LONGEST_LINE = 64 << 10;
    private static final long LINGER_NS = 1_000_000_000L;

    private final ControlServer server;
    private final NativeBuffer input = new NativeBuffer();
    private final NativeBuffer output = new NativeBuffer();
    private Connection connection;
    private boolean asked;

    ControlSession(final ControlServer server) {
        this.server = server;
    }

    @Override
    public void onReceive(final Connection from, final ReceiveSegment segment) {
        connection = from;
        if (asked) {
            return;
        }
        input.append(segment.address(), segment.length());
        final long end = Memory.indexOf(input.address(), input.length(), (byte) '\n');
        if (end >= 0) {
            asked = true;
            input.truncate(end);
            server.run(new String(input.toBytes(), StandardCharsets.UTF_8), this);
        } else if (input.length() > LONGEST_LINE) {
            from.close();
            release();
        }
    }

    @Override
    public void onEndOfStream(final Connection from) {
        if (!asked) {
            from.close();
            release();
        }
    }

    @Override
    public void onWritable(final Connection from) {
        flush();
    }

    @Override
    public void onClosed(final Connection from, final int errno) {
        release();
    }

    /** Sends the reply and ends; nothing when the client has gone. */
    void reply(final String text) {
        if (connection.isOpen()) {
            output.appendUtf8(text);
            flush();
        }
    }

    private void flush() {
        while (!output.isEmpty()) {
            final long taken = connection.send(output.address(), output.length());
            if (taken <= 0) {
                return;
            }
            output.consume(taken);
        }
        connection.finish(LINGER_NS);
        release();
    }

    private void release() {
        input.free();
        output.free();
    }
}
