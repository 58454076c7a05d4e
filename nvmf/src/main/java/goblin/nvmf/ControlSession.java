// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.NativeBuffer;
import goblin.net.ReceiveSegment;
import goblin.net.Timer;
import goblin.net.linux.Memory;
import java.nio.charset.StandardCharsets;

/**
 * One client of the control socket: its line, then its reply. It has a while to send the line, and as long to take the
 * reply. On the control loop.
 */
final class ControlSession implements ConnectionHandler {
    private static final int LONGEST_LINE = 64 << 10;
    private static final long LINGER_NS = 1_000_000_000L;

    private final ControlServer server;
    private final Connection connection;
    private final Timer patience;
    private final NativeBuffer input = new NativeBuffer();
    private final NativeBuffer output = new NativeBuffer();
    private boolean asked;
    private boolean replied;
    private boolean over;

    ControlSession(final ControlServer server, final Connection connection) {
        this.server = server;
        this.connection = connection;
        patience = server.loop().newTimer(this::end);
        patience.arm(server.giveUpNs());
    }

    @Override
    public void onReceive(final Connection from, final ReceiveSegment segment) {
        if (asked || over) {
            return;
        }
        input.append(segment.address(), segment.length());
        final long end = Memory.indexOf(input.address(), input.length(), (byte) '\n');
        if (end >= 0) {
            asked = true;
            patience.cancel();
            input.truncate(end);
            // Lines of people may end in spaces, those of some programs in CR.
            server.run(new String(input.toBytes(), StandardCharsets.UTF_8).strip(), this);
        } else if (input.length() > LONGEST_LINE) {
            end();
        }
    }

    @Override
    public void onEndOfStream(final Connection from) {
        if (asked || over) {
            return;
        }
        asked = true;
        if (input.isEmpty()) {
            end();
        } else {
            // It may have been cut anywhere: NSID 1 of 12.
            reply("error: the line has no end, so nothing was done\n");
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
        if (!over) {
            output.appendUtf8(text);
            replied = true;
            patience.arm(server.giveUpNs());
            flush();
        }
    }

    private void flush() {
        while (!over && !output.isEmpty()) {
            final long taken = connection.send(output.address(), output.length());
            if (taken <= 0) {
                return;
            }
            output.consume(taken);
        }
        if (!over && replied) {
            connection.finish(LINGER_NS);
            release();
        }
    }

    private void end() {
        connection.close();
        release();
    }

    private void release() {
        if (!over) {
            over = true;
            patience.cancel();
            input.free();
            output.free();
            server.left();
        }
    }
}
