// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

/** Catalogue of the edge's counters: what each counts, in the words of {@code INFO}'s section {@code # Edge}. */
enum EdgeCounter {
    CONNECTIONS_ACCEPTED("edge_connections_accepted", "Client connections accepted."),
    CONNECTIONS_REFUSED("edge_connections_refused", "Client connections refused because of the client limit."),
    COMMANDS_FORWARDED("edge_commands_forwarded", "Commands sent to the host."),
    PUBLISHES_LOCAL("edge_publishes", "Top-level publications made by clients of this edge."),
    PUBLISHES_FROM_HOST("edge_host_publications", "Publications received over the aggregate link."),
    DELIVERIES("edge_deliveries", "Message frames given to clients."),
    SUBSCRIBERS_OVERFLOWED("edge_subscribers_overflowed", "Clients cut because their output was full."),
    SUBSCRIBERS_WITHOUT_RING(
            "edge_subscribers_without_ring", "Clients cut because there was no memory for messages they did not take."),
    CLIENTS_STALLED("edge_clients_stalled", "Clients cut because they read nothing while their backlog was full."),
    PROTOCOL_ERRORS("edge_protocol_errors", "Clients closed for malformed requests."),
    HOST_SESSIONS_LOST("edge_host_sessions_lost", "Host sessions that ended while their client was there."),
    FENCES("edge_fences", "Fences sent to the host."),
    INTERESTS_SENT("edge_interests_sent", "Interest changes sent to the host."),
    ACCEPT_ERRORS("edge_accept_errors", "Runs of failures to accept.");

    private final String label;
    private final String help;

    EdgeCounter(final String label, final String help) {
        this.label = label;
        this.help = help;
    }

    /** The field's name in {@code INFO}. */
    String label() {
        return label;
    }

    /** One sentence for people. */
    String help() {
        return help;
    }
}
