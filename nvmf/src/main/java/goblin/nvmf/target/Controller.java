// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

/**
 * One host's association with a subsystem: its properties, features, events and queues. Its state belongs to the loop of
 * its admin queue; other loops read volatile fields, attach and detach queues under its lock, or {@link #post}.
 */
public final class Controller {
    /** A persistent discovery controller without Keep Alive, or one that is not enabled, may be silent this long. */
    static final long IDLE_MS = 120_000;

    /** How long commands may take that have started when the association is drained. */
    static final long DRAIN_MS = 5_000;

    private final Subsystem subsystem;
    private final int id;
    private final TargetQueue admin;
    private final String hostNqn;
    private final byte[] hostId;
    private final Features features;
    private final AsyncEvents events;
    private final ChangedNamespaces changedNamespaces = new ChangedNamespaces();
    private final ErrorLog errors = new ErrorLog();
    private final CachePromise cachePromise = new CachePromise();
    private final KeepAlive keepAlive;
    private final Map<Integer, TargetQueue> ioQueues = new HashMap<>();
    private final Set<TargetQueue> busy = new HashSet<>();
    private String drainReason;
    private boolean adminAttached = true;
    private boolean disabling;
    private int abortsUnderWay;
    private int shutdowns;
    private volatile int cc;
    private volatile int csts;
    private volatile boolean enabled;
    private volatile boolean ended;

    Controller(final Subsystem subsystem, final int id, final TargetQueue admin, final ConnectData data) {
        this.subsystem = subsystem;
        this.id = id;
        this.admin = admin;
        hostNqn = data.host;
        hostId = data.hostId.clone();
        features = new Features(target().options());
        events = new AsyncEvents(target().counters(), isDiscovery() ? AsyncEvents.OAES_DISCOVERY : AsyncEvents.OAES_IO);
        keepAlive =
                new KeepAlive(admin.transport().loop(), isDiscovery() ? IDLE_MS : 0, IDLE_MS, this::keepAliveExpired);
    }

    /**
     * Its identifier in the subsystem.
     *
     * @return 1 to {@link SubsystemOptions#MAX_CONTROLLER}
     */
    public int id() {
        return id;
    }

    /**
     * The host it belongs to.
     *
     * @return its name
     */
    public String hostNqn() {
        return hostNqn;
    }

    /**
     * From where the host came with its admin queue.
     *
     * @return for people
     */
    public String peerName() {
        return admin.peerName();
    }

    /**
     * The subsystem it shows.
     *
     * @return constant
     */
    public Subsystem subsystem() {
        return subsystem;
    }

    /**
     * Tells whether it is a discovery controller.
     *
     * @return constant
     */
    public boolean isDiscovery() {
        return subsystem.isDiscovery();
    }

    /**
     * How many I/O queues are connected.
     *
     * @return as of now
     */
    public int ioQueueCount() {
        synchronized (this) {
            return ioQueues.size();
        }
    }

    /**
     * Tells whether its association has ended and it only waits for storage.
     *
     * @return as of now
     */
    public boolean hasEnded() {
        return ended;
    }

    Target target() {
        return subsystem.target();
    }

    byte[] hostId() {
        return hostId.clone();
    }

    boolean isHost(final ConnectData data) {
        return hostNqn.equals(data.host);
    }

    boolean hasHostId(final byte[] other) {
        return Arrays.equals(hostId, other);
    }

    Features features() {
        return features;
    }

    AsyncEvents events() {
        return events;
    }

    ChangedNamespaces changedNamespaces() {
        return changedNamespaces;
    }

    ErrorLog errors() {
        return errors;
    }

    CachePromise cachePromise() {
        return cachePromise;
    }

    KeepAlive keepAlive() {
        return keepAlive;
    }

    TargetQueue admin() {
        return admin;
    }

    /** Takes admin commands other than those of Fabrics. */
    boolean isEnabled() {
        return enabled;
    }

    int configuration() {
        return cc;
    }

    int status() {
        return csts;
    }

    String name() {
        return "controller " + id + " of " + subsystem.nqn() + " (" + Nqn.printable(hostNqn) + ")";
    }

    /** The host has read a log page whole and wants to hear of its next change. On the admin queue's loop. */
    void logRead(final int logPage) {
        if (logPage == AsyncEvent.NAMESPACE_ATTRIBUTE.logPage) {
            changedNamespaces.clear();
        }
        events.logRead(logPage);
    }

    /** Runs something on the admin queue's loop, unless the association has ended. Any thread. */
    void post(final Runnable what) {
        try {
            admin.transport().loop().execute(() -> {
                if (!ended) {
                    what.run();
                }
            });
        } catch (final RejectedExecutionException gone) {
            // The loop has ended, and with it the connection.
            end("loop ended", false);
        }
    }

    /** An Abort goes to another loop; false when too many do. On the admin queue's loop. */
    boolean beginAbort(final int limit) {
        if (abortsUnderWay == limit) {
            return false;
        }
        abortsUnderWay++;
        return true;
    }

    void endAbort() {
        abortsUnderWay--;
    }

    /** Writes CC. On the admin queue's loop. */
    int configure(final int value) {
        final int before = cc;
        final boolean enable = (value & ControllerProperties.CC_ENABLE) != 0;
        final boolean was = (before & ControllerProperties.CC_ENABLE) != 0;
        if (enable && !was && !ControllerProperties.canEnable(value)) {
            return Status.CONNECT_INVALID_PARAMETERS | Status.DO_NOT_RETRY;
        }
        cc = value;
        if (enable && !was && !disabling) {
            becomeReady();
        } else if (!enable && was) {
            disable();
        }
        if ((value & ControllerProperties.CC_SHUTDOWN) != 0 && (before & ControllerProperties.CC_SHUTDOWN) == 0) {
            shutDown();
        }
        return Status.SUCCESS;
    }

