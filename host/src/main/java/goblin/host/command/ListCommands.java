// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.changed;
import static goblin.host.command.CollectionKeys.fromStart;
import static goblin.host.command.CollectionKeys.integer;
import static goblin.host.command.CollectionKeys.natural;
import static goblin.host.command.CollectionKeys.removed;

import goblin.host.keyspace.Entry;
import goblin.host.value.ListValue;

/** Lists: pushing, popping, indices and ranges. Moves between lists and pops from several are in {@link ListMoves}. */
final class ListCommands {
    private ListCommands() {}

    static void register(CommandTable table) {
        add(table, "LPUSH", -3, call -> push(call, true, false), "1.0.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "RPUSH", -3, call -> push(call, false, false), "1.0.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "LPUSHX", -3, call -> push(call, true, true), "2.2.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "RPUSHX", -3, call -> push(call, false, true), "2.2.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "LPOP", -2, call -> pop(call, true), "1.0.0", Flag.WRITE, Flag.FAST);
        add(table, "RPOP", -2, call -> pop(call, false), "1.0.0", Flag.WRITE, Flag.FAST);
        add(table, "LLEN", 2, ListCommands::length, "1.0.0", Flag.READONLY, Flag.FAST);
        add(table, "LINDEX", 3, ListCommands::index, "1.0.0", Flag.READONLY);
        add(table, "LSET", 4, ListCommands::set, "1.0.0", Flag.WRITE, Flag.DENYOOM);
        add(table, "LRANGE", 4, ListCommands::range, "1.0.0", Flag.READONLY);
        add(table, "LTRIM", 4, ListCommands::trim, "1.0.0", Flag.WRITE);
        add(table, "LREM", 4, ListCommands::remove, "1.0.0", Flag.WRITE);
        add(table, "LINSERT", 5, ListCommands::insert, "2.2.0", Flag.WRITE, Flag.DENYOOM);
        add(table, "LPOS", -3, ListPositions::find, "6.0.6", Flag.READONLY);
        ListMoves.register(table);
    }

    private static void add(CommandTable table, String name, int arity, Command command, String since, Flag... flags) {
        table.add(name, arity, Refusal.answered(command), flags).keys(1, 1, 1).group("list", since);
    }

    private static void push(Call call, boolean first, boolean onlyExisting) {
        Entry entry = call.write(1);
        ListValue list = CollectionKeys.list(entry);
        if (list == null) {
            if (onlyExisting) {
                call.reply().integer(0);
                return;
            }
            list = new ListValue(call.server().settings().encodingLimits());
        }
        for (int i = 2; i < call.count(); i++) {
            if (first) {
                list.addFirst(call.bytes(i));
            } else {
                list.addLast(call.bytes(i));
            }
        }
        list.noteEncoding();
        changed(call, entry == null ? call.add(1, list) : entry, EventClass.LIST, pushEvent(first), call.count() - 2L);
        call.reply().integer(list.size());
    }

    static String pushEvent(boolean first) {
        return first ? "lpush" : "rpush";
    }

    static String popEvent(boolean first) {
        return first ? "lpop" : "rpop";
    }

    private static void pop(Call call, boolean first) {
        if (call.count() > 3) {
            call.wrongNumberOfArguments();
            return;
        }
        boolean counted = call.count() == 3;
        long count = counted ? natural(call, 2) : 1;
        Entry entry = call.write(1);
        ListValue list = CollectionKeys.list(entry);
        if (list == null) {
            if (counted) {
                call.reply().nullArray();
            } else {
                call.reply().nullBulk();
            }
        } else if (counted) {
            popSeveral(call, entry, list, first, count);
        } else {
            CollectionKeys.bulk(call, first ? list.removeFirst() : list.removeLast());
            removed(call, entry, list.size() == 0, EventClass.LIST, popEvent(first), 1);
        }
    }

