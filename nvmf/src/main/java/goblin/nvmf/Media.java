// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.namespace.StorageWorkers;
import goblin.nvmf.target.NamespaceEntry;
import goblin.nvmf.target.NamespaceTable;
import goblin.nvmf.target.Subsystem;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Opens media and puts them into subsystems, one after the other; may wait for files. Any thread but a loop's.
 *
 * <p>A file's identity comes from its NSID, so one that belonged to a medium is not given to another by itself: hosts would
 * take the new medium for the old one and go on where they were.
 */
final class Media implements AutoCloseable {
    private final StorageWorkers workers = new StorageWorkers(StorageWorkers.DEFAULT_THREADS);

    // By the subsystem's NQN: every NSID that a medium has had in this process.
    private final Map<String, BitSet> used = new HashMap<>();

    /**
     * Adds a namespace to a subsystem.
     *
     * @param nsid 0 for the one in the specification, or else the lowest that no medium has had yet
     */
    synchronized NamespaceEntry add(
            final Subsystem subsystem,
            final NamespaceSpec spec,
            final int nsid,
            final int blockBytes,
            final int anaGroup)
            throws NamespaceException {
        // The number is part of the identity, so it is chosen before the medium is opened.
        final int chosen = chosen(subsystem, spec, nsid);
        if (subsystem.namespaces().find(chosen) != null) {
            throw new NamespaceException("NSID " + chosen + " is in use");
        }
        final Namespace namespace = Namespaces.open(spec, blockBytes, subsystem.nqn(), chosen, workers);
        try {
            final NamespaceEntry entry = subsystem.addNamespace(chosen, namespace, anaGroup);
            used(subsystem).set(chosen);
            return entry;
        } catch (final NamespaceException | RuntimeException e) {
            namespace.close();
            throw e;
        }
    }

    /** Removes a namespace, and waits until what has started is done and durable. */
    synchronized void remove(final Subsystem subsystem, final int nsid) throws NamespaceException {
        subsystem.removeNamespace(nsid).close();
    }

    /** Makes what was written durable and closes every medium of a subsystem. */
    synchronized void closeAll(final Subsystem subsystem) {
        final NamespaceTable table = subsystem.namespaces();
        for (int nsid = 1; nsid <= table.highestNsid(); nsid++) {
            final NamespaceEntry entry = table.find(nsid);
            if (entry != null) {
                entry.namespace().close();
            }
        }
    }

    private int chosen(final Subsystem subsystem, final NamespaceSpec spec, final int nsid) throws NamespaceException {
        if (nsid != 0 && spec.nsid() != 0 && nsid != spec.nsid()) {
            throw new NamespaceException("NSID " + nsid + " and " + spec.nsid() + " are given, one is possible");
        }
        if (nsid != 0 || spec.nsid() != 0) {
            return Math.max(nsid, spec.nsid());
        }
        final int fresh = used(subsystem).nextClearBit(1);
        if (fresh > NamespaceTable.MAX_NSID) {
            throw new NamespaceException("every NSID belonged to a namespace already; nsid=N takes one again");
        }
        return fresh;
    }

    private BitSet used(final Subsystem subsystem) {
        return used.computeIfAbsent(subsystem.nqn(), nqn -> new BitSet());
    }

    @Override
    public void close() {
        workers.close();
    }
}
