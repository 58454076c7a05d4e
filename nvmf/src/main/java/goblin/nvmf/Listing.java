// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.nvmf.target.Controller;
import goblin.nvmf.target.NamespaceEntry;
import goblin.nvmf.target.NamespaceTable;
import goblin.nvmf.target.Nqn;
import goblin.nvmf.target.Subsystem;
import goblin.nvmf.target.Target;
import goblin.nvmf.tcp.TcpTarget;
import java.util.Comparator;
import java.util.Locale;
import java.util.TreeSet;

/** What {@code goblin-nvmf-ctl list} shows. */
final class Listing {
    private final Target target;
    private final TcpTarget network;
    private final StringBuilder text = new StringBuilder();

    Listing(final Target target, final TcpTarget network) {
        this.target = target;
        this.network = network;
    }

    String text() {
        target.subsystems().forEach(this::add);
        controllers(target.subsystem(Nqn.DISCOVERY), "discovery controller");
        for (final TcpTarget.ConnectionInfo connection : network.connections()) {
            text.append("connection from ").append(connection.peer());
            text.append(" to ").append(connection.local());
            text.append(": ").append(connection.queue());
            text.append(", loop ").append(connection.loop()).append('\n');
        }
        return text.toString();
    }

    private void add(final Subsystem subsystem) {
        text.append("subsystem ").append(subsystem.nqn());
        text.append(" serial ").append(subsystem.serial());
        text.append(" model ").append(subsystem.model());
        text.append(subsystem.isDraining() ? " (drained)\n" : "\n");
        text.append("  hosts: ").append(hosts(subsystem)).append('\n');
        final NamespaceTable table = subsystem.namespaces();
        for (int nsid = 1; nsid <= table.highestNsid(); nsid++) {
            final NamespaceEntry entry = table.find(nsid);
            if (entry != null) {
                add(entry);
            }
        }
        controllers(subsystem, "  controller");
    }

    private static String hosts(final Subsystem subsystem) {
        if (subsystem.allowsAnyHost()) {
            return "any";
        }
        final var allowed = subsystem.allowedHosts();
        return allowed.isEmpty() ? "none" : String.join(" ", new TreeSet<>(allowed));
    }

    private void add(final NamespaceEntry entry) {
        final var namespace = entry.namespace();
        text.append("  namespace ").append(entry.nsid());
        text.append(": ").append(NvmfLog.visible(namespace.specification()));
        text.append(", ").append(namespace.blocks()).append(" blocks of ").append(namespace.blockBytes());
        text.append(" bytes, uuid ").append(namespace.identity().uuid());
        text.append(", ANA group ").append(entry.anaGroup()).append(' ');
        text.append(entry.anaState().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        text.append('\n');
    }

    private void controllers(final Subsystem subsystem, final String what) {
        subsystem.controllers().stream()
                .sorted(Comparator.comparingInt(Controller::id))
                .forEach(controller -> {
                    text.append(what).append(' ').append(controller.id());
                    text.append(": host ").append(Nqn.printable(controller.hostNqn()));
                    text.append(" from ").append(controller.peerName());
                    text.append(", ").append(controller.ioQueueCount()).append(" I/O queues");
                    text.append(controller.hasEnded() ? " (ended, waits for storage)\n" : "\n");
                });
    }
}
