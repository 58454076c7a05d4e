// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/** What transports count, with the name and the help under which it is shown. They only grow. */
public enum TransportCounter {
    /** Connections accepted. */
    ACCEPTED("net_accepted", "connections accepted"),
    /** Accepts that failed for want of descriptors or memory. */
    ACCEPT_ERRORS("net_accept_errors", "accepts that failed for want of descriptors or memory"),
    /** Outgoing connections established. */
    CONNECTED("net_connected", "outgoing connections established"),
    /** Connections that failed or could not be established. */
    FAILED("net_failed", "connections that failed or could not be established"),
    /** Attempts to receive. */
    RECEIVES("net_receives", "attempts to receive"),
    /** Bytes received. */
    RECEIVED_BYTES("net_received_bytes", "bytes received"),
    /** Pieces in which received bytes were lent. */
    RECEIVED_SEGMENTS("net_received_segments", "pieces in which received bytes were lent"),
    /** Bytes copied out of large segments because there were so few. */
    COPIED_BYTES("net_copied_bytes", "received bytes copied into small pieces"),
    /** Times that reading paused because no segment was free. */
    STARVED("net_starved", "times that reading paused because no segment was free"),
    /** Attempts to send. */
    SENDS("net_sends", "attempts to send"),
    /** Bytes taken by the stack. */
    SENT_BYTES("net_sent_bytes", "bytes taken by the stack"),
    /** Sends that took less than they were given. */
    SHORT_SENDS("net_short_sends", "sends that took less than they were given"),
    /** Acknowledgements asked for at once. */
    QUICK_ACKS("net_quick_acks", "acknowledgements asked for at once"),
    /** Handlers that threw. */
    HANDLER_FAULTS("net_handler_faults", "handlers that threw; each lost its connection");

    private final String label;
    private final String help;

    TransportCounter(final String label, final String help) {
        this.label = label;
        this.help = help;
    }

    /**
     * The name.
     *
     * @return lower case with underscores
     */
    public String label() {
        return label;
    }

    /**
     * What it means.
     *
     * @return one line
     */
    public String help() {
        return help;
    }
}
