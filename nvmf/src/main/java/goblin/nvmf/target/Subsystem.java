// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Namespaces under one name, the hosts that may see them and the controllers that they see them through. Any thread;
 * changes are rare, what loops read is never half changed.
 */
public final class Subsystem {
    /** The highest number of an ANA group. */
    public static final int MAX_ANA_GROUP = 128;

    private final Target target;
    private final SubsystemOptions options;
    private final Map<Integer, Controller> controllers = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Integer, AnaGroup> anaGroups = new ConcurrentSkipListMap<>();
    private final SmartCounters smart = new SmartCounters(System.nanoTime());
    private final AtomicLong anaChanges = new AtomicLong();
    private final List<Runnable> drained = new ArrayList<>();
    private volatile NamespaceTable namespaces = NamespaceTable.EMPTY;
    private volatile HostPolicy hosts;
    private volatile boolean draining;
    private int nextController;

    Subsystem(final Target target, final SubsystemOptions options) {
        this.target = target;
        this.options = options;
        hosts = new HostPolicy(options.anyHost(), options.hosts());
        nextController = options.firstController();
    }

    /**
     * Its name.
     *
     * @return constant
     */
    public String nqn() {
        return options.nqn();
    }

    /**
     * Its serial number.
     *
     * @return constant
     */
    public String serial() {
        return options.serial();
    }

    /**
     * Its model.
     *
     * @return constant
     */
    public String model() {
        return options.model();
    }

    /**
     * What it was when it was added.
     *
     * @return constant
     */
    public SubsystemOptions options() {
        return options;
    }

    /**
     * Tells whether it is that of discovery.
     *
     * @return constant
     */
    public boolean isDiscovery() {
        return options.nqn().equals(Nqn.DISCOVERY);
    }

    /**
     * The target it belongs to.
     *
     * @return constant
     */
    public Target target() {
        return target;
    }

    /**
     * Its namespaces now.
     *
     * @return a table that does not change
     */
    public NamespaceTable namespaces() {
        return namespaces;
    }

    /**
     * Adds a namespace and tells the hosts.
     *
     * @param nsid      its identifier, up to {@link NamespaceTable#MAX_NSID}; 0 for the lowest free one
     * @param namespace the medium
     * @param anaGroup  its ANA group, 1 to {@link #MAX_ANA_GROUP}
     * @return the entry
     * @throws NamespaceException when the identifier is in use or out of range
     */
    public NamespaceEntry addNamespace(final int nsid, final Namespace namespace, final int anaGroup)
            throws NamespaceException {
        final NamespaceEntry entry;
        synchronized (this) {
            final NamespaceTable before = namespaces;
            final int chosen = nsid == 0 ? before.lowestFree() : nsid;
            if (chosen < 1 || chosen > NamespaceTable.MAX_NSID) {
                throw new NamespaceException(nsid == 0 ? "no namespace identifier is left" : "no such nsid: " + nsid);
            }
            if (before.find(chosen) != null) {
                throw new NamespaceException("nsid " + chosen + " is in use");
            }
            entry = new NamespaceEntry(chosen, namespace, anaGroup(anaGroup));
            namespaces = before.with(entry);
            anaChanges.incrementAndGet();
        }
        namespaceChanged(entry.nsid(), true);
        return entry;
    }

    /**
     * Takes a namespace away and tells the hosts. It is retired: what has started finishes. The caller closes the medium,
     * on a thread that may wait.
     *
     * @param nsid its identifier
     * @return the medium
     * @throws NamespaceException when there is none
     */
    public Namespace removeNamespace(final int nsid) throws NamespaceException {
        final NamespaceEntry entry;
        synchronized (this) {
            entry = existing(nsid);
            namespaces = namespaces.without(nsid);
            anaChanges.incrementAndGet();
        }
        entry.namespace().retire();
        namespaceChanged(nsid, true);
        return entry.namespace();
    }

    /**
     * Changes the size of a namespace and tells the hosts.
     *
     * @param nsid   its identifier
     * @param blocks 1 or more
     * @throws NamespaceException when there is none, or its medium refuses
     */
    public void resizeNamespace(final int nsid, final long blocks) throws NamespaceException {
        existing(nsid).namespace().resize(blocks);
        namespaceChanged(nsid, false);
    }

    /**
     * Changes how a group of namespaces is reached and tells the hosts.
     *
     * @param group 1 to {@link #MAX_ANA_GROUP}
     * @param state from now on
     */
    public void anaState(final int group, final AnaState state) {
        synchronized (this) {
            anaGroup(group).state(state);
            anaChanges.incrementAndGet();
        }
        tell(AsyncEvent.ANA_CHANGE);
    }

    /**
     * The ANA groups there are.
     *
     * @return a copy, by number ascending
     */
    public List<AnaGroup> anaGroups() {
        return List.copyOf(anaGroups.values());
    }

    /**
     * Counts changes of what the ANA log says.
     *
     * @return 0 or more
     */
    public long anaChangeCount() {
        return anaChanges.get();
    }

