// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.LOADING;
import static goblin.host.command.Flag.NOSCRIPT;
import static goblin.host.command.Flag.STALE;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** CLIENT: what clients say about themselves and about each other. Tracking is in {@link TrackingCommands}. */
final class ClientCommands {
    static final String BAD_NAME = "ERR Client names cannot contain spaces, newlines or special characters.";

    private ClientCommands() {}

    static void register(final CommandTable table) {
        final CommandSpec client = table.add("client", -2, ClientCommands::help).group("connection", "2.4.0");
        final Flag[] usual = {NOSCRIPT, LOADING, STALE};
        client.sub("id", 2, call -> call.reply().integer(call.client().id()), usual);
        client.sub("getname", 2, ClientCommands::getName, usual);
        client.sub("setname", 3, ClientCommands::setName, usual);
        client.sub("setinfo", 4, ClientCommands::setInfo, usual);
        client.sub("info", 2, ClientCommands::info, usual);
        client.sub("list", -2, ClientCommands::list, Flag.ADMIN, NOSCRIPT, LOADING, STALE);
        client.sub("kill", -3, ClientKill::kill, Flag.ADMIN, NOSCRIPT, LOADING, STALE);
        client.sub("reply", 3, ClientCommands::reply, usual);
        client.sub("unblock", -3, ClientCommands::unblock, Flag.ADMIN, NOSCRIPT, LOADING, STALE);
        client.sub("pause", -3, ClientCommands::pause, Flag.ADMIN, NOSCRIPT, LOADING, STALE);
        client.sub("unpause", 2, ClientCommands::unpause, Flag.ADMIN, NOSCRIPT, LOADING, STALE);
        client.sub("no-evict", 3, ClientCommands::noEvict, Flag.ADMIN, NOSCRIPT, LOADING, STALE);
        client.sub("no-touch", 3, ClientCommands::noTouch, usual);
        client.sub("help", 2, ClientCommands::help, LOADING, STALE);
        TrackingCommands.register(client, usual);
    }

    static boolean isName(final byte[] name) {
        for (final byte b : name) {
            if (b < '!' || b > '~') {
                return false;
            }
        }
        return true;
    }

    private static void getName(final Call call) {
        final byte[] name = call.client().name();
        if (name.length == 0) {
            call.reply().nullBulk();
        } else {
            call.reply().bulk(name);
        }
    }

    private static void setName(final Call call) {
        final byte[] name = call.bytes(2);
        if (!isName(name)) {
            call.error(BAD_NAME);
            return;
        }
        call.client().setName(name);
        call.reply().ok();
    }

    private static void setInfo(final Call call) {
        final boolean isName = call.is(2, "LIB-NAME");
        if (!isName && !call.is(2, "LIB-VER")) {
            call.error("ERR Unrecognized option '" + call.args().text(2) + "'");
            return;
        }
        if (!isName(call.bytes(3))) {
            call.error("ERR " + call.args().text(2).toLowerCase(Locale.ROOT)
                    + " cannot contain spaces, newlines or special characters.");
            return;
        }
        if (isName) {
            call.client().setLibraryName(call.args().text(3));
        } else {
            call.client().setLibraryVersion(call.args().text(3));
        }
        call.reply().ok();
    }

