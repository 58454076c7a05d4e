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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Opens media and puts them into subsystems; may wait for files, and one that waits delays no other. Any thread but a
 * loop's.
 *
 * <p>A file's identity comes from its NSID, so one that belonged to a medium is not given to another by itself: hosts would
 * take the new medium for the old one and go on where they were.
 */
final class Media implements AutoCloseable {
    private final StorageWorkers workers;

    // By the subsystem's NQN: every NSID that a medium has had in this process, and those that media are being opened
    // for.
    private final Map<String, BitSet> used = new HashMap<>();
    private final Map<String, BitSet> opening = new HashMap<>();
    private final Set<Namespace> open = new LinkedHashSet<>();
    private boolean closing;

    /** Makes it with so many threads that wait for files. */
    Media(final int storageThreads) {
        workers = new StorageWorkers(storageThreads);
    }

    /**
     * Adds a namespace to a subsystem.
     *
     * @param nsid 0 for the one in the specification, or else the lowest that no medium has had yet
     */
    NamespaceEntry add(
            final Subsystem subsystem,
            final NamespaceSpec spec,
            final int nsid,
            final int blockBytes,
            final int anaGroup)
            throws NamespaceException {
        // The number is part of the identity, so it is chosen before the medium is opened.
        final int chosen = reserve(subsystem, spec, nsid);
        try {
            final Namespace namespace = Namespaces.open(spec, blockBytes, subsystem.nqn(), chosen, workers);
            try {
                return enter(subsystem, chosen, namespace, anaGroup);
            } catch (final NamespaceException | RuntimeException e) {
                namespace.close();
                throw e;
            }
        } finally {
            synchronized (this) {
                of(opening, subsystem).clear(chosen);
            }
        }
    }

    private synchronized NamespaceEntry enter(
            final Subsystem subsystem, final int nsid, final Namespace namespace, final int anaGroup)
            throws NamespaceException {
        if (closing) {
            throw new NamespaceException("the target ends");
        }
        final NamespaceEntry entry = subsystem.addNamespace(nsid, namespace, anaGroup);
        of(used, subsystem).set(nsid);
        open.add(namespace);
        return entry;
    }

    /** Removes a namespace, and waits until what has started is done and durable. */
    void remove(final Subsystem subsystem, final int nsid) throws NamespaceException {
        final Namespace namespace = subsystem.removeNamespace(nsid);
        try {
            namespace.closeDurably();
        } finally {
            synchronized (this) {
                open.remove(namespace);
            }
        }
    }

    /**
     * Takes no more media, makes what was written durable and closes all, side by side, those included that are being
     * removed.
     *
     * @param seconds how long to wait for them
     * @return a line for each that failed, or was not done in time
     */
    List<String> closeAll(final long seconds) {
        final List<Namespace> all;
        synchronized (this) {
            closing = true;
            all = List.copyOf(open);
        }
        return closeAll(all, seconds);
    }

    /** Closes media side by side, so that one that hangs keeps no other from being durable. */
    static List<String> closeAll(final List<Namespace> all, final long seconds) {
        final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        final Set<Namespace> waiting = ConcurrentHashMap.newKeySet();
        waiting.addAll(all);
        final CountDownLatch done = new CountDownLatch(all.size());
        for (final Namespace namespace : all) {
            final Thread thread = new Thread(
                    () -> {
                        try {
                            namespace.closeDurably();
                        } catch (final NamespaceException lost) {
                            failures.add(lost.getMessage());
                        } catch (final Throwable failure) {
                            failures.add(namespace.specification() + " failed at its end: " + failure);
                        } finally {
                            waiting.remove(namespace);
                            done.countDown();
                        }
                    },
                    "closing " + namespace.specification());
            thread.setDaemon(true);
            thread.start();
        }
        try {
            if (!done.await(seconds, TimeUnit.SECONDS)) {
                waiting.forEach(namespace -> failures.add(namespace.specification() + " does not end, within " + seconds
                        + " s; what was not flushed may be lost"));
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            failures.add("the wait for media was interrupted");
        }
        return List.copyOf(failures);
    }

    private synchronized int reserve(final Subsystem subsystem, final NamespaceSpec spec, final int nsid)
            throws NamespaceException {
        final int chosen = chosen(subsystem, spec, nsid);
        if (chosen > NamespaceTable.MAX_NSID) {
            throw new NamespaceException("NSID " + chosen + ": allowed is 1 to " + NamespaceTable.MAX_NSID);
        }
        if (subsystem.namespaces().find(chosen) != null
                || of(opening, subsystem).get(chosen)) {
            throw new NamespaceException("NSID " + chosen + " is in use");
        }
        of(opening, subsystem).set(chosen);
        return chosen;
    }

    private int chosen(final Subsystem subsystem, final NamespaceSpec spec, final int nsid) throws NamespaceException {
        if (nsid != 0 && spec.nsid() != 0 && nsid != spec.nsid()) {
            throw new NamespaceException("NSID " + nsid + " and " + spec.nsid() + " are given, one is possible");
        }
        if (nsid != 0 || spec.nsid() != 0) {
            return Math.max(nsid, spec.nsid());
        }
        final BitSet taken = (BitSet) of(used, subsystem).clone();
        taken.or(of(opening, subsystem));
        final int fresh = taken.nextClearBit(1);
        if (fresh > NamespaceTable.MAX_NSID) {
            throw new NamespaceException("every NSID belonged to a namespace already; nsid=N takes one again");
        }
        return fresh;
    }

    private static BitSet of(final Map<String, BitSet> bits, final Subsystem subsystem) {
        return bits.computeIfAbsent(subsystem.nqn(), nqn -> new BitSet());
    }

    /** Ends the threads that wait for files; after {@link #closeAll}. */
    @Override
    public void close() {
        workers.close();
    }
}