    /** Answers an array of at most {@code count} elements, which leave the list. */
    static void popSeveral(Call call, Entry entry, ListValue list, boolean first, long count) {
        int popped = (int) Math.min(count, list.size());
        call.reply().array(popped);
        for (int i = 0; i < popped; i++) {
            CollectionKeys.bulk(call, first ? list.removeFirst() : list.removeLast());
        }
        if (popped > 0) {
            list.noteEncoding();
            removed(call, entry, list.size() == 0, EventClass.LIST, popEvent(first), popped);
        }
    }

    private static void length(Call call) {
        ListValue list = CollectionKeys.list(call.read(1));
        call.reply().integer(list == null ? 0 : list.size());
    }

    private static void index(Call call) {
        ListValue list = CollectionKeys.list(call.read(1));
        if (list == null) {
            call.reply().nullBulk();
            return;
        }
        long index = fromStart(integer(call, 2), list.size());
        if (index < 0 || index >= list.size()) {
            call.reply().nullBulk();
        } else {
            CollectionKeys.bulk(call, list.get((int) index));
        }
    }

    private static void set(Call call) {
        Entry entry = call.write(1);
        ListValue list = CollectionKeys.list(entry);
        if (list == null) {
            call.error(Errors.NO_SUCH_KEY);
            return;
        }
        long index = fromStart(integer(call, 2), list.size());
        if (index < 0 || index >= list.size()) {
            call.error(Errors.OUT_OF_RANGE);
            return;
        }
        list.noteReplacing(call.length(3));
        list.set((int) index, call.bytes(3));
        changed(call, entry, EventClass.LIST, "lset", 1);
        call.reply().ok();
    }

    private static void range(Call call) {
        long first = integer(call, 2);
        long last = integer(call, 3);
        ListValue list = CollectionKeys.list(call.read(1));
        int size = list == null ? 0 : list.size();
        int from = (int) Math.max(fromStart(first, size), 0);
        int to = (int) Math.min(fromStart(last, size), size - 1L) + 1;
        if (fromStart(first, size) >= size || from >= to) {
            call.reply().array(0);
            return;
        }
        call.reply().array(to - from);
        for (int i = from; i < to; i++) {
            CollectionKeys.bulk(call, list.get(i));
        }
    }

    private static void trim(Call call) {
        long first = integer(call, 2);
        long last = integer(call, 3);
        Entry entry = call.write(1);
        ListValue list = CollectionKeys.list(entry);
        if (list != null) {
            int size = list.size();
            long from = Math.clamp(fromStart(first, size), 0, size);
            long to = Math.clamp(fromStart(last, size), -1, size - 1L) + 1;
            list.keep((int) from, (int) Math.max(from, to));
            list.noteEncoding();
            removed(call, entry, list.size() == 0, EventClass.LIST, "ltrim", (long) size - list.size());
        }
        call.reply().ok();
    }

    private static void remove(Call call) {
        long limit = integer(call, 2);
        Entry entry = call.write(1);
        ListValue list = CollectionKeys.list(entry);
        int count = list == null ? 0 : list.removeEqual(call.address(3), call.length(3), limit);
        if (count > 0) {
            list.noteEncoding();
            removed(call, entry, list.size() == 0, EventClass.LIST, "lrem", count);
        }
        call.reply().integer(count);
    }

    private static void insert(Call call) {
        int after = call.is(2, "AFTER") ? 1 : 0;
        if (after == 0 && !call.is(2, "BEFORE")) {
            throw Refusal.syntax();
        }
        Entry entry = call.write(1);
        ListValue list = CollectionKeys.list(entry);
        if (list == null) {
            call.reply().integer(0);
            return;
        }
        int pivot = list.indexOf(call.address(3), call.length(3));
        if (pivot < 0) {
            call.reply().integer(-1);
            return;
        }
        list.insert(pivot + after, call.bytes(4));
        list.noteEncoding();
        changed(call, entry, EventClass.LIST, "linsert", 1);
        call.reply().integer(list.size());
    }
}
