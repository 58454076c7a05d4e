// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.edge.EdgeCommand.Handler;
import goblin.edge.EdgeCommand.InMulti;
import goblin.edge.EdgeCommand.Kind;
import goblin.net.linux.Memory;
import goblin.resp.Arguments;
import goblin.resp.ErrorTexts;
import goblin.resp.HelloRequest;
import java.nio.charset.StandardCharsets;

/** CLIENT: what concerns the connection is served here, client-side caching and UNBLOCK go to the host. */
final class ClientCommands {

    /** A name is kept per client and shown in every CLIENT LIST. */
    static final int LONGEST_NAME = 64 * 1024;

    private ClientCommands() {}

    /** The row of CLIENT with its subcommands. */
    static EdgeCommand client() {
        final EdgeCommandFamily family = new EdgeCommandFamily(null)
                .add("id", local("id", 2, (client, arguments) -> client.replyInteger(client.id())))
                .add("setname", local("setname", 3, ClientCommands::setName))
                .add("getname", local("getname", 2, ClientCommands::getName))
                .add("setinfo", local("setinfo", 4, ClientCommands::setInfo))
                .add("info", local("info", 2, ClientList::info))
                .add("list", local("list", -2, ClientList::list))
                .add("kill", local("kill", -3, ClientKill::kill))
                .add("reply", local("reply", 3, ClientCommands::replyMode))
                .add("no-evict", local("no-evict", 3, ClientCommands::noEvict))
                .add("no-touch", local("no-touch", 3, ClientCommands::noTouch))
                .add("unblock", forwarded("unblock", InMulti.REFUSE, ForwardedCommands::unblock))
                .add("tracking", forwarded("tracking", InMulti.QUEUE, ForwardedCommands::tracking))
                .add("caching", forwarded("caching", InMulti.QUEUE, null))
                .add("trackinginfo", forwarded("trackinginfo", InMulti.QUEUE, null))
                .add("getredir", forwarded("getredir", InMulti.QUEUE, null));
        return new EdgeCommand("client", Kind.LOCAL, -2, 0, InMulti.REFUSE, ClientCommands::unknown).family(family);
    }

    private static EdgeCommand local(final String name, final int arity, final Handler handler) {
        return new EdgeCommand("client|" + name, Kind.LOCAL, arity, 0, InMulti.REFUSE, handler);
    }

    private static EdgeCommand forwarded(final String name, final InMulti inMulti, final Handler handler) {
        return new EdgeCommand("client|" + name, Kind.FORWARD, -2, 0, inMulti, handler);
    }

    private static void unknown(final ClientSession client, final Arguments arguments) {
        client.replyError(ErrorTexts.unknownSubcommand(arguments, "CLIENT"));
    }

    private static void setName(final ClientSession client, final Arguments arguments) {
        if (!isPrintable(arguments, 2)) {
            client.replyError(ErrorTexts.CLIENT_NAME);
            return;
        }
        client.attributes().name(Memory.toBytes(arguments.argument(2), arguments.argumentLength(2)));
        client.replyOk();
    }

    private static void getName(final ClientSession client, final Arguments arguments) {
        final byte[] name = client.attributes().name();
        if (name.length == 0) {
            client.reply().nullBulk();
        } else {
            client.reply().bulk(name);
        }
        client.sendReply();
    }

    private static void setInfo(final ClientSession client, final Arguments arguments) {
        final boolean libraryName = ForwardedCommands.isWord(arguments, 2, "LIB-NAME");
        if (!libraryName && !ForwardedCommands.isWord(arguments, 2, "LIB-VER")) {
            client.replyError("ERR Unrecognized option '" + text(arguments, 2) + "'");
            return;
        }
        if (!isPrintable(arguments, 3)) {
            client.replyError("ERR " + (libraryName ? "lib-name" : "lib-ver")
                    + " cannot contain spaces, newlines or special characters.");
            return;
        }
        final byte[] value = Memory.toBytes(arguments.argument(3), arguments.argumentLength(3));
        if (libraryName) {
            client.attributes().libraryName(value);
        } else {
            client.attributes().libraryVersion(value);
        }
        client.replyOk();
    }

    private static void replyMode(final ClientSession client, final Arguments arguments) {
        if (ForwardedCommands.isWord(arguments, 2, "ON")) {
            client.replyMode().set(false, false);
            client.replyOk();
        } else if (ForwardedCommands.isWord(arguments, 2, "OFF")) {
            client.replyMode().set(true, false);
        } else if (ForwardedCommands.isWord(arguments, 2, "SKIP")) {
            client.replyMode().set(client.replyMode().isOff(), true);
        } else {
            client.replyError(ErrorTexts.SYNTAX);
        }
    }

    private static void noEvict(final ClientSession client, final Arguments arguments) {
        if (isOnOff(client, arguments)) {
            client.attributes().noEvict(ForwardedCommands.isWord(arguments, 2, "ON"));
            client.replyOk();
        }
    }

    private static void noTouch(final ClientSession client, final Arguments arguments) {
        if (isOnOff(client, arguments)) {
            client.attributes().noTouch(ForwardedCommands.isWord(arguments, 2, "ON"));
            client.replyOk();
        }
    }

    private static boolean isOnOff(final ClientSession client, final Arguments arguments) {
        if (ForwardedCommands.isWord(arguments, 2, "ON") || ForwardedCommands.isWord(arguments, 2, "OFF")) {
            return true;
        }
        client.replyError(ErrorTexts.SYNTAX);
        return false;
    }

    private static boolean isPrintable(final Arguments arguments, final int index) {
        return arguments.argumentLength(index) <= LONGEST_NAME
                && HelloRequest.isClientName(arguments.argument(index), arguments.argumentLength(index));
    }

    static String text(final Arguments arguments, final int index) {
        final int most = 128;
        return new String(
                Memory.toBytes(arguments.argument(index), Math.min(most, arguments.argumentLength(index))),
                StandardCharsets.UTF_8);
    }
}
