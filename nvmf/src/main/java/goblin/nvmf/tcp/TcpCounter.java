// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/** What a loop of the target counts, with the name and the help under which it is shown. */
public enum TcpCounter {
    /** Connections accepted. */
    ACCEPTED("accepted", "connections accepted", true),
    /** Connections refused because there were too many. */
    REFUSED("refused", "connections refused because there were too many", true),
    /** Connections there are. */
    CONNECTIONS("connections", "connections that have not ended", false),
    /** PDUs received whole. */
    PDUS("pdus_received", "PDUs received whole", true),
    /** Commands begun. */
    COMMANDS("commands", "commands received", true),
    /** Requests to transfer sent. */
    R2TS("r2ts", "requests to transfer sent", true),
    /** Payload bytes received. */
    PAYLOAD_BYTES("payload_bytes", "payload bytes received from hosts", true),
    /** Payload bytes referenced where they were received, without the transport's having copied them. */
    IN_PLACE_BYTES("payload_in_place_bytes", "payload bytes referenced where they were received", true),
    /** Payload bytes that came in pieces so small that the transport copied them. */
    COPIED_SMALL_BYTES(
            "payload_copied_small_bytes", "payload bytes in pieces so small that the transport copied them", true),
    /** Payload bytes copied because a vector was at its limit. */
    COPIED_LIMIT_BYTES("payload_copied_limit_bytes", "payload bytes copied because a vector was at its limit", true),
    /** Payload bytes copied because a vector got no memory to grow. */
    COPIED_MEMORY_BYTES(
            "payload_copied_memory_bytes", "payload bytes copied because a vector got no memory to grow", true),
    /** Payload bytes copied because too much receive memory was pinned. */
    COPIED_WATERMARK_BYTES(
            "payload_copied_watermark_bytes", "payload bytes copied because too much receive memory was pinned", true),
    /** Payload bytes copied because they did not lie as their medium wants it. */
    COPIED_ALIGNMENT_BYTES(
            "payload_copied_alignment_bytes",
            "payload bytes copied because they did not lie as a medium used directly wants it",
            true),
    /** Payload bytes copied because the receive path is told to copy, or the host is not connected. */
    COPIED_BY_ORDER_BYTES(
            "payload_copied_by_order_bytes",
            "payload bytes copied because the receive path is copied, or the host not connected yet",
            true),
    /** Data sent to hosts. */
    SENT_DATA_BYTES("sent_data_bytes", "data bytes sent to hosts", true),
    /** Vectors made larger. */
    GROWTHS("vector_growths", "vectors made larger", true),
    /** Vectors that could not be made larger. */
    GROWTHS_REFUSED("vector_growths_refused", "vectors that got no memory to grow", true),
    /** Larger vectors given back, or halved, while their object lives on. */
    SHRUNK("vectors_shrunk", "vectors made smaller again", true),
    /** Native memory of larger vectors; each loop's most, over all loops, is {@link #GROWN_MOST_BYTES}. */
    GROWN_BYTES("vector_grown_bytes", "native memory of vectors that have grown", false),
    /** The most native memory of larger vectors there was. */
    GROWN_MOST_BYTES("vector_grown_most_bytes", "the most native memory of vectors that had grown", false),
    /** Data digests that were wrong. */
    DATA_DIGEST_ERRORS("data_digest_errors", "PDUs whose data digest was wrong", true),
    /** Header digests that were wrong. */
    HEADER_DIGEST_ERRORS("header_digest_errors", "PDUs whose header digest was wrong", true),
    /** Termination requests sent, invalid header field. */
    TERMINATED_HEADER("terminated_header_field", "connections ended for an invalid header field", true),
    /** Termination requests sent, sequence error. */
    TERMINATED_SEQUENCE("terminated_sequence", "connections ended for a PDU out of sequence", true),
    /** Termination requests sent, data out of range. */
    TERMINATED_RANGE("terminated_range", "connections ended for data out of range", true),
    /** Termination requests sent, limit exceeded. */
    TERMINATED_LIMIT("terminated_limit", "connections ended for data over the limit", true),
    /** Termination requests sent, unsupported parameter. */
    TERMINATED_PARAMETER("terminated_parameter", "connections ended for an unsupported parameter", true),
    /** Termination requests received. */
    TERMINATED_BY_HOST("terminated_by_host", "termination requests received", true),
    /** Times that a connection's reading paused. */
    PAUSES("pauses", "times that reading paused because in-capsule data had no place", true),
    /** Capsules whose data was dropped because waiting for a place would have lasted. */
    CAPSULES_GIVEN_UP(
            "capsules_given_up", "commands failed, to be tried again, because their data had no place in time", true),
    /** Requests that had to wait for memory. */
    WAITS("waits", "requests that had to wait for memory", true),
    /** Requests that wait for memory now. */
    WAITING("waiting", "requests that wait for memory", false),
    /** Connections closed because their host took nothing while others waited. */
    STALLED(
            "stalled",
            "connections closed because their host moved too little data while others waited for memory",
            true),
    /** Memory for transfers in use. */
    ARENA_USED_BYTES("arena_used_bytes", "memory for transfers in use", false),
    /** Memory for transfers. */
    ARENA_BYTES("arena_bytes", "memory for transfers", false),
    /** Memory for transfers that is locked into RAM. */
    ARENA_LOCKED_BYTES("arena_locked_bytes", "memory for transfers that is locked into RAM", false),
    /** Memory that sockets receive into. */
    SEGMENT_BYTES("segment_bytes", "memory that sockets receive into", false),
    /** Memory that sockets receive into that is locked into RAM. */
    SEGMENT_LOCKED_BYTES("segment_locked_bytes", "memory that sockets receive into that is locked into RAM", false),
    /** Requests made. */
    REQUESTS("requests_allocated", "request objects there are", false);

    private final String label;
    private final String help;
    private final boolean grows;

    TcpCounter(final String label, final String help, final boolean grows) {
        this.label = "nvmf_tcp_" + label;
        this.help = help;
        this.grows = grows;
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

    /**
     * Tells whether it only grows.
     *
     * @return false for what goes up and down
     */
    public boolean grows() {
        return grows;
    }
}
