// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.resp.Arguments;
import goblin.resp.Decimal;
import goblin.resp.ErrorTexts;
import goblin.resp.ReplyWriter;

/** PING, ECHO, SELECT, QUIT, RESET and AUTH, served at the edge. */
final class ConnectionCommands {
    static final EdgeCommand.Handler SELECT = ConnectionCommands::select;

    private ConnectionCommands() {}

    static void ping(final ClientSession client, final Arguments arguments) {
        final int count = arguments.argumentCount();
        if (count > 2) {
            client.replyError(ErrorTexts.wrongNumberOfArguments("ping"));
            return;
        }
        final ReplyWriter reply = client.reply();
        if (client.protocol() == 2 && client.names().total() > 0) {
            reply.array(2);
            reply.bulkAscii("pong");
            reply.bulk(count == 2 ? arguments.argument(1) : 0, count == 2 ? arguments.argumentLength(1) : 0);
        } else if (count == 2) {
            reply.bulk(arguments.argument(1), arguments.argumentLength(1));
        } else {
            reply.simple("PONG");
        }
        client.sendReply();
    }

    static void echo(final ClientSession client, final Arguments arguments) {
        client.reply().bulk(arguments.argument(1), arguments.argumentLength(1));
        client.sendReply();
    }

    private static void select(final ClientSession client, final Arguments arguments) {
        if (!Decimal.isLong(arguments.argument(1), arguments.argumentLength(1))) {
            client.replyError(ErrorTexts.NOT_AN_INTEGER);
        } else if (selectsZero(arguments)) {
            client.replyOk();
        } else {
            client.replyError(ErrorTexts.DB_INDEX);
        }
    }

    /** There is one database. */
    static boolean selectsZero(final Arguments arguments) {
        return arguments.argumentCount() == 2
                && Decimal.isLong(arguments.argument(1), arguments.argumentLength(1))
                && Decimal.toLong(arguments.argument(1), arguments.argumentLength(1)) == 0;
    }

    static void quit(final ClientSession client, final Arguments arguments) {
        client.replyOk();
        client.quit();
    }

    /** Everything a client has said is forgotten; the reply waits until the host has forgotten its names too. */
    static void reset(final ClientSession client, final Arguments arguments) {
        final ReplySlot slot = client.sequencer().expect(SlotType.CONFIRM, 0, false);
        SubscriptionCommands.leaveAll(client, slot);
        client.reset();
        client.sequencer().confirmation(slot, client.edge().copyOfAscii("+RESET\r\n"));
        if (slot.changesLeft == 0) {
            client.answered(slot);
        }
    }

    static void auth(final ClientSession client, final Arguments arguments) {
        final int count = arguments.argumentCount();
        if (count > 3) {
            client.replyError(ErrorTexts.SYNTAX);
            return;
        }
        if (count == 2 && !client.edge().authentication().isRequired()) {
            client.replyError(ErrorTexts.AUTH_NOT_CONFIGURED);
            return;
        }
        final int password = count - 1;
        client.edge()
                .authentication()
                .check(
                        client,
                        arguments.argument(1),
                        count == 3 ? arguments.argumentLength(1) : -1,
                        arguments.argument(password),
                        arguments.argumentLength(password),
                        error -> {
                            if (error == null) {
                                client.replyOk();
                            } else {
                                client.replyError(error);
                            }
                        });
    }
}
