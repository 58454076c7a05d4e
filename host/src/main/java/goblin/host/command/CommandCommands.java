// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.LOADING;
import static goblin.host.command.Flag.STALE;

import goblin.net.NativeBuffer;
import goblin.pubsub.Glob;
import goblin.resp.ReplyWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** COMMAND: the table of commands as clients see it. */
final class CommandCommands {
    private CommandCommands() {}

    static void register(final CommandTable table) {
        final CommandSpec command =
                table.add("command", -1, CommandCommands::all, LOADING, STALE).group("server", "2.8.13");
        command.sub(
                "count",
                2,
                call -> call.reply().integer(call.server().table().all().size()),
                LOADING,
                STALE);
        command.sub("info", -2, CommandCommands::info, LOADING, STALE);
        command.sub("list", -2, CommandCommands::list, LOADING, STALE);
        command.sub("docs", -2, CommandCommands::docs, LOADING, STALE);
        command.sub("getkeys", -3, CommandCommands::getKeys, LOADING, STALE);
        command.sub("getkeysandflags", -3, CommandCommands::getKeysAndFlags, LOADING, STALE);
        command.sub("help", 2, CommandCommands::help, LOADING, STALE);
    }

    private static void all(final Call call) {
        final List<CommandSpec> all = call.server().table().all();
        call.reply().array(all.size());
        all.forEach(spec -> describe(call.reply(), spec));
    }

    private static void info(final Call call) {
        if (call.count() == 2) {
            all(call);
            return;
        }
        call.reply().array(call.count() - 2);
        for (int i = 2; i < call.count(); i++) {
            final CommandSpec spec = named(call, i);
            if (spec == null) {
                call.reply().nullArray();
            } else {
                describe(call.reply(), spec);
            }
        }
    }

    /** A command by its full name, such as {@code config|get}. */
    private static CommandSpec named(final Call call, final int index) {
        final String name = call.args().text(index).toLowerCase(Locale.ROOT);
        for (final CommandSpec spec : call.server().table().all()) {
            if (spec.fullName().equals(name)) {
                return spec;
            }
            for (final CommandSpec child : spec.children()) {
                if (child.fullName().equals(name)) {
                    return child;
                }
            }
        }
        return null;
    }

    private static void describe(final ReplyWriter reply, final CommandSpec spec) {
        reply.array(10);
        reply.bulkAscii(spec.fullName());
        reply.integer(spec.arity());
        final List<String> flags = flags(spec);
        reply.set(flags.size());
        flags.forEach(reply::simple);
        reply.integer(spec.firstKey());
        reply.integer(spec.lastKey());
        reply.integer(spec.keyStep());
        final List<String> categories = categories(spec);
        reply.set(categories.size());
        categories.forEach(reply::simple);
        reply.array(0);
        reply.array(0);
        reply.array(spec.children().size());
        spec.children().forEach(child -> describe(reply, child));
    }

    private static List<String> flags(final CommandSpec spec) {
        final List<String> flags = new ArrayList<>();
        for (final Flag flag : Flag.values()) {
            if (!flag.label().isEmpty() && spec.has(flag)) {
                flags.add(flag.label());
            }
        }
        return flags;
    }

    private static List<String> categories(final CommandSpec spec) {
        final List<String> categories = new ArrayList<>();
        if (spec.firstKey() > 0 || spec.finder() != null) {
            addIf(categories, spec.has(Flag.READONLY), "@read");
            addIf(categories, spec.has(Flag.WRITE), "@write");
        }
        categories.add(
                switch (spec.group()) {
                    case "generic" -> "@keyspace";
                    case "sorted-set" -> "@sortedset";
                    case "transactions" -> "@transaction";
                    case "server" -> "@admin";
                    case "bitmap" -> "@bitmap";
                    default -> "@" + spec.group();
                });
        addIf(categories, spec.has(Flag.ADMIN), "@dangerous");
        addIf(categories, spec.has(Flag.BLOCKING), "@blocking");
        categories.add(spec.has(Flag.FAST) ? "@fast" : "@slow");
        return categories;
    }

    private static void addIf(final List<String> list, final boolean add, final String text) {
        if (add) {
            list.add(text);
        }
    }

