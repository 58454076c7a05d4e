// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** All workloads, in the order in which they are measured, and who takes part in each. */
final class Workloads implements AutoCloseable {
    /** Their names on the command line. */
    static final List<String> NAMES = List.of(
            "closed",
            "fanout",
            "pipelined",
            "channels",
            "patterns",
            "idle",
            "publish",
            "keys",
            "memory",
            "stalled",
            "gathering",
            "loops");

    private final Set<Contender> contenders = new LinkedHashSet<>();
    private final List<Workload> all = new ArrayList<>();
    private final boolean fresh;

    /**
     * Prepares them; servers start when they are measured first.
     *
     * @param peers further sides, after ours and Redis
     */
    Workloads(final Contenders makers, final Scale scale, final List<Contender> peers) {
        final Contender ours = makers.edge("edge", "");
        final List<Contender> sides = new ArrayList<>(List.of(ours, makers.redis()));
        sides.addAll(peers);
        final Contender direct = makers.edge("without", "-Dgoblin.edge.gathering=off");
        final Contender first = makers.edge("first direct", "-Dgoblin.edge.gathering=first");
        final Contender twoLoops = makers.loops("two loops", 2);
        final Contender oneLoop = makers.loops("one loop", 1);
        contenders.addAll(sides);
        contenders.addAll(List.of(direct, first, twoLoops, oneLoop));
        // Every start takes a second.
        fresh = !scale.quick();
        final ClosedLoops closed = new ClosedLoops(scale);
        final Fanouts fanouts = new Fanouts(scale);
        final Names names = new Names(scale);
        final BenchmarkLoads loads = new BenchmarkLoads(scale, makers.folder(), makers.client());
        add("closed", "Closed loop, one publisher and one subscriber, polling", sides, closed.bySize());
        add("fanout", "One channel, many subscribers, one publication at a time", sides, fanouts.single());
        add("pipelined", "One channel, many subscribers, 16 publications at once", sides, fanouts.pipelined());
        add("channels", "One subscriber of many channels", sides, names.channels());
        add("patterns", "One subscriber of many patterns", sides, names.patterns());
        add("idle", "Closed loop beside clients that do nothing", sides, List.of(closed.besideIdleClients()));
        add("publish", "Pipelined publishers", sides, loads.publish());
        add("keys", "SET and GET; at the edge they go through it to its host", sides, loads.keys());
        final MemoryLoads memory = new MemoryLoads(scale);
        addFresh("memory", "Resident memory by subscribers", sides, List.of(memory.subscribers()));
        addFresh("stalled", "Subscribers that do not read", sides, memory.stalled());
        final List<Case> gathered = new ArrayList<>(closed.bySize().subList(0, 1));
        gathered.addAll(fanouts.pipelined());
        add(
                "gathering",
                "Messages of a turn gathered into one send, each sent by itself, and the first by itself",
                List.of(ours, direct, first),
                gathered.stream().map(Case::withoutAims).toList());
        add(
                "loops",
                "Two loops on two CPUs, and one",
                List.of(twoLoops, oneLoop),
                List.of(new LoopLoads(scale).fanout()));
    }

    private void add(final String name, final String title, final List<Contender> sides, final List<Case> cases) {
        all.add(new Workload(name, title, sides, false, cases));
    }

    private void addFresh(final String name, final String title, final List<Contender> sides, final List<Case> cases) {
        all.add(new Workload(name, title, sides, fresh, cases));
    }

    /** Those with one of these names; all when there is none. */
    List<Workload> named(final List<String> names) {
        return all.stream()
                .filter(workload -> names.isEmpty() || names.contains(workload.name()))
                .toList();
    }

    @Override
    public void close() {
        contenders.forEach(Contender::close);
    }
}
