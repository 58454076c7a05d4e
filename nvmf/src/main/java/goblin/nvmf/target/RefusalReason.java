// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/** Why a Connect was refused; each has a counter. */
public enum RefusalReason {
    /** The record format is not 0. */
    FORMAT("format"),
    /** The data is not 1024 bytes. */
    DATA_LENGTH("data-length"),
    /** There is no subsystem of that name. */
    UNKNOWN_SUBSYSTEM("unknown-subsystem"),
    /** The host's name is none. */
    HOST_NQN("host-nqn"),
    /** The host's identifier is zero. */
    HOST_ID("host-id"),
    /** The subsystem does not let the host in. */
    HOST_NOT_ALLOWED("host-not-allowed"),
    /** An admin queue asked for a certain controller. */
    STATIC_CONTROLLER("static-controller"),
    /** The size of the queue is 0 or too large. */
    QUEUE_SIZE("queue-size"),
    /** The queue identifier is higher than what was granted. */
    QUEUE_ID("queue-id"),
    /** The controller has such a queue. */
    QUEUE_IN_USE("queue-in-use"),
    /** There is no such controller, or its association has ended. */
    UNKNOWN_CONTROLLER("unknown-controller"),
    /** The controller is not enabled, or with entry sizes of its own. */
    CONTROLLER_NOT_READY("controller-not-ready"),
    /** A discovery controller has no I/O queues. */
    DISCOVERY("discovery"),
    /** An I/O queue with another host name, host identifier or subsystem than the controller's. */
    OTHER_HOST("other-host"),
    /** All controller identifiers are in use. */
    NO_CONTROLLER_LEFT("no-controller-left"),
    /** The subsystem is being drained. */
    DRAINING("draining");

    private final String label;

    RefusalReason(final String label) {
        this.label = label;
    }

    /**
     * Its name in metrics.
     *
     * @return lower case, with hyphens
     */
    public String label() {
        return label;
    }
}
