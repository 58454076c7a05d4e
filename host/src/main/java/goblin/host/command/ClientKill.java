// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.util.ArrayList;
import java.util.Locale;
import java.util.function.Predicate;

/** CLIENT KILL, in the old form with an address and the new one with filters. */
final class ClientKill {
    private ClientKill() {}

    static void kill(final Call call) {
        if (call.count() == 3) {
            killAddress(call);
            return;
        }
        if ((call.count() & 1) != 0) {
            call.syntaxError();
            return;
        }
        boolean skipMe = true;
        Predicate<Client> wanted = _ -> true;
        for (int i = 2; i < call.count(); i += 2) {
            if (call.is(i, "SKIPME")) {
                if (!call.is(i + 1, "YES") && !call.is(i + 1, "NO")) {
                    call.syntaxError();
                    return;
                }
                skipMe = call.is(i + 1, "YES");
                continue;
            }
            final Predicate<Client> filter = filter(call, i);
            if (filter == null) {
                return;
            }
            wanted = wanted.and(filter);
        }
        long killed = 0;
        for (final Client client : new ArrayList<>(call.server().clients().all())) {
            if (wanted.test(client) && !(skipMe && client == call.client())) {
                end(call, client);
                killed++;
            }
        }
        call.reply().integer(killed);
    }

    private static Predicate<Client> filter(final Call call, final int option) {
        final String value = call.args().text(option + 1);
        if (call.is(option, "ID")) {
            if (!call.args().parseLong(option + 1) || call.parsed() < 1) {
                call.error("ERR client-id should be greater than 0");
                return null;
            }
            final long id = call.parsed();
            return client -> client.id() == id;
        }
        if (call.is(option, "ADDR")) {
            return client -> client.peerName().equals(value);
        }
        if (call.is(option, "LADDR")) {
            return client -> client.localName().equals(value);
        }
        if (call.is(option, "USER")) {
            return client -> client.user().equals(value);
        }
        if (call.is(option, "MAXAGE")) {
            if (!call.integer(option + 1)) {
                return null;
            }
            final long seconds = call.parsed();
            return client -> (call.nowMs() - client.createdMs()) / 1000 >= seconds;
        }
        if (call.is(option, "TYPE")) {
            final String type = value.toLowerCase(Locale.ROOT);
            if (!ClientLine.isType(type)) {
                call.error("ERR Unknown client type '" + value + "'");
                return null;
            }
            return client -> ClientLine.type(client).equals(type);
        }
        call.syntaxError();
        return null;
    }

    private static void killAddress(final Call call) {
        final String address = call.args().text(2);
        for (final Client client : call.server().clients().all()) {
            if (client.peerName().equals(address)) {
                end(call, client);
                call.reply().ok();
                return;
            }
        }
        call.error("ERR No such client");
    }

    private static void end(final Call call, final Client client) {
        if (client == call.client()) {
            client.closeAfterReply();
        } else {
            client.closeSoon(null);
        }
    }
}
