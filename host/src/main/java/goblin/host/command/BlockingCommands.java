// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.removed;

import goblin.host.command.ListMoves.PopRequest;
import goblin.host.keyspace.Entry;
import goblin.host.keyspace.ValueType;
import goblin.host.value.ListValue;
import goblin.host.value.SortedSetValue;

/** The commands on lists and sorted sets that wait for an element. */
final class BlockingCommands {
    private static final double LARGEST_MS = 0x1p63;

    private final KeyQueues queues;

    private BlockingCommands(KeyQueues queues) {
        this.queues = queues;
    }

    static void register(CommandTable table, Server server) {
        KeyQueues queues = new KeyQueues(server);
        server.blocked().serveWith(queues);
        BlockingCommands commands = new BlockingCommands(queues);
        add(table, "BLPOP", -3, call -> commands.popList(call, true))
                .keys(1, -2, 1)
                .group("list", "2.0.0");
        add(table, "BRPOP", -3, call -> commands.popList(call, false))
                .keys(1, -2, 1)
                .group("list", "2.0.0");
        add(table, "BLMOVE", 6, commands::move).keys(1, 2, 1).group("list", "6.2.0");
        add(table, "BRPOPLPUSH", 4, commands::rotate).keys(1, 2, 1).group("list", "2.2.0");
        add(table, "BLMPOP", -5, commands::popLists).keys(KeysFinder.counted(2)).group("list", "7.0.0");
        add(table, "BZPOPMIN", -3, call -> commands.popSortedSet(call, true))
                .keys(1, -2, 1)
                .group("sorted-set", "5.0.0");
        add(table, "BZPOPMAX", -3, call -> commands.popSortedSet(call, false))
                .keys(1, -2, 1)
                .group("sorted-set", "5.0.0");
        add(table, "BZMPOP", -5, commands::popSortedSets)
                .keys(KeysFinder.counted(2))
                .group("sorted-set", "7.0.0");
    }

    private static CommandSpec add(CommandTable table, String name, int arity, Command command) {
        Command answered = Refusal.answered(command);
        return switch (name) {
            case "BLMOVE", "BRPOPLPUSH" -> table.add(name, arity, answered, Flag.WRITE, Flag.DENYOOM, Flag.BLOCKING);
            case "BLMPOP", "BZMPOP" -> table.add(name, arity, answered, Flag.WRITE, Flag.BLOCKING, Flag.MOVABLE_KEYS);
            case "BZPOPMIN", "BZPOPMAX" -> table.add(name, arity, answered, Flag.WRITE, Flag.BLOCKING, Flag.FAST);
            default -> table.add(name, arity, answered, Flag.WRITE, Flag.BLOCKING);
        };
    }

    /** Reads a timeout in seconds; answers when it ends in milliseconds since 1970, 0 for never. */
    private static long deadline(Call call, int index) {
        double seconds = Numbers.parseDouble(call.address(index), call.length(index));
        if (Double.isNaN(seconds)) {
            throw new Refusal("ERR timeout is not a float or out of range");
        }
        double wanted = seconds * 1000;
        if (wanted >= LARGEST_MS) {
            throw new Refusal("ERR timeout is out of range");
        }
        long milliseconds = (long) Math.ceil(wanted);
        if (milliseconds < 0) {
            throw new Refusal("ERR timeout is negative");
        }
        if (milliseconds > Long.MAX_VALUE - call.nowMs()) {
            throw new Refusal("ERR timeout is out of range");
        }
        return milliseconds == 0 ? 0 : call.nowMs() + milliseconds;
    }

    private void popList(Call call, boolean first) {
        int timeout = call.count() - 1;
        long deadlineMs = deadline(call, timeout);
        for (int i = 1; i < timeout; i++) {
            Entry entry = call.write(i);
            ListValue list = CollectionKeys.list(entry);
            if (list != null) {
                call.reply().array(2);
                call.bulk(i);
                CollectionKeys.bulk(call, first ? list.removeFirst() : list.removeLast());
                removed(call, entry, list.size() == 0, EventClass.LIST, ListCommands.popEvent(first), 1);
                return;
            }
        }
        queues.await(call, ValueType.LIST, 1, timeout - 1, deadlineMs, true);
    }

    private void move(Call call) {
        boolean from = ListMoves.isLeft(call, 3);
        boolean to = ListMoves.isLeft(call, 4);
        long deadlineMs = deadline(call, 5);
        if (!ListMoves.tryMove(call, from, to)) {
            queues.await(call, ValueType.LIST, 1, 1, deadlineMs, false);
        }
    }

    private void rotate(Call call) {
        long deadlineMs = deadline(call, 3);
        if (!ListMoves.tryMove(call, false, true)) {
            queues.await(call, ValueType.LIST, 1, 1, deadlineMs, false);
        }
    }

    private void popLists(Call call) {
        long deadlineMs = deadline(call, 1);
        PopRequest request = PopRequest.parse(call, 2, "LEFT", "RIGHT");
        if (!ListMoves.tryPop(call, request)) {
            queues.await(call, ValueType.LIST, request.firstKey(), request.keys(), deadlineMs, true);
        }
    }

    private void popSortedSet(Call call, boolean lowest) {
        int timeout = call.count() - 1;
        long deadlineMs = deadline(call, timeout);
        for (int i = 1; i < timeout; i++) {
            Entry entry = call.write(i);
            SortedSetValue set = CollectionKeys.sortedSet(entry);
            if (set != null) {
                call.reply().array(3);
                call.bulk(i);
                SortedSetPops.popFlat(call, entry, set, lowest, 1);
                return;
            }
        }
        queues.await(call, ValueType.SORTED_SET, 1, timeout - 1, deadlineMs, true);
    }

    private void popSortedSets(Call call) {
        long deadlineMs = deadline(call, 1);
        PopRequest request = PopRequest.parse(call, 2, "MIN", "MAX");
        if (!SortedSetPops.tryPop(call, request)) {
            queues.await(call, ValueType.SORTED_SET, request.firstKey(), request.keys(), deadlineMs, true);
        }
    }
}
