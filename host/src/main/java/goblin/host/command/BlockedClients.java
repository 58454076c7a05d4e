// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.keyspace.Entry;
import java.util.Comparator;
import java.util.TreeSet;

/** The clients whose command waits: their deadlines, and how they go on. */
public final class BlockedClients {
    private final Server server;
    private final TreeSet<Client> deadlines =
            new TreeSet<>(Comparator.<Client>comparingLong(client -> client.blocked.deadlineMs)
                    .thenComparingLong(Client::id));
    private KeyWaiters waiters = new NoWaiters();
    private int count;

    BlockedClients(final Server server) {
        this.server = server;
    }

    /** A waiting command: everything that is needed to run it again. */
    static final class Blocked {
        final CommandSpec spec;
        final Arguments args;
        final Waiting waiting;
        final long deadlineMs;

        Blocked(final CommandSpec spec, final Arguments args, final Waiting waiting, final long deadlineMs) {
            this.spec = spec;
            this.args = args;
            this.waiting = waiting;
            this.deadlineMs = deadlineMs;
        }
    }

    /**
     * Names who serves waiting clients; for wiring at start.
     *
     * @param keyWaiters the registry of waiting clients
     */
    public void serveWith(final KeyWaiters keyWaiters) {
        this.waiters = keyWaiters;
    }

    /**
     * The registry of waiting clients.
     *
     * @return never null
     */
    public KeyWaiters waiters() {
        return waiters;
    }

    /**
     * Makes the calling client wait. The command writes no reply; it is run again by {@link #reexecute}. A command that
     * was run again and finds nothing calls this again and keeps its deadline.
     *
     * @param call       the running command; {@link Call#mayBlock} is true
     * @param waiting    the queues it is in
     * @param deadlineMs milliseconds since 1970, 0 to wait for ever
     * @return false when the command was already waiting and goes on to do so
     */
    public boolean block(final Call call, final Waiting waiting, final long deadlineMs) {
        final Client client = call.client();
        if (call.reexecuted) {
            client.stillBlocked = true;
            return false;
        }
        client.blocked = new Blocked(call.spec(), call.args().copy(), waiting, deadlineMs);
        client.hold();
        count++;
        if (deadlineMs != 0) {
            deadlines.add(client);
        }
        return true;
    }

    /**
     * Runs a waiting client's command again.
     *
     * @param client a blocked client
     * @return true when it was answered and is free; false when it waits on
     */
    public boolean reexecute(final Client client) {
        final Blocked blocked = client.blocked;
        client.stillBlocked = false;
        server.dispatcher().reexecute(client, blocked.spec, blocked.args);
        if (client.stillBlocked || client.blocked != blocked) {
            if (client.stillBlocked && !client.isOpen()) {
                leave(client);
            }
            return !client.stillBlocked;
        }
        forget(client);
        client.release();
        return true;
    }

    /**
     * Ends a wait as at its timeout ({@code CLIENT UNBLOCK}).
     *
     * @param client    any client
     * @param withError answers {@code UNBLOCKED …} instead
     * @return false when it does not wait
     */
    public boolean unblock(final Client client, final boolean withError) {
        final Blocked blocked = client.blocked;
        if (blocked == null) {
            return false;
        }
        forget(client);
        server.dispatcher().answer(client, reply -> {
            if (withError) {
                reply.error("UNBLOCKED client unblocked via CLIENT UNBLOCK");
            } else {
                blocked.waiting.answerTimeout(reply);
            }
        });
        client.release();
        return true;
    }

    /**
     * The client leaves: it is served nothing any more.
     *
     * @param client any client
     */
    public void leave(final Client client) {
        if (client.blocked != null) {
            forget(client);
            client.release();
        }
    }

    private void forget(final Client client) {
        final Blocked blocked = client.blocked;
        if (blocked.deadlineMs != 0) {
            deadlines.remove(client);
        }
        blocked.waiting.unlink(client);
        blocked.args.free();
        client.blocked = null;
        count--;
    }

    /**
     * Ends the waits whose time is over.
     *
     * @param nowMs milliseconds since 1970
     */
    public void expire(final long nowMs) {
        while (!deadlines.isEmpty() && deadlines.first().blocked.deadlineMs <= nowMs) {
            unblock(deadlines.first(), false);
        }
    }

    /**
     * When {@link #expire} has something to do.
     *
     * @return milliseconds since 1970, {@link Long#MAX_VALUE} when nothing is due ever
     */
    public long nextDeadlineMs() {
        return deadlines.isEmpty() ? Long.MAX_VALUE : deadlines.first().blocked.deadlineMs;
    }

    /**
     * Clients that wait.
     *
     * @return 0 or more
     */
    public int count() {
        return count;
    }

    /** Before a blocking family is there. */
    private static final class NoWaiters implements KeyWaiters {
        @Override
        public void onAdded(final Entry entry) {}

        @Override
        public boolean hasReady() {
            return false;
        }

        @Override
        public void serve() {}
    }
}
