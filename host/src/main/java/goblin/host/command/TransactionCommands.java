// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.ALLOW_BUSY;
import static goblin.host.command.Flag.FAST;
import static goblin.host.command.Flag.IMMEDIATE;
import static goblin.host.command.Flag.LOADING;
import static goblin.host.command.Flag.NOSCRIPT;
import static goblin.host.command.Flag.NO_MULTI;
import static goblin.host.command.Flag.SKIP_SLOWLOG;
import static goblin.host.command.Flag.STALE;

/** MULTI, EXEC, DISCARD, WATCH, UNWATCH. */
final class TransactionCommands {
    private static final String GROUP = "transactions";

    private TransactionCommands() {}

    static void register(final CommandTable table) {
        table.add("multi", 1, TransactionCommands::multi, NOSCRIPT, LOADING, STALE, FAST, ALLOW_BUSY, NO_MULTI)
                .group(GROUP, "1.2.0");
        table.add("exec", 1, TransactionCommands::exec, NOSCRIPT, LOADING, STALE, SKIP_SLOWLOG, IMMEDIATE)
                .group(GROUP, "1.2.0");
        table.add("discard", 1, TransactionCommands::discard, NOSCRIPT, LOADING, STALE, FAST, ALLOW_BUSY, IMMEDIATE)
                .group(GROUP, "2.0.0");
        table.add("watch", -2, TransactionCommands::watch, NOSCRIPT, LOADING, STALE, FAST, ALLOW_BUSY, NO_MULTI)
                .keys(1, -1, 1)
                .group(GROUP, "2.2.0");
        table.add("unwatch", 1, TransactionCommands::unwatch, NOSCRIPT, LOADING, STALE, FAST, ALLOW_BUSY)
                .group(GROUP, "2.2.0");
    }

    private static void multi(final Call call) {
        call.client().transaction = new Transaction();
        call.reply().ok();
    }

    private static void exec(final Call call) {
        final Client client = call.client();
        final Transaction transaction = client.transaction;
        if (transaction == null) {
            call.error("ERR EXEC without MULTI");
            return;
        }
        final Dispatcher dispatcher = call.server().dispatcher();
        if (transaction.isRefused()) {
            dispatcher.discard(client);
            call.error("EXECABORT Transaction discarded because of previous errors.");
            return;
        }
        if (client.watchedKeyChanged || call.server().watches().anyExpired(client)) {
            dispatcher.discard(client);
            call.reply().nullArray();
            return;
        }
        // Unwatched first: the transaction's own writes are nobody's surprise.
        call.server().watches().unwatch(client);
        client.transaction = null;
        try {
            dispatcher.runQueued(call, transaction);
        } finally {
            transaction.free();
        }
    }

    private static void discard(final Call call) {
        if (call.client().transaction == null) {
            call.error("ERR DISCARD without MULTI");
            return;
        }
        call.server().dispatcher().discard(call.client());
        call.reply().ok();
    }

    private static void watch(final Call call) {
        for (int i = 1; i < call.count(); i++) {
            call.server().watches().watch(call.client(), call.bytes(i));
        }
        call.reply().ok();
    }

    private static void unwatch(final Call call) {
        call.server().watches().unwatch(call.client());
        call.reply().ok();
    }
}
