// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import goblin.net.Connection;
import goblin.net.linux.Memory;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;

/** Bytes that were taken from a sender and not passed on yet: copies, and lent memory that is read as late as possible. */
final class HostileOutput {
    private static final int ROOM = 256 * 1024;

    private final ArrayDeque<Run> runs = new ArrayDeque<>();
    private long bytes;

    /** A run of bytes; the token, where there is one, goes back after it. */
    private static final class Run {
        private final boolean copied;
        private final long start;
        private final long length;
        private final boolean hasToken;
        private final long token;
        private long sent;

        private Run(
                final boolean copied, final long start, final long length, final boolean hasToken, final long token) {
            this.copied = copied;
            this.start = start;
            this.length = length;
            this.hasToken = hasToken;
            this.token = token;
        }
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    long room() {
        return Math.max(0, ROOM - bytes);
    }

    void copy(final long address, final long length) {
        final long block = Memory.allocate(length);
        Memory.copy(address, block, length);
        runs.add(new Run(true, block, length, false, 0));
        bytes += length;
    }

    void lend(final long address, final long length, final boolean hasToken, final long token) {
        runs.add(new Run(false, address, length, hasToken, token));
        bytes += length;
    }

    /** Passes on what the connection takes; returns the bytes, or {@link Connection#CLOSED}. */
    long flush(final Connection connection, final LongConsumer onToken) {
        long flushed = 0;
        while (!runs.isEmpty()) {
            final Run run = runs.peek();
            final long taken = connection.send(run.start + run.sent, run.length - run.sent);
            if (taken < 0) {
                return Connection.CLOSED;
            }
            run.sent += taken;
            bytes -= taken;
            flushed += taken;
            if (run.sent < run.length) {
                return flushed;
            }
            remove(onToken);
        }
        return flushed;
    }

    /** Forgets everything; tokens go back. */
    void clear(final LongConsumer onToken) {
        while (!runs.isEmpty()) {
            bytes -= runs.peek().length - runs.peek().sent;
            remove(onToken);
        }
    }

    private void remove(final LongConsumer onToken) {
        final Run run = runs.poll();
        if (run.copied) {
            Memory.free(run.start);
        }
        if (run.hasToken) {
            onToken.accept(run.token);
        }
    }
}
