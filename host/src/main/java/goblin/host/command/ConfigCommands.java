// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.ADMIN;
import static goblin.host.command.Flag.LOADING;
import static goblin.host.command.Flag.NOSCRIPT;
import static goblin.host.command.Flag.STALE;

import goblin.net.NativeBuffer;
import goblin.pubsub.Glob;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** CONFIG: what can be seen and changed while the server runs. */
final class ConfigCommands {
    private ConfigCommands() {}

    static void register(final CommandTable table) {
        final CommandSpec config = table.add("config", -2, ConfigCommands::help).group("server", "2.0.0");
        config.sub("get", -3, ConfigCommands::get, ADMIN, NOSCRIPT, LOADING, STALE);
        config.sub("set", -4, ConfigCommands::set, ADMIN, NOSCRIPT, LOADING, STALE);
        config.sub("resetstat", 2, ConfigCommands::resetStat, ADMIN, NOSCRIPT, LOADING, STALE);
        config.sub(
                "rewrite",
                2,
                call -> call.error("ERR The server is running without a config file"),
                ADMIN,
                NOSCRIPT,
                LOADING,
                STALE);
        config.sub("help", 2, ConfigCommands::help, LOADING, STALE);
    }

    private static void get(final Call call) {
        final Map<String, Setting> found = new LinkedHashMap<>();
        for (int i = 2; i < call.count(); i++) {
            for (final Setting setting : call.server().settings().all()) {
                addMatching(found, call, i, setting.name(), setting);
                if (setting.alias() != null) {
                    addMatching(found, call, i, setting.alias(), setting);
                }
            }
        }
        call.reply().map(found.size());
        found.forEach((name, setting) -> {
            call.reply().bulkAscii(name);
            call.reply().bulk(setting.text().getBytes(StandardCharsets.ISO_8859_1));
        });
    }

    private static void addMatching(
            final Map<String, Setting> found,
            final Call call,
            final int pattern,
            final String name,
            final Setting setting) {
        final NativeBuffer lower = new NativeBuffer();
        final NativeBuffer text = new NativeBuffer();
        lower.appendAscii(call.args().text(pattern).toLowerCase(java.util.Locale.ROOT));
        text.appendAscii(name);
        if (Glob.matches(lower.address(), lower.length(), text.address(), text.length())) {
            found.putIfAbsent(name, setting);
        }
        lower.free();
        text.free();
    }

    private static void set(final Call call) {
        if ((call.count() & 1) != 0) {
            call.wrongNumberOfArguments();
            return;
        }
        final List<Setting> settings = new ArrayList<>();
        for (int i = 2; i < call.count(); i += 2) {
            final Setting setting = call.server().settings().find(call.args().text(i));
            if (setting == null) {
                call.error("ERR Unknown option or number of arguments for CONFIG SET - '"
                        + call.args().text(i) + "'");
                return;
            }
            if (setting.isFixed()) {
                refused(call, setting, "can't set immutable config");
                return;
            }
            if (settings.contains(setting)) {
                refused(call, setting, "duplicate parameter");
                return;
            }
            settings.add(setting);
        }
        apply(call, settings);
    }

    /** Sets all or none: when one is refused those before it get their old values again. */
    private static void apply(final Call call, final List<Setting> settings) {
        final List<String> before = new ArrayList<>();
        for (int i = 0; i < settings.size(); i++) {
            final Setting setting = settings.get(i);
            before.add(setting.text());
            final String refusal = setting.set(call.args().text(3 + 2 * i));
            if (refusal != null) {
                for (int j = 0; j < i; j++) {
                    settings.get(j).set(before.get(j));
                }
                refused(call, setting, refusal);
                return;
            }
        }
        call.reply().ok();
    }

    private static void refused(final Call call, final Setting setting, final String why) {
        call.error("ERR CONFIG SET failed (possibly related to argument '" + setting.name() + "') - " + why);
    }

    private static void resetStat(final Call call) {
        for (final CommandSpec spec : call.server().table().all()) {
            spec.resetCounters();
        }
        call.server().statistics().reset();
        call.reply().ok();
    }

    private static void help(final Call call) {
        Help.answer(
                call,
                "GET <pattern>",
                "    Return parameters matching the glob-like <pattern> and their values.",
                "SET <directive> <value>",
                "    Set the configuration <directive> to <value>.",
                "RESETSTAT",
                "    Reset statistics reported by the INFO command.",
                "REWRITE",
                "    Rewrite the configuration file.");
    }
}