    /**
     * Tells whether some medium has a cache that a flush empties.
     *
     * @return as of now
     */
    public boolean hasVolatileCache() {
        final NamespaceTable now = namespaces;
        for (int nsid = 1; nsid <= now.highestNsid(); nsid++) {
            final NamespaceEntry entry = now.find(nsid);
            if (entry != null && entry.namespace().traits().volatileCache()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Tells whether a host may connect.
     *
     * @param host its name
     * @return as of now
     */
    public boolean allows(final String host) {
        return hosts.allows(host);
    }

    /**
     * Lets a host in.
     *
     * @param host its name
     */
    public void allowHost(final String host) {
        if (!Nqn.isValid(host)) {
            throw new IllegalArgumentException("not a name of a host: " + host);
        }
        synchronized (this) {
            hosts = hosts.with(host);
        }
        target.discoveryChanged();
    }

    /**
     * Takes a host off the list. Its associations end unless every host is let in.
     *
     * @param host its name
     */
    public void denyHost(final String host) {
        synchronized (this) {
            hosts = hosts.without(host);
        }
        endForbidden();
    }

    /**
     * Lets every host in, or only those on the list; the associations of others end then.
     *
     * @param yes whether every host
     */
    public void allowAnyHost(final boolean yes) {
        synchronized (this) {
            hosts = hosts.withAny(yes);
        }
        endForbidden();
    }

    /**
     * Tells whether every host is let in.
     *
     * @return as of now
     */
    public boolean allowsAnyHost() {
        return hosts.any();
    }

    /**
     * The hosts on the list.
     *
     * @return as of now
     */
    public Set<String> allowedHosts() {
        return hosts.hosts();
    }

    /**
     * The controllers there are, those whose association has ended and that wait for storage included.
     *
     * @return a copy
     */
    public List<Controller> controllers() {
        return List.copyOf(controllers.values());
    }

    /**
     * Gets ready for a restart: Connects are answered "busy", so that hosts try again, I/O commands that have not started do
     * not start, and each association ends when those that have are answered, or after {@value Controller#DRAIN_MS} ms.
     * Hosts keep what was not answered and send it again when they are back.
     *
     * @param reason   one line for the log
     * @param whenDone called once when nothing is at storage any more, on any thread
     */
    public void drain(final String reason, final Runnable whenDone) {
        synchronized (drained) {
            draining = true;
            drained.add(whenDone);
        }
        controllers.values().forEach(controller -> controller.drain(reason));
        checkDrained();
    }

    /** Refuses Connects as {@link #drain} does, and ends associations at once. */
    void stop(final String reason) {
        draining = true;
        controllers.values().forEach(controller -> controller.end(reason, false));
    }

    /** Takes Connects again. */
    public void resume() {
        draining = false;
    }

    /**
     * Tells whether it refuses Connects for now.
     *
     * @return from {@link #drain} to {@link #resume}
     */
    public boolean isDraining() {
        return draining;
    }

    /** Tells the hosts that want to know that something happened. */
    void tell(final AsyncEvent event) {
        controllers
                .values()
                .forEach(controller -> controller.post(() -> controller.events().raise(event)));
    }

    SmartCounters smart() {
        return smart;
    }

    Controller controller(final int id) {
        return controllers.get(id);
    }

    /** Makes a controller for an admin queue; null when no identifier is left. */
    Controller newController(final TargetQueue admin, final ConnectData data) {
        synchronized (controllers) {
            final int ids = options.lastController() - options.firstController() + 1;
            if (controllers.size() >= ids) {
                return null;
            }
            // Identifiers come round late, so that a host does not take a new controller for its old one.
            int id = nextController;
            while (controllers.containsKey(id)) {
                id = following(id);
            }
            nextController = following(id);
            final Controller controller = new Controller(this, id, admin, data);
            controllers.put(id, controller);
            return controller;
        }
    }

    /** Nothing of an association is left; its identifier may be used again. */
    void release(final Controller controller) {
        controllers.remove(controller.id(), controller);
        checkDrained();
    }

    private int following(final int id) {
        return id == options.lastController() ? options.firstController() : id + 1;
    }

    private AnaGroup anaGroup(final int group) {
        if (group < 1 || group > MAX_ANA_GROUP) {
            throw new IllegalArgumentException("ANA groups are 1 to " + MAX_ANA_GROUP + ", not " + group);
        }
        return anaGroups.computeIfAbsent(group, AnaGroup::new);
    }

    private NamespaceEntry existing(final int nsid) throws NamespaceException {
        final NamespaceEntry entry = namespaces.find(nsid);
        if (entry == null) {
            throw new NamespaceException("there is no namespace " + nsid);
        }
        return entry;
    }

    private void namespaceChanged(final int nsid, final boolean groupChanged) {
        for (final Controller controller : controllers.values()) {
            controller.post(() -> {
                controller.changedNamespaces().add(nsid);
                controller.events().raise(AsyncEvent.NAMESPACE_ATTRIBUTE);
                if (groupChanged) {
                    controller.events().raise(AsyncEvent.ANA_CHANGE);
                }
            });
        }
    }

    private void endForbidden() {
        for (final Controller controller : controllers.values()) {
            if (!allows(controller.hostNqn())) {
                controller.end("the host is not allowed any more", false);
            }
        }
        target.discoveryChanged();
    }

    private void checkDrained() {
        final List<Runnable> waiting;
        synchronized (drained) {
            if (drained.isEmpty() || !controllers.isEmpty()) {
                return;
            }
            waiting = List.copyOf(drained);
            drained.clear();
        }
        waiting.forEach(Runnable::run);
    }
}
