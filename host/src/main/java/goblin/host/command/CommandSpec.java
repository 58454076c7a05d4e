// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.resp.NameTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One row of the {@link CommandTable}: what a command is called, takes and may do, and how often it ran. Made while the
 * families register themselves and not changed afterwards, except for its counters.
 */
public final class CommandSpec {
    private final String name;
    private final String fullName;
    private final int arity;
    private final Command command;
    private final int flags;
    private final List<CommandSpec> children = new ArrayList<>();
    private final NameTable<CommandSpec> childTable = new NameTable<>();
    private String group = "generic";
    private String since = "1.0.0";
    private int firstKey;
    private int lastKey;
    private int keyStep;
    private KeysFinder finder;
    private int secretFrom = Integer.MAX_VALUE;

    long calls;
    long nanos;
    long rejected;
    long failed;

    CommandSpec(final String name, final String fullName, final int arity, final Command command, final Flag... flags) {
        this.name = name.toLowerCase(Locale.ROOT);
        this.fullName = fullName.toLowerCase(Locale.ROOT);
        this.arity = arity;
        this.command = command;
        int bits = 0;
        for (final Flag flag : flags) {
            bits |= flag.mask;
        }
        this.flags = bits;
    }

    /**
     * Says where the keys are.
     *
     * @param first place of the first key, at least 1
     * @param last  place of the last one; negative counts from the end
     * @param step  distance between keys
     * @return this
     */
    public CommandSpec keys(final int first, final int last, final int step) {
        this.firstKey = first;
        this.lastKey = last;
        this.keyStep = step;
        return this;
    }

    /**
     * Says how to find keys whose places depend on the arguments.
     *
     * @param movable finds them
     * @return this
     */
    public CommandSpec keys(final KeysFinder movable) {
        this.finder = movable;
        return this;
    }

    /**
     * Says which family it belongs to and since when Redis has it.
     *
     * @param family  the group's name, such as {@code string}
     * @param version of Redis
     * @return this
     */
    public CommandSpec group(final String family, final String version) {
        this.group = family;
        this.since = version;
        return this;
    }

    /**
     * Says that arguments may be secrets: they are shown nowhere and wiped after the command.
     *
     * @param first place of the first of them; all that follow are secret too
     * @return this
     */
    public CommandSpec secretFrom(final int first) {
        this.secretFrom = first;
        return this;
    }

    /**
     * Adds a subcommand.
     *
     * @param child     its own name
     * @param words     arity, the container's name included
     * @param execution what it does
     * @param flagged   its flags
     * @return the new subcommand, in this one's group
     */
    public CommandSpec sub(final String child, final int words, final Command execution, final Flag... flagged) {
        final CommandSpec spec = new CommandSpec(child, name + "|" + child, words, execution, flagged);
        spec.group = group;
        spec.since = since;
        children.add(spec);
        childTable.put(child, spec);
        return spec;
    }

    /**
     * Its own name in lower case.
     *
     * @return for example {@code get}
     */
    public String name() {
        return name;
    }

    /**
     * Its name with the container's before it.
     *
     * @return for example {@code config|get}
     */
    public String fullName() {
        return fullName;
    }

    /**
     * Number of words, name included; negative: at least so many.
     *
     * @return never 0
     */
    public int arity() {
        return arity;
    }

    /**
     * Checks the number of words.
     *
     * @param words the command's, name included
     * @return whether it is allowed
     */
    public boolean accepts(final int words) {
        return arity >= 0 ? words == arity : words >= -arity;
    }

    /**
     * Asks for a flag.
     *
     * @param flag any
     * @return whether it is set
     */
    public boolean has(final Flag flag) {
        return (flags & flag.mask) != 0;
    }

    /** Place of the first secret argument, {@link Integer#MAX_VALUE} when there is none. */
    int secretFrom() {
        return secretFrom;
    }

    Command command() {
        return command;
    }

    boolean isContainer() {
        return !children.isEmpty();
    }

    CommandSpec child(final long address, final int length) {
        return childTable.get(address, length);
    }

    List<CommandSpec> children() {
        return children;
    }

    String group() {
        return group;
    }

    String since() {
        return since;
    }

    int firstKey() {
        return firstKey;
    }

    int lastKey() {
        return lastKey;
    }

    int keyStep() {
        return keyStep;
    }

    KeysFinder finder() {
        return finder;
    }

    /** Names the place of each key of a command whose arity was accepted. */
    void findKeys(final Arguments args, final KeysFinder.Found found) {
        if (finder != null) {
            finder.find(args, found);
            return;
        }
        if (firstKey == 0) {
            return;
        }
        final int last = lastKey < 0 ? args.count() + lastKey : Math.min(lastKey, args.count() - 1);
        for (int at = firstKey; at <= last; at += keyStep) {
            found.key(at);
        }
    }

    void resetCounters() {
        calls = 0;
        nanos = 0;
        rejected = 0;
        failed = 0;
        for (final CommandSpec child : children) {
            child.resetCounters();
        }
    }
}
