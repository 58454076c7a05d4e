// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.integer;

import goblin.host.value.SetValue;

/** Intersections, unions and differences of sets. */
final class SetAlgebra {
    private SetAlgebra() {}

    private enum Operation {
        INTERSECTION,
        UNION,
        DIFFERENCE
    }

    static void register(CommandTable table) {
        add(table, "SINTER", Operation.INTERSECTION);
        add(table, "SUNION", Operation.UNION);
        add(table, "SDIFF", Operation.DIFFERENCE);
        addStore(table, "SINTERSTORE", Operation.INTERSECTION);
        addStore(table, "SUNIONSTORE", Operation.UNION);
        addStore(table, "SDIFFSTORE", Operation.DIFFERENCE);
        table.add("SINTERCARD", -3, Refusal.answered(SetAlgebra::countCommon), Flag.READONLY, Flag.MOVABLE_KEYS)
                .keys(KeysFinder.counted(1))
                .group("set", "7.0.0");
    }

    private static void add(CommandTable table, String name, Operation operation) {
        table.add(name, -2, Refusal.answered(call -> answer(call, operation)), Flag.READONLY)
                .keys(1, -1, 1)
                .group("set", "1.0.0");
    }

    private static void addStore(CommandTable table, String name, Operation operation) {
        table.add(name, -3, Refusal.answered(call -> store(call, operation)), Flag.WRITE, Flag.DENYOOM)
                .keys(1, -1, 1)
                .group("set", "1.0.0");
    }

    private static void answer(Call call, Operation operation) {
        SetValue[] sources = sources(call, 1, call.count());
        SetCommands.answerMembers(call, combine(call, sources, operation));
    }

    private static void store(Call call, Operation operation) {
        SetValue result = combine(call, sources(call, 2, call.count()), operation);
        boolean isEmpty = result.size() == 0;
        CollectionKeys.store(
                call, 1, isEmpty ? null : result, EventClass.SET, call.spec().name());
        call.reply().integer(result.size());
    }

    /** Reads the sets of some keys; null stands for a missing one. */
    private static SetValue[] sources(Call call, int from, int to) {
        SetValue[] sources = new SetValue[to - from];
        for (int i = from; i < to; i++) {
            sources[i - from] = CollectionKeys.set(call.read(i));
        }
        return sources;
    }

    private static SetValue combine(Call call, SetValue[] sources, Operation operation) {
        SetValue result = new SetValue(call.server().settings().encodingLimits());
        switch (operation) {
            case INTERSECTION -> intersect(sources, result, Long.MAX_VALUE);
            case UNION -> {
                for (SetValue source : sources) {
                    for (int i = 0; source != null && i < source.size(); i++) {
                        result.add(source.member(i));
                    }
                }
            }
            case DIFFERENCE -> {
                for (int i = 0; sources[0] != null && i < sources[0].size(); i++) {
                    if (!isInAny(sources, sources[0].member(i))) {
                        result.append(sources[0].member(i));
                    }
                }
            }
        }
        return result;
    }

    private static boolean isInAny(SetValue[] sources, byte[] member) {
        for (int i = 1; i < sources.length; i++) {
            if (sources[i] != null && sources[i].find(member) >= 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Finds common members, looking through the smallest set.
     *
     * @param result gets them, may be null
     * @param limit stops at so many
     * @return how many were found
     */
    private static long intersect(SetValue[] sources, SetValue result, long limit) {
        SetValue smallest = sources[0];
        for (SetValue source : sources) {
            if (source == null) {
                return 0;
            }
            smallest = source.size() < smallest.size() ? source : smallest;
        }
        long found = 0;
        for (int i = 0; i < smallest.size() && found < limit; i++) {
            byte[] member = smallest.member(i);
            if (isInAll(sources, smallest, member)) {
                found++;
                if (result != null) {
                    result.append(member);
                }
            }
        }
        return found;
    }

    private static boolean isInAll(SetValue[] sources, SetValue known, byte[] member) {
        for (SetValue source : sources) {
            if (source != known && source.find(member) < 0) {
                return false;
            }
        }
        return true;
    }

    private static void countCommon(Call call) {
        CardinalityRequest request = CardinalityRequest.parse(call);
        SetValue[] sources = sources(call, 2, 2 + request.keys());
        call.reply().integer(intersect(sources, null, request.limit()));
    }

    /** What {@code SINTERCARD} and {@code ZINTERCARD} ask for. */
    record CardinalityRequest(int keys, long limit) {
        static CardinalityRequest parse(Call call) {
            long keys = integer(call, 1, 1, "ERR numkeys should be greater than 0");
            if (keys > call.count() - 2) {
                throw new Refusal("ERR Number of keys can't be greater than number of args");
            }
            return parseLimit(call, (int) keys);
        }

        /** Reads what follows a number of keys that was checked. */
        static CardinalityRequest parseLimit(Call call, int keys) {
            long limit = 0;
            for (int i = 2 + keys; i < call.count(); i += 2) {
                if (!call.is(i, "LIMIT") || i + 1 == call.count()) {
                    throw Refusal.syntax();
                }
                limit = integer(call, i + 1, 0, "ERR LIMIT can't be negative");
            }
            return new CardinalityRequest(keys, limit == 0 ? Long.MAX_VALUE : limit);
        }
    }
}
