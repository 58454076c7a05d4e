// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import goblin.net.Connection;

/** Sends the first bytes of a {@link ByteRuler}, as fast as the connection takes them. */
final class RulerSender {
    private final ByteRuler ruler;
    private final long total;
    private final boolean endAfter;
    private long sent;
    private long shortSends;

    RulerSender(final ByteRuler ruler, final long total, final boolean endAfter) {
        this.ruler = ruler;
        this.total = total;
        this.endAfter = endAfter;
    }

    /** Sends until the connection takes less than it is given. To be called again when it is writable. */
    void go(final Connection connection) {
        while (sent < total) {
            final long run = Math.min(total - sent, ByteRuler.MAX_RUN);
            final long taken = connection.send(ruler.address(sent), run);
            if (taken < 0) {
                return;
            }
            sent += taken;
            if (taken < run) {
                shortSends++;
                return;
            }
        }
        if (endAfter) {
            connection.shutdownSend();
        }
    }

    long sent() {
        return sent;
    }

    boolean isDone() {
        return sent == total;
    }

    long shortSends() {
        return shortSends;
    }
}
