// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All subsystems of a process, whatever carries their commands. Any thread may call it; connections are opened on their
 * loops.
 */
public final class Target {
    private final TargetOptions options;
    private final RateLimitedLog log;
    private final TargetCounters counters = new TargetCounters();
    private final Refusals refusals = new Refusals();
    private final AtomicLong discoveryGeneration = new AtomicLong(1);
    private final Subsystem discovery;
    private final DiscoveryPortals portals = new DiscoveryPortals(this::discoveryChanged);
    private volatile Map<String, Subsystem> subsystems = Map.of();

    /**
     * Makes a target without subsystems but that of discovery.
     *
     * @param options its limits
     * @param log     told of what people should know
     */
    public Target(final TargetOptions options, final TargetLog log) {
        this.options = options;
        this.log = new RateLimitedLog(log);
        discovery = new Subsystem(this, SubsystemOptions.named(Nqn.DISCOVERY).withAnyHost());
    }

    /**
     * Makes a target that tells standard error.
     *
     * @param options its limits
     */
    public Target(final TargetOptions options) {
        this(options, TargetLog.STANDARD_ERROR);
    }

    /**
     * A connection has come; only a Connect is taken from it at first. On the connection's loop.
     *
     * @param transport the connection
     * @return its queue
     */
    public QueuePair open(final QueueTransport transport) {
        return new TargetQueue(this, transport);
    }

    /**
     * Adds a subsystem without namespaces.
     *
     * @param subsystem what it is
     * @return the subsystem
     * @throws IllegalArgumentException when there is one of that name
     */
    public Subsystem addSubsystem(final SubsystemOptions subsystem) {
        final Subsystem added = new Subsystem(this, subsystem);
        synchronized (this) {
            final Map<String, Subsystem> more = new LinkedHashMap<>(subsystems);
            if (subsystem.nqn().equals(Nqn.DISCOVERY) || more.putIfAbsent(subsystem.nqn(), added) != null) {
                throw new IllegalArgumentException("there is a subsystem " + subsystem.nqn());
            }
            subsystems = Collections.unmodifiableMap(more);
        }
        discoveryChanged();
        return added;
    }

    /**
     * Takes a subsystem away: no Connect finds it any more, its associations end. Its namespaces are not closed.
     *
     * @param nqn its name
     * @return the subsystem, null when there was none
     */
    public Subsystem removeSubsystem(final String nqn) {
        final Subsystem removed;
        synchronized (this) {
            final Map<String, Subsystem> fewer = new LinkedHashMap<>(subsystems);
            removed = fewer.remove(nqn);
            subsystems = Collections.unmodifiableMap(fewer);
        }
        if (removed != null) {
            removed.stop("subsystem removed");
            discoveryChanged();
        }
        return removed;
    }

    /**
     * The subsystems with namespaces; that of discovery is none of them.
     *
     * @return a snapshot, in the order in which they were added
     */
    public Collection<Subsystem> subsystems() {
        return subsystems.values();
    }

    /**
     * Finds a subsystem.
     *
     * @param nqn its name
     * @return null when there is none; the one of discovery is found
     */
    public Subsystem subsystem(final String nqn) {
        return nqn.equals(Nqn.DISCOVERY) ? discovery : subsystems.get(nqn);
    }

    /**
     * Its limits.
     *
     * @return as given
     */
    public TargetOptions options() {
        return options;
    }

    /**
     * Why hosts were refused.
     *
     * @return shared by all loops
     */
    public Refusals refusals() {
        return refusals;
    }

    /**
     * What was counted.
     *
     * @return shared by all loops
     */
    public TargetCounters counters() {
        return counters;
    }

    /**
     * Ends the associations of all hosts, for the end of the process.
     *
     * @param reason one line for the log
     */
    public void endAll(final String reason) {
        subsystems.values().forEach(subsystem -> subsystem.stop(reason));
        discovery.stop(reason);
    }

    /**
     * Where hosts are told to come.
     *
     * @return shared by all loops; without listeners until somebody adds them
     */
    public DiscoveryPortals portals() {
        return portals;
    }

    /**
     * Counts changes of what the discovery log says.
     *
     * @return 1 or more
     */
    public long discoveryGeneration() {
        return discoveryGeneration.get();
    }

    /** What the discovery log says has changed: counts it and tells the hosts that want to know. */
    public void discoveryChanged() {
        discoveryGeneration.incrementAndGet();
        discovery.tell(AsyncEvent.DISCOVERY_LOG);
    }

    RateLimitedLog log() {
        return log;
    }
}
