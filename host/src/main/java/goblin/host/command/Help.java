// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.util.Locale;

/** The answer of a container's HELP. */
final class Help {
    private Help() {}

    static void answer(final Call call, final String... lines) {
        final String name = call.spec().fullName();
        final int bar = name.indexOf('|');
        final String container = (bar < 0 ? name : name.substring(0, bar)).toUpperCase(Locale.ROOT);
        if (bar < 0) {
            // Only the container itself was named.
            call.error(Errors.wrongNumberOfArguments(name));
            return;
        }
        call.reply().array(lines.length + 3);
        call.reply().simple(container + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        for (final String line : lines) {
            call.reply().simple(line);
        }
        call.reply().simple("HELP");
        call.reply().simple("    Print this help.");
    }
}
