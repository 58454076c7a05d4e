// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.changed;
import static goblin.host.command.CollectionKeys.integer;
import static goblin.host.command.CollectionKeys.removed;

import goblin.host.keyspace.Entry;
import goblin.host.value.ListValue;

/** Moves between lists and pops from the first of several; the blocking forms use the same steps. */
final class ListMoves {
    private ListMoves() {}

    static void register(CommandTable table) {
        table.add("LMOVE", 5, Refusal.answered(ListMoves::move), Flag.WRITE, Flag.DENYOOM)
                .keys(1, 2, 1)
                .group("list", "6.2.0");
        table.add("RPOPLPUSH", 3, Refusal.answered(ListMoves::rotate), Flag.WRITE, Flag.DENYOOM)
                .keys(1, 2, 1)
                .group("list", "1.2.0");
        table.add("LMPOP", -4, Refusal.answered(ListMoves::popFromFirst), Flag.WRITE, Flag.MOVABLE_KEYS)
                .keys(KeysFinder.counted(1))
                .group("list", "7.0.0");
    }

    /** Reads {@code LEFT} (true) or {@code RIGHT}. */
    static boolean isLeft(Call call, int index) {
        if (call.is(index, "LEFT")) {
            return true;
        }
        if (call.is(index, "RIGHT")) {
            return false;
        }
        throw Refusal.syntax();
    }

    private static void move(Call call) {
        boolean from = isLeft(call, 3);
        boolean to = isLeft(call, 4);
        if (!tryMove(call, from, to)) {
            call.reply().nullBulk();
        }
    }

    private static void rotate(Call call) {
        if (!tryMove(call, false, true)) {
            call.reply().nullBulk();
        }
    }

    /**
     * Moves an element from the list of word 1 to that of word 2 and answers it.
     *
     * @return false when there is no source; nothing was answered then
     */
    static boolean tryMove(Call call, boolean fromFirst, boolean toFirst) {
        Entry source = call.write(1);
        ListValue from = CollectionKeys.list(source);
        if (from == null) {
            return false;
        }
        Entry target = call.write(2);
        ListValue to = CollectionKeys.list(target);
        byte[] element = fromFirst ? from.removeFirst() : from.removeLast();
        if (to == null) {
            to = new ListValue(call.server().settings().encodingLimits());
        }
        if (toFirst) {
            to.addFirst(element);
        } else {
            to.addLast(element);
        }
        to.noteEncoding();
        changed(call, target == null ? call.add(2, to) : target, EventClass.LIST, ListCommands.pushEvent(toFirst), 0);
        removed(call, source, from.size() == 0, EventClass.LIST, ListCommands.popEvent(fromFirst), 1);
        CollectionKeys.bulk(call, element);
        return true;
    }

    private static void popFromFirst(Call call) {
        PopRequest request = PopRequest.parse(call, 1, "LEFT", "RIGHT");
        if (!tryPop(call, request)) {
            call.reply().nullArray();
        }
    }

    /**
     * Pops from the first list there is and answers its key and the elements.
     *
     * @return false when there is none; nothing was answered then
     */
    static boolean tryPop(Call call, PopRequest request) {
        for (int i = request.firstKey(); i < request.firstKey() + request.keys(); i++) {
            Entry entry = call.write(i);
            ListValue list = CollectionKeys.list(entry);
            if (list != null) {
                call.reply().array(2);
                call.bulk(i);
                ListCommands.popSeveral(call, entry, list, request.fromLow(), request.count());
                return true;
            }
        }
        return false;
    }

    /** What {@code LMPOP}, {@code ZMPOP} and their blocking forms ask for. */
    record PopRequest(int firstKey, int keys, boolean fromLow, long count) {
        static PopRequest parse(Call call, int countPlace, String low, String high) {
            long keys = integer(call, countPlace, 1, "ERR numkeys should be greater than 0");
            long where = countPlace + 1 + keys;
            if (keys >= call.count() || where >= call.count()) {
                throw Refusal.syntax();
            }
            boolean fromLow = call.is((int) where, low);
            if (!fromLow && !call.is((int) where, high)) {
                throw Refusal.syntax();
            }
            long count = -1;
            for (int i = (int) where + 1; i < call.count(); i += 2) {
                if (count >= 0 || !call.is(i, "COUNT") || i + 1 == call.count()) {
                    throw Refusal.syntax();
                }
                count = integer(call, i + 1, 1, "ERR count should be greater than 0");
            }
            return new PopRequest(countPlace + 1, (int) keys, fromLow, Math.max(count, 1));
        }
    }
}
