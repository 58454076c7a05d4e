// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.changed;
import static goblin.host.command.CollectionKeys.natural;
import static goblin.host.command.CollectionKeys.removed;
import static goblin.host.command.CollectionKeys.symmetric;

import goblin.host.keyspace.Entry;
import goblin.host.value.SetValue;

/** Sets, one at a time; what combines several is in {@link SetAlgebra}. */
final class SetCommands {
    private SetCommands() {}

    static void register(CommandTable table) {
        add(table, "SADD", -3, SetCommands::add, "1.0.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "SREM", -3, SetCommands::remove, "1.0.0", Flag.WRITE, Flag.FAST);
        add(table, "SISMEMBER", 3, SetCommands::contains, "1.0.0", Flag.READONLY, Flag.FAST);
        add(table, "SMISMEMBER", -3, SetCommands::containsEach, "6.2.0", Flag.READONLY, Flag.FAST);
        add(table, "SCARD", 2, SetCommands::size, "1.0.0", Flag.READONLY, Flag.FAST);
        add(table, "SMEMBERS", 2, SetCommands::members, "1.0.0", Flag.READONLY);
        add(table, "SPOP", -2, SetCommands::pop, "1.0.0", Flag.WRITE, Flag.FAST);
        add(table, "SRANDMEMBER", -2, SetCommands::random, "1.0.0", Flag.READONLY);
        add(table, "SSCAN", -3, SetCommands::scan, "2.8.0", Flag.READONLY);
        table.add("SMOVE", 4, Refusal.answered(SetCommands::move), Flag.WRITE, Flag.FAST)
                .keys(1, 2, 1)
                .group("set", "1.0.0");
        SetAlgebra.register(table);
    }

    private static void add(CommandTable table, String name, int arity, Command command, String since, Flag... flags) {
        table.add(name, arity, Refusal.answered(command), flags).keys(1, 1, 1).group("set", since);
    }

    private static void add(Call call) {
        Entry entry = call.write(1);
        SetValue set = CollectionKeys.set(entry);
        if (set == null) {
            set = new SetValue(call.server().settings().encodingLimits());
        }
        int added = 0;
        for (int i = 2; i < call.count(); i++) {
            if (set.find(call.address(i), call.length(i)) < 0) {
                set.append(call.bytes(i));
                added++;
            }
        }
        if (added > 0) {
            changed(call, entry == null ? call.add(1, set) : entry, EventClass.SET, "sadd", added);
        }
        call.reply().integer(added);
    }

    private static void remove(Call call) {
        Entry entry = call.write(1);
        SetValue set = CollectionKeys.set(entry);
        int count = 0;
        for (int i = 2; set != null && i < call.count(); i++) {
            int position = set.find(call.address(i), call.length(i));
            if (position >= 0) {
                set.removeAt(position);
                count++;
            }
        }
        if (count > 0) {
            removed(call, entry, set.size() == 0, EventClass.SET, "srem", count);
        }
        call.reply().integer(count);
    }

    private static boolean has(Call call, SetValue set, int member) {
        return set != null && set.find(call.address(member), call.length(member)) >= 0;
    }

    private static void contains(Call call) {
        call.reply().integer(has(call, CollectionKeys.set(call.read(1)), 2) ? 1 : 0);
    }

    private static void containsEach(Call call) {
        SetValue set = CollectionKeys.set(call.read(1));
        call.reply().array(call.count() - 2);
        for (int i = 2; i < call.count(); i++) {
            call.reply().integer(has(call, set, i) ? 1 : 0);
        }
    }

    private static void size(Call call) {
        SetValue set = CollectionKeys.set(call.read(1));
        call.reply().integer(set == null ? 0 : set.size());
    }

    private static void members(Call call) {
        answerMembers(call, CollectionKeys.set(call.read(1)));
    }

    /** Answers all members as a set. */
    static void answerMembers(Call call, SetValue set) {
        int size = set == null ? 0 : set.size();
        call.reply().set(size);
        for (int i = 0; i < size; i++) {
            CollectionKeys.bulk(call, set.member(i));
        }
    }

    private static void move(Call call) {
        Entry source = call.write(1);
        SetValue from = CollectionKeys.set(source);
        if (from == null) {
            call.reply().integer(0);
            return;
        }
        Entry target = call.write(2);
        SetValue to = CollectionKeys.set(target);
        int position = from.find(call.address(3), call.length(3));
        if (position < 0 || source == target) {
            call.reply().integer(position < 0 ? 0 : 1);
            return;
        }
        from.removeAt(position);
        removed(call, source, from.size() == 0, EventClass.SET, "srem", 1);
        if (to == null) {
            to = new SetValue(call.server().settings().encodingLimits());
        }
        if (to.add(call.bytes(3))) {
            changed(call, target == null ? call.add(2, to) : target, EventClass.SET, "sadd", 1);
        }
        call.reply().integer(1);
    }

    private static void pop(Call call) {
        if (call.count() > 3) {
            throw Refusal.syntax();
        }
        boolean counted = call.count() == 3;
        long count = counted ? natural(call, 2) : 1;
        Entry entry = call.write(1);
        SetValue set = CollectionKeys.set(entry);
        if (set == null && !counted) {
            call.reply().nullBulk();
            return;
        }
        int popped = set == null ? 0 : (int) Math.min(count, set.size());
        if (counted) {
            call.reply().set(popped);
        }
        for (int i = 0; i < popped; i++) {
            int position = popped == set.size() + i ? set.size() - 1 : RandomChoice.one(set.size());
            CollectionKeys.bulk(call, set.member(position));
            set.removeAt(position);
        }
        if (popped > 0) {
            removed(call, entry, set.size() == 0, EventClass.SET, "spop", popped);
        }
    }

    private static void random(Call call) {
        if (call.count() > 3) {
            throw Refusal.syntax();
        }
        boolean counted = call.count() == 3;
        long count = counted ? symmetric(call, 2) : 1;
        SetValue set = CollectionKeys.set(call.read(1));
        if (!counted) {
            if (set == null) {
                call.reply().nullBulk();
            } else {
                CollectionKeys.bulk(call, set.member(RandomChoice.one(set.size())));
            }
        } else if (set == null || count == 0) {
            call.reply().array(0);
        } else if (count < 0) {
            call.reply().array(-count);
            for (long i = 0; i < -count; i++) {
                CollectionKeys.bulk(call, set.member(RandomChoice.one(set.size())));
            }
        } else {
            int[] positions = RandomChoice.distinct(set.size(), (int) Math.min(count, set.size()));
            call.reply().array(positions.length);
            for (int position : positions) {
                CollectionKeys.bulk(call, set.member(position));
            }
        }
    }

    private static void scan(Call call) {
        ElementScan scan = ElementScan.begin(call);
        SetValue set = CollectionKeys.set(call.read(1));
        if (set == null) {
            ElementScan.answerNothing(call);
            return;
        }
        scan.parse(call, null);
        int[] positions = scan.select(call, set.scanStart(scan.cursor()), !set.isHashtable(), set::member);
        scan.answer(call, positions.length);
        for (int position : positions) {
            CollectionKeys.bulk(call, set.member(position));
        }
    }
}
