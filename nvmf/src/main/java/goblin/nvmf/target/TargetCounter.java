// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/** What a target counts. */
public enum TargetCounter {
    /** Connects of admin queues that were taken. */
    ADMIN_CONNECTS("admin_connects", "Admin queues connected"),
    /** Connects of I/O queues that were taken. */
    IO_CONNECTS("io_connects", "I/O queues connected"),
    /** Associations that ended. */
    ASSOCIATIONS_ENDED("associations_ended", "Associations that ended, for whatever reason"),
    /** Keep Alive timers that expired. */
    KEEP_ALIVE_EXPIRED("keep_alive_expired", "Associations ended because the host was silent for its Keep Alive time"),
    /** Namespaces that could not be flushed when a host shut its controller down. */
    SHUTDOWN_FLUSHES_FAILED(
            "shutdown_flushes_failed", "Namespaces that could not be flushed at a controller's shutdown"),
    /** Commands sent to a full queue. */
    QUEUE_OVERFLOWS("queue_overflows", "Associations ended because a host sent more commands than its queue has"),
    /** Commands with the identifier of an outstanding one. */
    DUPLICATE_CIDS("duplicate_cids", "Commands refused because their identifier was in use"),
    /** Abort commands. */
    ABORTS("aborts", "Abort commands"),
    /** Commands that were aborted. */
    ABORTED("aborted", "Commands that an Abort command ended"),
    /** Asynchronous events sent. */
    EVENTS("events", "Asynchronous events sent to hosts");

    private final String label;
    private final String help;

    TargetCounter(final String label, final String help) {
        this.label = label;
        this.help = help;
    }

    /**
     * Its name in metrics.
     *
     * @return lower case, with underscores
     */
    public String label() {
        return label;
    }

    /**
     * What it counts.
     *
     * @return one sentence
     */
    public String help() {
        return help;
    }
}