    private static void info(final Call call) {
        final String line = ClientLine.of(call.server(), call.client()) + "\n";
        call.reply().verbatim("txt", line.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void list(final Call call) {
        final List<Client> clients = new ArrayList<>();
        if (call.count() == 4 && call.is(2, "TYPE")) {
            final String type = call.args().text(3).toLowerCase(Locale.ROOT);
            if (!ClientLine.isType(type)) {
                call.error("ERR Unknown client type '" + call.args().text(3) + "'");
                return;
            }
            for (final Client client : call.server().clients().all()) {
                if (ClientLine.type(client).equals(type)) {
                    clients.add(client);
                }
            }
        } else if (call.count() > 3 && call.is(2, "ID")) {
            for (int i = 3; i < call.count(); i++) {
                if (!call.args().parseLong(i)) {
                    call.error("ERR Invalid client ID");
                    return;
                }
                final Client client = call.server().clients().find(call.parsed());
                if (client != null) {
                    clients.add(client);
                }
            }
        } else if (call.count() == 2) {
            clients.addAll(call.server().clients().all());
        } else {
            call.syntaxError();
            return;
        }
        final StringBuilder text = new StringBuilder();
        for (final Client client : clients) {
            text.append(ClientLine.of(call.server(), client)).append('\n');
        }
        call.reply().verbatim("txt", text.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void reply(final Call call) {
        final Client client = call.client();
        if (call.is(2, "ON")) {
            if (client.isMuted()) {
                client.replyMode = Client.ReplyMode.ON;
                call.server().dispatcher().answer(client, one -> one.ok());
            } else {
                call.reply().ok();
            }
        } else if (call.is(2, "OFF")) {
            client.replyMode = Client.ReplyMode.OFF;
        } else if (call.is(2, "SKIP")) {
            if (client.replyMode != Client.ReplyMode.OFF) {
                client.replyMode = Client.ReplyMode.SKIP_NEXT;
            }
        } else {
            call.syntaxError();
        }
    }

    private static void unblock(final Call call) {
        boolean withError = false;
        if (call.count() == 4) {
            if (call.is(3, "ERROR")) {
                withError = true;
            } else if (!call.is(3, "TIMEOUT")) {
                call.error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
                return;
            }
        } else if (call.count() > 4) {
            call.syntaxError();
            return;
        }
        if (!call.integer(2)) {
            return;
        }
        final Client client = call.server().clients().find(call.parsed());
        final boolean done = client != null && call.server().blocked().unblock(client, withError);
        call.reply().integer(done ? 1 : 0);
    }

    private static void pause(final Call call) {
        boolean onlyWrites = false;
        if (call.count() == 4 && call.is(3, "WRITE")) {
            onlyWrites = true;
        } else if (call.count() > 4 || (call.count() == 4 && !call.is(3, "ALL"))) {
            call.error("ERR CLIENT PAUSE mode must be WRITE or ALL");
            return;
        }
        if (!call.args().parseLong(2)) {
            call.error("ERR timeout is not an integer or out of range");
            return;
        }
        if (call.parsed() < 0) {
            call.error("ERR timeout is negative");
            return;
        }
        if (call.parsed() > Long.MAX_VALUE - call.nowMs()) {
            call.error("ERR timeout is out of range");
            return;
        }
        call.server().surroundings().pause(call.nowMs() + call.parsed(), onlyWrites);
        call.reply().ok();
    }

    private static void unpause(final Call call) {
        call.server().surroundings().unpause();
        call.reply().ok();
    }

    private static void noEvict(final Call call) {
        if (call.is(2, "ON") || call.is(2, "OFF")) {
            call.client().noEvict = call.is(2, "ON");
            call.reply().ok();
        } else {
            call.syntaxError();
        }
    }

    private static void noTouch(final Call call) {
        if (call.is(2, "ON") || call.is(2, "OFF")) {
            call.client().noTouch = call.is(2, "ON");
            call.reply().ok();
        } else {
            call.syntaxError();
        }
    }

    private static void help(final Call call) {
        Help.answer(
                call,
                "CACHING (YES|NO)",
                "    Enable/disable tracking of the keys for next command in OPTIN/OPTOUT modes.",
                "GETNAME, SETNAME <name>, SETINFO (LIB-NAME|LIB-VER) <value>",
                "    What a connection calls itself.",
                "GETREDIR, TRACKING (ON|OFF) [options], TRACKINGINFO",
                "    Client-side caching.",
                "ID, INFO, LIST [TYPE <type>] [ID <id> ...]",
                "    About connections.",
                "KILL <ip:port> | [ID|TYPE|ADDR|LADDR|USER|SKIPME <value> ...]",
                "    Close connections.",
                "NO-EVICT (ON|OFF), NO-TOUCH (ON|OFF), REPLY (ON|OFF|SKIP)",
                "    Modes of this connection.",
                "PAUSE <milliseconds> [WRITE|ALL], UNPAUSE, UNBLOCK <id> [TIMEOUT|ERROR]",
                "    Hold connections back and let them go on.");
    }
}
