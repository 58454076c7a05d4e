// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.real;

import goblin.host.command.SetAlgebra.CardinalityRequest;
import goblin.host.keyspace.Entry;
import goblin.host.keyspace.ValueType;
import goblin.host.value.SkipList;
import goblin.host.value.SortedSetValue;

/** Unions, intersections and differences of sorted sets and sets, whose members count with score 1. */
final class SortedSetAlgebra {
    private SortedSetAlgebra() {}

    private enum Operation {
        UNION,
        INTERSECTION,
        DIFFERENCE
    }

    private enum Aggregate {
        SUM,
        MIN,
        MAX;

        double of(double left, double right) {
            return switch (this) {
                // Infinities of both signs add up to 0 by definition of the command.
                case SUM -> Double.isNaN(left + right) ? 0 : left + right;
                case MIN -> Math.min(left, right);
                case MAX -> Math.max(left, right);
            };
        }
    }

    static void register(CommandTable table) {
        add(table, "ZUNION", Operation.UNION, "6.2.0");
        add(table, "ZINTER", Operation.INTERSECTION, "6.2.0");
        add(table, "ZDIFF", Operation.DIFFERENCE, "6.2.0");
        addStore(table, "ZUNIONSTORE", Operation.UNION, "2.0.0");
        addStore(table, "ZINTERSTORE", Operation.INTERSECTION, "2.0.0");
        addStore(table, "ZDIFFSTORE", Operation.DIFFERENCE, "6.2.0");
        table.add("ZINTERCARD", -3, Refusal.answered(SortedSetAlgebra::countCommon), Flag.READONLY, Flag.MOVABLE_KEYS)
                .keys(KeysFinder.counted(1))
                .group("sorted-set", "7.0.0");
    }

    private static void add(CommandTable table, String name, Operation operation, String since) {
        table.add(name, -3, Refusal.answered(call -> answer(call, operation)), Flag.READONLY, Flag.MOVABLE_KEYS)
                .keys(KeysFinder.counted(1))
                .group("sorted-set", since);
    }

    private static void addStore(CommandTable table, String name, Operation operation, String since) {
        Command command = Refusal.answered(call -> store(call, operation));
        table.add(name, -4, command, Flag.WRITE, Flag.DENYOOM, Flag.MOVABLE_KEYS)
                .keys(1, 1, 1)
                .keys(KeysFinder.counted(2, 1))
                .group("sorted-set", since);
    }

    /** What a command asks for, its sources already looked up. */
    private static final class Request {
        private final ScoredSource[] sources;
        private final double[] weights;
        private Aggregate aggregate = Aggregate.SUM;
        private boolean withScores;

        Request(int sources) {
            this.sources = new ScoredSource[sources];
            weights = new double[sources];
            java.util.Arrays.fill(weights, 1);
        }
    }

    private static Request parse(Call call, int countPlace, Operation operation, boolean isStore) {
        int keys = keys(call, countPlace);
        Request request = new Request(keys);
        int firstKey = countPlace + 1;
        for (int i = 0; i < keys; i++) {
            request.sources[i] = source(call.read(firstKey + i));
        }
        for (int i = firstKey + keys; i < call.count(); i++) {
            i += parseOption(call, i, request, operation, isStore);
        }
        return request;
    }

    private static int keys(Call call, int countPlace) {
        long keys = CollectionKeys.integer(call, countPlace);
        if (keys < 1) {
            throw new Refusal(
                    "ERR at least 1 input key is needed for '" + call.spec().name() + "' command");
        }
        if (keys > call.count() - countPlace - 1) {
            throw Refusal.syntax();
        }
        return (int) keys;
    }

    private static int parseOption(Call call, int i, Request request, Operation operation, boolean isStore) {
        int rest = call.count() - i - 1;
        if (operation != Operation.DIFFERENCE && call.is(i, "WEIGHTS") && rest >= request.weights.length) {
            for (int k = 0; k < request.weights.length; k++) {
                request.weights[k] = real(call, i + 1 + k, "ERR weight value is not a float");
            }
            return request.weights.length;
        }
        if (operation != Operation.DIFFERENCE && call.is(i, "AGGREGATE") && rest >= 1) {
            for (Aggregate aggregate : Aggregate.values()) {
                if (call.is(i + 1, aggregate.name())) {
                    request.aggregate = aggregate;
                    return 1;
                }
            }
            throw Refusal.syntax();
        }
        if (isStore || !call.is(i, "WITHSCORES")) {
            throw Refusal.syntax();
        }
        request.withScores = true;
        return 0;
    }

