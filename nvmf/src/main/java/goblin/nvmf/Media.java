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

/** Opens media and puts them into subsystems, one after the other; may wait for files. Any thread but a loop's. */
final class Media implements AutoCloseable {
    private final StorageWorkers workers = new StorageWorkers(StorageWorkers.DEFAULT_THREADS);

    /**
     * Adds a namespace to a subsystem.
     *
     * @param nsid 0 for the lowest free one
     */
    synchronized NamespaceEntry add(
            final Subsystem subsystem,
            final NamespaceSpec spec,
            final int nsid,
            final int blockBytes,
            final int anaGroup)
            throws NamespaceException {
        // The number is part of the identity, so it is chosen before the medium is opened.
        final int chosen = nsid == 0 ? lowestFree(subsystem.namespaces()) : nsid;
        if (subsystem.namespaces().find(chosen) != null) {
            throw new NamespaceException("NSID " + chosen + " is in use");
        }
        final Namespace namespace = Namespaces.open(spec, blockBytes, subsystem.nqn(), chosen, workers);
        try {
            return subsystem.addNamespace(chosen, namespace, anaGroup);
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

    private static int lowestFree(final NamespaceTable table) {
        int nsid = 1;
        while (table.find(nsid) != null) {
            nsid++;
        }
        return nsid;
    }

    @Override
    public void close() {
        workers.close();
    }
}