    private static void list(final Call call) {
        final List<String> names = new ArrayList<>();
        if (call.count() == 2) {
            for (final CommandSpec spec : call.server().table().all()) {
                names.add(spec.name());
            }
        } else if (call.count() == 5 && call.is(2, "FILTERBY")) {
            for (final CommandSpec spec : call.server().table().all()) {
                if (call.is(3, "ACLCAT")) {
                    addIf(names, categories(spec).contains("@" + lower(call, 4)), spec.name());
                } else if (call.is(3, "PATTERN")) {
                    addIf(names, matches(call, 4, spec.name()), spec.name());
                } else if (!call.is(3, "MODULE")) {
                    call.syntaxError();
                    return;
                }
            }
        } else {
            call.syntaxError();
            return;
        }
        call.reply().array(names.size());
        names.forEach(call.reply()::bulkAscii);
    }

    private static String lower(final Call call, final int index) {
        return call.args().text(index).toLowerCase(Locale.ROOT);
    }

    private static boolean matches(final Call call, final int pattern, final String name) {
        final NativeBuffer text = new NativeBuffer();
        try {
            text.appendAscii(name);
            return Glob.matches(call.address(pattern), call.length(pattern), text.address(), text.length());
        } finally {
            text.free();
        }
    }

    private static void docs(final Call call) {
        final List<CommandSpec> wanted = new ArrayList<>();
        if (call.count() == 2) {
            wanted.addAll(call.server().table().all());
        }
        for (int i = 2; i < call.count(); i++) {
            final CommandSpec spec = named(call, i);
            if (spec != null) {
                wanted.add(spec);
            }
        }
        call.reply().map(wanted.size());
        for (final CommandSpec spec : wanted) {
            call.reply().bulkAscii(spec.fullName());
            call.reply().map(3);
            call.reply().bulkAscii("summary");
            call.reply().bulkAscii("");
            call.reply().bulkAscii("since");
            call.reply().bulkAscii(spec.since());
            call.reply().bulkAscii("group");
            call.reply().bulkAscii(spec.group());
        }
    }

    /** The command that stands from the third word on, or null after an error. */
    private static Arguments inner(final Call call) {
        final Arguments inner = new Arguments();
        for (int i = 2; i < call.count(); i++) {
            inner.add(call.address(i), call.length(i));
        }
        final CommandSpec spec = call.server().table().find(inner);
        if (spec == null) {
            call.error("ERR Invalid command specified");
            return null;
        }
        if (!spec.accepts(inner.count())) {
            call.error("ERR Invalid number of arguments specified for command");
            return null;
        }
        return inner;
    }

    private static List<Integer> keysOf(final Call call, final Arguments inner) {
        final List<Integer> keys = new ArrayList<>();
        call.server().table().find(inner).findKeys(inner, keys::add);
        if (keys.isEmpty()) {
            call.error("ERR The command has no key arguments");
        }
        return keys;
    }

    private static void getKeys(final Call call) {
        final Arguments inner = inner(call);
        if (inner == null) {
            return;
        }
        final List<Integer> keys = keysOf(call, inner);
        if (!keys.isEmpty()) {
            call.reply().array(keys.size());
            keys.forEach(index -> call.reply().bulk(inner.address(index), inner.length(index)));
        }
    }

    private static void getKeysAndFlags(final Call call) {
        final Arguments inner = inner(call);
        if (inner == null) {
            return;
        }
        final List<Integer> keys = keysOf(call, inner);
        if (keys.isEmpty()) {
            return;
        }
        final boolean reads = call.server().table().find(inner).has(Flag.READONLY);
        call.reply().array(keys.size());
        for (final int index : keys) {
            call.reply().array(2);
            call.reply().bulk(inner.address(index), inner.length(index));
            call.reply().set(2);
            call.reply().simple(reads ? "RO" : "RW");
            call.reply().simple("access");
        }
    }

    private static void help(final Call call) {
        Help.answer(
                call,
                "(no subcommand)",
                "    Return details about all commands.",
                "COUNT",
                "    Return the total number of commands in this server.",
                "LIST [FILTERBY (ACLCAT|PATTERN|MODULE) <value>]",
                "    Return a list of all commands in this server.",
                "INFO [<command-name> ...], DOCS [<command-name> ...]",
                "    Return details about commands.",
                "GETKEYS <full-command>, GETKEYSANDFLAGS <full-command>",
                "    Return the keys from a full command.");
    }
}