    private static ScoredSource source(Entry entry) {
        if (entry == null) {
            return null;
        }
        return entry.value().type() == ValueType.SET
                ? ScoredSource.of(CollectionKeys.set(entry))
                : ScoredSource.of(CollectionKeys.sortedSet(entry));
    }

    private static void answer(Call call, Operation operation) {
        Request request = parse(call, 1, operation, false);
        SortedSetValue result = combine(call, request, operation);
        SortedSetCommands.beginPairs(call, result.size(), request.withScores);
        for (SkipList.Node node = result.order().first(); node != null; node = node.next()) {
            SortedSetCommands.answerPair(call, node.member(), node.score(), request.withScores);
        }
    }

    private static void store(Call call, Operation operation) {
        SortedSetValue result = combine(call, parse(call, 2, operation, true), operation);
        boolean isEmpty = result.size() == 0;
        CollectionKeys.store(
                call,
                1,
                isEmpty ? null : result,
                EventClass.SORTED_SET,
                call.spec().name());
        call.reply().integer(result.size());
    }

    private static SortedSetValue combine(Call call, Request request, Operation operation) {
        SortedSetValue result = new SortedSetValue(call.server().settings().encodingLimits());
        switch (operation) {
            case UNION -> unite(request, result);
            case INTERSECTION -> intersect(request, result);
            case DIFFERENCE -> subtract(request, result);
        }
        return result;
    }

    private static double weighted(Request request, int source, double score) {
        double value = request.weights[source] * score;
        return Double.isNaN(value) ? 0 : value;
    }

    private static void unite(Request request, SortedSetValue result) {
        for (int s = 0; s < request.sources.length; s++) {
            ScoredSource source = request.sources[s];
            for (int i = 0; source != null && i < source.size(); i++) {
                double score = weighted(request, s, source.score(i));
                int position = result.find(source.member(i));
                if (position < 0) {
                    result.append(source.member(i), score);
                } else {
                    result.setScore(position, request.aggregate.of(result.score(position), score));
                }
            }
        }
    }

    private static int smallest(ScoredSource[] sources) {
        int smallest = 0;
        for (int s = 0; s < sources.length; s++) {
            if (sources[s] == null) {
                return -1;
            }
            smallest = sources[s].size() < sources[smallest].size() ? s : smallest;
        }
        return smallest;
    }

    private static void intersect(Request request, SortedSetValue result) {
        int smallest = smallest(request.sources);
        for (int i = 0; smallest >= 0 && i < request.sources[smallest].size(); i++) {
            byte[] member = request.sources[smallest].member(i);
            double score = 0;
            boolean isCommon = true;
            for (int s = 0; s < request.sources.length && isCommon; s++) {
                int position = request.sources[s].find(member);
                isCommon = position >= 0;
                if (isCommon) {
                    double next = weighted(request, s, request.sources[s].score(position));
                    score = s == 0 ? next : request.aggregate.of(score, next);
                }
            }
            if (isCommon) {
                result.append(member, score);
            }
        }
    }

    private static void subtract(Request request, SortedSetValue result) {
        ScoredSource first = request.sources[0];
        for (int i = 0; first != null && i < first.size(); i++) {
            boolean isFound = false;
            for (int s = 1; s < request.sources.length && !isFound; s++) {
                isFound = request.sources[s] != null && request.sources[s].find(first.member(i)) >= 0;
            }
            if (!isFound) {
                result.append(first.member(i), first.score(i));
            }
        }
    }

    private static void countCommon(Call call) {
        ScoredSource[] sources = new ScoredSource[keys(call, 1)];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = source(call.read(2 + i));
        }
        CardinalityRequest cardinality = CardinalityRequest.parseLimit(call, sources.length);
        int smallest = smallest(sources);
        long found = 0;
        for (int i = 0; smallest >= 0 && i < sources[smallest].size() && found < cardinality.limit(); i++) {
            boolean isCommon = true;
            for (int s = 0; s < sources.length && isCommon; s++) {
                isCommon = sources[s].find(sources[smallest].member(i)) >= 0;
            }
            found += isCommon ? 1 : 0;
        }
        call.reply().integer(found);
    }
}
