// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.IdlePolicy;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.Transport;
import goblin.net.TransportCounter;
import goblin.nvmf.namespace.CompletionInbox;
import java.util.List;

/** A loop without sockets that a test turns by hand, with a clock of its own. */
final class HandLoop implements AutoCloseable {
    final EventLoop loop;
    final CompletionInbox inbox;
    /** Faults that a test expects; null when there may be none. */
    List<Throwable> faults;

    private long nowNs = 1_000_000_000_000L;

    HandLoop(final String name) {
        loop = new EventLoop(name, new NoNetwork(), IdlePolicy.SPIN, EventLoop.ANY_CPU, new FaultReporter() {
            @Override
            public void report(final String where, final Throwable fault) {
                if (faults == null) {
                    throw new AssertionError(where, fault);
                }
                faults.add(fault);
            }
        });
        inbox = new CompletionInbox(loop);
        turn();
    }

    /** Runs turns until there is nothing to do; the clock stands. */
    void turn() {
        while (loop.runOnce(nowNs) > 0) {
            Thread.onSpinWait();
        }
    }

    /** Moves the clock on and runs turns. */
    void advanceMs(final long milliseconds) {
        nowNs += milliseconds * 1_000_000;
        turn();
    }

    @Override
    public void close() {
        loop.close();
    }

    private static final class NoNetwork implements Transport {
        @Override
        public Listener listen(final Endpoint local, final ListenOptions options, final AcceptHandler handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Connection connect(final Endpoint remote, final ConnectionHandler handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int poll(final long nowNs) {
            return 0;
        }

        @Override
        public void await(final long timeoutNs) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int adopt(
                final int descriptor, final Endpoint remote, final Endpoint local, final AcceptHandler handler) {
            throw new UnsupportedOperationException("there are no sockets");
        }

        @Override
        public int wakeDescriptor() {
            throw new UnsupportedOperationException("nothing wakes it but its test");
        }

        @Override
        public void wake() {
            // The test turns the loop.
        }

        @Override
        public long lentBytes() {
            return 0;
        }

        @Override
        public long counter(final TransportCounter counter) {
            return 0;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
