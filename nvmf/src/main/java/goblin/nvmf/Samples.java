// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.net.TransportCounter;
import goblin.nvmf.target.NamespaceEntry;
import goblin.nvmf.target.NamespaceTable;
import goblin.nvmf.target.RefusalReason;
import goblin.nvmf.target.Subsystem;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetCounter;
import goblin.nvmf.tcp.RequestEntries;
import goblin.nvmf.tcp.TcpCounter;
import goblin.nvmf.tcp.TcpTarget;
import java.util.ArrayList;
import java.util.List;

/** All figures of the process, each with a bounded set of labels: subsystems and causes, never hosts. Any thread. */
final class Samples {
    private static final String CAUSE = "reason";
    private static final String SUBSYSTEM = "subsystem";

    private final Target target;
    private final TcpTarget network;

    Samples(final Target target, final TcpTarget network) {
        this.target = target;
        this.network = network;
    }

    /** The figures of now; perhaps a little old. */
    List<Sample> all() {
        final List<Sample> all = new ArrayList<>();
        for (final TargetCounter counter : TargetCounter.values()) {
            all.add(new Sample(
                    "nvmf_" + counter.label(),
                    counter.help(),
                    true,
                    List.of(),
                    target.counters().get(counter)));
        }
        for (final RefusalReason reason : RefusalReason.values()) {
            all.add(new Sample(
                    "nvmf_connects_refused",
                    "Connects refused",
                    true,
                    List.of(CAUSE, reason.label()),
                    target.counters().get(reason)));
        }
        for (final Subsystem subsystem : target.subsystems()) {
            all.add(gauge(
                    "nvmf_controllers",
                    "Controllers there are",
                    subsystem,
                    subsystem.controllers().size()));
        }
        for (final Subsystem subsystem : target.subsystems()) {
            all.add(gauge(
                    "nvmf_namespaces",
                    "Namespaces there are",
                    subsystem,
                    subsystem.namespaces().count()));
        }
        for (final Subsystem subsystem : target.subsystems()) {
            all.add(new Sample(
                    "nvmf_payload_copied_alignment_bytes",
                    "Bytes copied because they did not lie as a medium used directly wants it; of the namespaces there are",
                    true,
                    List.of(SUBSYSTEM, subsystem.nqn()),
                    copied(subsystem.namespaces())));
        }
        for (final TcpCounter counter : TcpCounter.values()) {
            all.add(new Sample(counter.label(), counter.help(), counter.grows(), List.of(), network.counter(counter)));
        }
        final RequestEntries entries = network.entries();
        all.add(plain(
                "nvmf_tcp_request_entries_p50", "entries in which half of the writes had their data", entries.p50()));
        all.add(plain("nvmf_tcp_request_entries_p99", "entries in which 99 of 100 writes had it", entries.p99()));
        all.add(plain("nvmf_tcp_request_entries_most", "the most entries that a write had", entries.most()));
        for (final TransportCounter counter : TransportCounter.values()) {
            all.add(new Sample(counter.label(), counter.help(), true, List.of(), network.counter(counter)));
        }
        return all;
    }

    /** The same, and how many requests had their data in how many entries, which are too many figures to keep. */
    List<Sample> detailed() {
        final List<Sample> all = all();
        final long[] requests = network.requestsByEntries();
        for (int entries = 0; entries < requests.length; entries++) {
            if (requests[entries] > 0) {
                all.add(new Sample(
                        "nvmf_tcp_requests_by_entries",
                        "requests that had their data in so many entries",
                        true,
                        List.of("entries", Integer.toString(entries)),
                        requests[entries]));
            }
        }
        return all;
    }

    private static long copied(final NamespaceTable namespaces) {
        long bytes = 0;
        for (int nsid = 1; nsid <= namespaces.highestNsid(); nsid++) {
            final NamespaceEntry entry = namespaces.find(nsid);
            bytes += entry == null ? 0 : entry.namespace().copiedBytes();
        }
        return bytes;
    }

    private static Sample plain(final String name, final String help, final long value) {
        return new Sample(name, help, false, List.of(), value);
    }

    private static Sample gauge(final String name, final String help, final Subsystem subsystem, final long value) {
        return new Sample(name, help, false, List.of(SUBSYSTEM, subsystem.nqn()), value);
    }
}
