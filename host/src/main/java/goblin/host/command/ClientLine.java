// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.pubsub.Kind;

/** One client as {@code CLIENT LIST} shows it. */
final class ClientLine {
    private ClientLine() {}

    static String type(final Client client) {
        return client.isSubscribed() ? "pubsub" : "normal";
    }

    static boolean isType(final String name) {
        return name.equals("normal")
                || name.equals("pubsub")
                || name.equals("master")
                || name.equals("replica")
                || name.equals("slave");
    }

    static String of(final Server server, final Client client) {
        final StringBuilder line = new StringBuilder();
        final long nowMs = server.nowMs();
        final Transaction transaction = client.transaction;
        line.append("id=").append(client.id());
        line.append(" addr=").append(client.peerName());
        line.append(" laddr=").append(client.localName());
        line.append(" fd=").append(client.descriptor());
        line.append(" name=").append(client.nameText());
        line.append(" age=").append((nowMs - client.createdMs()) / 1000);
        line.append(" idle=").append((nowMs - client.lastCommandMs) / 1000);
        line.append(" flags=").append(flags(client));
        line.append(" db=0");
        line.append(" sub=").append(client.subscriptions().count(Kind.CHANNEL));
        line.append(" psub=").append(client.subscriptions().count(Kind.PATTERN));
        line.append(" ssub=").append(client.subscriptions().count(Kind.SHARD));
        line.append(" multi=")
                .append(transaction == null ? -1 : transaction.queue().size());
        line.append(" watch=").append(client.watches.size());
        line.append(" qbuf=").append(client.pendingInput());
        line.append(" qbuf-free=0 argv-mem=0");
        line.append(" multi-mem=").append(transaction == null ? 0 : transaction.bytes());
        line.append(" rbs=0 rbp=0 obl=0 oll=0");
        line.append(" omem=").append(client.pendingBytes());
        line.append(" tot-mem=").append(client.pendingBytes() + client.pendingInput());
        line.append(" events=r");
        line.append(" cmd=").append(client.lastCommand == null ? "NULL" : client.lastCommand.fullName());
        line.append(" user=").append(client.user());
        line.append(" redir=").append(client.tracking.on ? client.tracking.redirect : -1);
        line.append(" resp=").append(client.protocol());
        line.append(" lib-name=").append(client.libraryName());
        line.append(" lib-ver=").append(client.libraryVersion());
        return line.toString();
    }

    private static String flags(final Client client) {
        final StringBuilder flags = new StringBuilder();
        append(flags, client.isSubscribed(), 'P');
        append(flags, client.inMulti(), 'x');
        append(flags, client.isBlocked(), 'b');
        append(flags, client.tracking.on, 't');
        append(flags, client.tracking.redirectBroken, 'R');
        append(flags, client.tracking.broadcast, 'B');
        append(flags, client.watchedKeyChanged, 'd');
        append(flags, !client.isOpen(), 'c');
        append(flags, client.noEvict, 'e');
        append(flags, client.noTouch, 'T');
        return flags.isEmpty() ? "N" : flags.toString();
    }

    private static void append(final StringBuilder flags, final boolean on, final char letter) {
        if (on) {
            flags.append(letter);
        }
    }
}