    /** Takes a queue in; null, or why not. Any loop. */
    synchronized RefusalReason attach(final TargetQueue queue, final int qid) {
        if (ended || drainReason != null) {
            return RefusalReason.UNKNOWN_CONTROLLER;
        }
        if (!enabled || !ControllerProperties.hasEntrySizes(cc)) {
            return RefusalReason.CONTROLLER_NOT_READY;
        }
        if (qid > features.grantedQueues()) {
            return RefusalReason.QUEUE_ID;
        }
        return ioQueues.putIfAbsent(qid, queue) == null ? null : RefusalReason.QUEUE_IN_USE;
    }

    /** A queue's connection is closed and everything it had at storage is back. Any loop. */
    void detach(final TargetQueue queue) {
        final boolean done;
        final boolean drained;
        synchronized (this) {
            if (queue == admin) {
                adminAttached = false;
            } else {
                ioQueues.remove(queue.qid(), queue);
            }
            done = ended && !adminAttached && ioQueues.isEmpty();
            drained = disabling && ioQueues.isEmpty();
        }
        if (done) {
            subsystem.release(this);
        } else if (drained) {
            post(this::finishDisabling);
        }
        quiet(queue);
    }

    /**
     * Ends the association between commands: none of I/O starts any more, those that have started are answered, but not
     * waited for longer than {@value #DRAIN_MS} ms. Any thread.
     */
    void drain(final String reason) {
        final List<TargetQueue> queues;
        synchronized (this) {
            if (ended || drainReason != null) {
                return;
            }
            drainReason = reason;
            queues = List.copyOf(ioQueues.values());
            busy.addAll(queues);
        }
        if (queues.isEmpty()) {
            end(reason, false);
            return;
        }
        queues.forEach(TargetQueue::drain);
        post(() -> admin.transport().loop().schedule(DRAIN_MS * 1_000_000, () -> end(reason, false)));
    }

    /** A queue that was asked to drain has nothing under way, or has gone. Any loop. */
    void quiet(final TargetQueue queue) {
        final String reason;
        synchronized (this) {
            if (!busy.remove(queue) || !busy.isEmpty()) {
                return;
            }
            reason = drainReason;
        }
        end(reason, false);
    }

    synchronized TargetQueue ioQueue(final int qid) {
        return ioQueues.get(qid);
    }

    /** Ends the association: no operation starts any more, all connections are closed. Idempotent; any thread. */
    void end(final String reason, final boolean fatal) {
        final List<TargetQueue> queues;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            enabled = false;
            queues = new ArrayList<>(ioQueues.values());
            queues.add(admin);
            // Before anybody can see the end: by CSTS, by the log.
            queues.forEach(TargetQueue::fence);
            if (fatal) {
                csts |= ControllerProperties.CSTS_FATAL;
            }
        }
        target().counters().add(TargetCounter.ASSOCIATIONS_ENDED);
        target().log().important(fatal ? "fatal" : "end", name() + " ends: " + reason, System.nanoTime());
        queues.forEach(TargetQueue::shut);
    }

    private void becomeReady() {
        synchronized (this) {
            csts = (csts & ControllerProperties.CSTS_FATAL) | ControllerProperties.CSTS_READY;
            enabled = !ended;
        }
        keepAlive.active(true);
    }

    private void disable() {
        final List<TargetQueue> queues;
        synchronized (this) {
            enabled = false;
            disabling = true;
            queues = List.copyOf(ioQueues.values());
        }
        keepAlive.active(false);
        events.reset();
        changedNamespaces.clear();
        queues.forEach(TargetQueue::shut);
        if (queues.isEmpty()) {
            finishDisabling();
        }
    }

    private void finishDisabling() {
        synchronized (this) {
            if (!disabling || !ioQueues.isEmpty()) {
                return;
            }
            disabling = false;
            csts &= ControllerProperties.CSTS_FATAL;
        }
        features.reset();
        if ((cc & ControllerProperties.CC_ENABLE) != 0) {
            becomeReady();
        }
    }

    private void shutDown() {
        synchronized (this) {
            csts = (csts & ~ControllerProperties.CSTS_SHUTDOWN) | ControllerProperties.CSTS_SHUTDOWN_STARTED;
        }
        keepAlive.active(false);
        final int shutdown = ++shutdowns;
        FlushAll.of(subsystem.namespaces(), admin.transport().inbox(), failures -> flushed(shutdown, failures));
    }

    /**
     * Ends the shutdown. A host waits for nothing but SHST=10b, which has no other end, so it gets that even when a flush
     * failed: the failure is a line and a count here, and its later flushes of that namespace fail until it is opened again.
     */
    private void flushed(final int shutdown, final int failures) {
        if (failures > 0) {
            target().counters().add(TargetCounter.SHUTDOWN_FLUSHES_FAILED, failures);
            final String text =
                    " shuts down though " + failures + " namespaces could not be flushed: writes may be lost";
            target().log().important("flush", name() + text, System.nanoTime());
        }
        synchronized (this) {
            // A reset meanwhile has ended the shutdown.
            if (shutdown == shutdowns
                    && (csts & ControllerProperties.CSTS_SHUTDOWN) == ControllerProperties.CSTS_SHUTDOWN_STARTED) {
                csts = (csts & ~ControllerProperties.CSTS_SHUTDOWN) | ControllerProperties.CSTS_SHUTDOWN_DONE;
            }
        }
    }

    private void keepAliveExpired() {
        target().counters().add(TargetCounter.KEEP_ALIVE_EXPIRED);
        end("the host was silent for " + keepAlive.limitMs() + " ms", true);
    }
}
