// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.resp.Arguments;
import goblin.resp.Decimal;
import goblin.resp.ErrorTexts;
import java.util.function.LongConsumer;

/** CLIENT KILL, in the old form (an address) and with filters; every loop looks among its own clients. */
final class ClientKill {
    private String address;
    private String localAddress;
    private String type;
    private String user;
    private long id;
    private boolean skipMe = true;

    private ClientKill() {}

    static void kill(final ClientSession client, final Arguments arguments) {
        final ClientKill filter = new ClientKill();
        if (arguments.argumentCount() == 3) {
            filter.address = ClientCommands.text(arguments, 2);
            filter.skipMe = false;
            filter.kill(client, killed -> {
                if (killed == 0) {
                    client.replyError("ERR No such client");
                } else {
                    client.replyOk();
                }
            });
            return;
        }
        final String error = filter.parse(arguments);
        if (error != null) {
            client.replyError(error);
            return;
        }
        filter.kill(client, client::replyInteger);
    }

    private void kill(final ClientSession self, final LongConsumer answer) {
        final long own = self.id();
        EveryLoop.ask(self, edge -> killMatches(edge, own), counts -> {
            answer.accept(counts.stream().mapToLong(Long::longValue).sum());
            if (!skipMe && matches(self)) {
                self.quit();
            }
        });
    }

    private String parse(final Arguments arguments) {
        if (arguments.argumentCount() % 2 != 0) {
            return ErrorTexts.SYNTAX;
        }
        for (int i = 2; i < arguments.argumentCount(); i += 2) {
            final String value = ClientCommands.text(arguments, i + 1);
            if (ForwardedCommands.isWord(arguments, i, "ID")) {
                if (!Decimal.isLong(arguments.argument(i + 1), arguments.argumentLength(i + 1))
                        || (id = Decimal.toLong(arguments.argument(i + 1), arguments.argumentLength(i + 1))) < 1) {
                    return "ERR client-id should be greater than 0";
                }
            } else if (ForwardedCommands.isWord(arguments, i, "ADDR")) {
                address = value;
            } else if (ForwardedCommands.isWord(arguments, i, "LADDR")) {
                localAddress = value;
            } else if (ForwardedCommands.isWord(arguments, i, "TYPE")) {
                if (!ClientList.isType(value)) {
                    return "ERR Unknown client type '" + value + "'";
                }
                type = value;
            } else if (ForwardedCommands.isWord(arguments, i, "USER")) {
                user = value;
            } else if (ForwardedCommands.isWord(arguments, i, "SKIPME")) {
                if (!value.equalsIgnoreCase("yes") && !value.equalsIgnoreCase("no")) {
                    return ErrorTexts.SYNTAX;
                }
                skipMe = value.equalsIgnoreCase("yes");
            } else {
                return ErrorTexts.SYNTAX;
            }
        }
        return null;
    }

    private long killMatches(final Edge edge, final long self) {
        long killed = 0;
        for (final ClientSession each : edge.clients().all()) {
            if (each.isGone() || !matches(each) || (each.id() == self && skipMe)) {
                continue;
            }
            killed++;
            if (each.id() != self) {
                each.killed();
            }
        }
        return killed;
    }

    private boolean matches(final ClientSession client) {
        return (id == 0 || client.id() == id)
                && (address == null || client.connection().peerName().equals(address))
                && (localAddress == null || client.connection().localName().equals(localAddress))
                && (type == null || ClientList.isOfType(client, type))
                && (user == null || client.attributes().user().equals(user));
    }
}
