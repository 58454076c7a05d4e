// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.FAST;
import static goblin.host.command.Flag.LOADING;
import static goblin.host.command.Flag.STALE;
import static goblin.host.command.Flag.SUBSCRIBED;

/** PING, ECHO, QUIT, SELECT. */
final class ConnectionCommands {
    private ConnectionCommands() {}

    static void register(final CommandTable table) {
        table.add("ping", -1, ConnectionCommands::ping, FAST, SUBSCRIBED).group("connection", "1.0.0");
        table.add("echo", 2, call -> call.bulk(1), LOADING, STALE, FAST).group("connection", "1.0.0");
        table.add(
                        "quit",
                        -1,
                        ConnectionCommands::quit,
                        LOADING,
                        STALE,
                        FAST,
                        SUBSCRIBED,
                        Flag.NOSCRIPT,
                        Flag.NO_AUTH,
                        Flag.ALLOW_BUSY,
                        Flag.IMMEDIATE)
                .group("connection", "1.0.0");
        for (final String name : new String[] {"post", "host:"}) {
            table.add(name, -1, ConnectionCommands::http, LOADING, STALE, Flag.NO_AUTH, Flag.NOSCRIPT, Flag.IMMEDIATE)
                    .group("connection", "3.2.7");
        }
        table.add("select", 2, ConnectionCommands::select, LOADING, STALE, FAST).group("connection", "1.0.0");
    }

    private static void ping(final Call call) {
        if (call.count() > 2) {
            call.wrongNumberOfArguments();
            return;
        }
        final Client client = call.client();
        if (client.protocol() == 2 && client.isSubscribed() && !call.fromScript()) {
            call.reply().array(2);
            call.reply().bulkAscii("pong");
            if (call.count() == 2) {
                call.bulk(1);
            } else {
                call.reply().bulkAscii("");
            }
        } else if (call.count() == 2) {
            call.bulk(1);
        } else {
            call.reply().simple("PONG");
        }
    }

    /** The first words of HTTP requests: somebody's browser is being made to talk to us. */
    private static void http(final Call call) {
        call.client()
                .closeSoon("client " + call.client().id() + " (" + call.client().peerName()
                        + ") disconnected: it sent an HTTP request");
    }

    private static void quit(final Call call) {
        call.reply().ok();
        call.client().closeAfterReply();
    }

    private static void select(final Call call) {
        if (!call.integer(1)) {
            return;
        }
        if (call.parsed() != 0) {
            call.error("ERR DB index is out of range");
            return;
        }
        call.reply().ok();
    }
}
