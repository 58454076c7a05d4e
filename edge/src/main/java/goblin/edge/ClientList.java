// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.pubsub.Kind;
import goblin.resp.Arguments;
import goblin.resp.Decimal;
import goblin.resp.ErrorTexts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** CLIENT LIST and CLIENT INFO: the edge's clients, with the names they gave themselves. */
final class ClientList {
    private static final int NOT_IN_MULTI = -1;

    private ClientList() {}

    static void info(final ClientSession client, final Arguments arguments) {
        answer(client, List.of(line(client)));
    }

    static void list(final ClientSession client, final Arguments arguments) {
        final int count = arguments.argumentCount();
        if (count == 2) {
            listAll(client, null);
        } else if (count == 4 && ForwardedCommands.isWord(arguments, 2, "TYPE")) {
            final String type = ClientCommands.text(arguments, 3);
            if (isType(type)) {
                listAll(client, type);
            } else {
                client.replyError("ERR Unknown client type '" + type + "'");
            }
        } else if (count > 3 && ForwardedCommands.isWord(arguments, 2, "ID")) {
            listSome(client, arguments);
        } else {
            client.replyError(ErrorTexts.SYNTAX);
        }
    }

    private static void listAll(final ClientSession client, final String type) {
        EveryLoop.ask(
                client,
                edge -> {
                    final Map<Long, String> lines = new TreeMap<>();
                    for (final ClientSession each : edge.clients().all()) {
                        if (type == null || isOfType(each, type)) {
                            lines.put(each.id(), line(each));
                        }
                    }
                    return lines;
                },
                answers -> answer(client, merged(answers).values()));
    }

    private static void listSome(final ClientSession client, final Arguments arguments) {
        final List<Long> ids = new ArrayList<>();
        for (int i = 3; i < arguments.argumentCount(); i++) {
            if (!Decimal.isLong(arguments.argument(i), arguments.argumentLength(i))) {
                client.replyError("ERR Invalid client ID");
                return;
            }
            ids.add(Decimal.toLong(arguments.argument(i), arguments.argumentLength(i)));
        }
        EveryLoop.ask(
                client,
                edge -> {
                    final Map<Long, String> lines = new TreeMap<>();
                    for (final long id : ids) {
                        final ClientSession found = edge.clients().find(id);
                        if (found != null) {
                            lines.put(id, line(found));
                        }
                    }
                    return lines;
                },
                answers -> {
                    final Map<Long, String> lines = merged(answers);
                    answer(
                            client,
                            ids.stream()
                                    .filter(lines::containsKey)
                                    .map(lines::get)
                                    .toList());
                });
    }

    private static Map<Long, String> merged(final List<Map<Long, String>> answers) {
        final Map<Long, String> all = new TreeMap<>();
        answers.forEach(all::putAll);
        return all;
    }

    static boolean isType(final String type) {
        return type.equalsIgnoreCase("normal")
                || type.equalsIgnoreCase("pubsub")
                || type.equalsIgnoreCase("master")
                || type.equalsIgnoreCase("replica")
                || type.equalsIgnoreCase("slave");
    }

    /** Whether a client is of a type that {@link #isType} accepts; an edge has no replicas. */
    static boolean isOfType(final ClientSession client, final String type) {
        return type.equalsIgnoreCase(client.names().total() > 0 ? "pubsub" : "normal");
    }

    private static void answer(final ClientSession client, final Collection<String> lines) {
        client.reply().verbatim("txt", String.join("", lines).getBytes(StandardCharsets.UTF_8));
        client.sendReply();
    }

    private static String line(final ClientSession client) {
        final StringBuilder text = new StringBuilder();
        final ClientAttributes attributes = client.attributes();
        final long nowNs = client.edge().nowNs();
        field(text, "id", client.id());
        field(text, "addr", client.connection().peerName());
        field(text, "laddr", client.connection().localName());
        field(text, "fd", client.connection().descriptor());
        field(text, "name", attributes.nameText());
        field(text, "age", attributes.ageSeconds(nowNs));
        field(text, "idle", attributes.idleSeconds(nowNs));
        field(text, "flags", flags(client));
        field(text, "db", 0);
        field(text, "sub", client.names().count(Kind.CHANNEL));
        field(text, "psub", client.names().count(Kind.PATTERN));
        field(text, "ssub", client.names().count(Kind.SHARD));
        field(text, "multi", client.transaction().isOpen() ? 0 : NOT_IN_MULTI);
        field(text, "oll", client.output().isEmpty() ? 0 : 1);
        field(text, "omem", client.output().bytes());
        field(text, "cmd", attributes.lastCommandName());
        field(text, "user", attributes.user());
        field(text, "resp", client.protocol());
        field(text, "lib-name", attributes.libraryNameText());
        field(text, "lib-ver", attributes.libraryVersionText());
        text.setCharAt(text.length() - 1, '\n');
        return text.toString();
    }

    private static String flags(final ClientSession client) {
        final StringBuilder flags = new StringBuilder();
        if (client.names().total() > 0) {
            flags.append('P');
        }
        if (client.transaction().isOpen()) {
            flags.append('x');
        }
        if (client.sequencer().blocking() > 0) {
            flags.append('b');
        }
        if (client.attributes().noEvict()) {
            flags.append('e');
        }
        if (client.attributes().noTouch()) {
            flags.append('T');
        }
        return flags.isEmpty() ? "N" : flags.toString();
    }

    private static void field(final StringBuilder text, final String name, final Object value) {
        text.append(name).append('=').append(value).append(' ');
    }
}
