// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.resp.NameTable;
import java.util.ArrayList;
import java.util.List;

/** Every command there is. Families add themselves at start; afterwards it is only read. */
public final class CommandTable {
    private final NameTable<CommandSpec> byName = new NameTable<>();
    private final List<CommandSpec> all = new ArrayList<>();

    /**
     * Adds a command.
     *
     * @param name    any case
     * @param arity   number of words, name included; negative: at least so many
     * @param command what it does
     * @param flags   its flags
     * @return its row, for keys, group and subcommands
     */
    public CommandSpec add(final String name, final int arity, final Command command, final Flag... flags) {
        final CommandSpec spec = new CommandSpec(name, name, arity, command, flags);
        byName.put(name, spec);
        all.add(spec);
        return spec;
    }

    /**
     * Finds a command by its name, ignoring case. Allocates nothing.
     *
     * @param address first byte of the name, native
     * @param length  its length
     * @return the command or null
     */
    public CommandSpec find(final long address, final int length) {
        return byName.get(address, length);
    }

    /**
     * Finds what a whole command line means, subcommands included.
     *
     * @param args at least one word
     * @return the command, its container when the subcommand is missing or unknown, or null
     */
    public CommandSpec find(final Arguments args) {
        final CommandSpec spec = byName.get(args.address(0), args.length(0));
        if (spec != null && spec.isContainer() && args.count() > 1) {
            final CommandSpec child = spec.child(args.address(1), args.length(1));
            if (child != null) {
                return child;
            }
        }
        return spec;
    }

    /**
     * Every command, in the order of registration; subcommands are within their containers.
     *
     * @return unmodifiable
     */
    public List<CommandSpec> all() {
        return java.util.Collections.unmodifiableList(all);
    }
}
