// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import goblin.system.rig.EdgeAndHost;
import goblin.system.rig.Waits;
import goblin.system.rig.WireClient;
import goblin.testkit.ProxiedFlow;
import goblin.testkit.ProxiedLink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * One edge and its host with a proxy between them. A test holds a link in one direction, so that an order which would
 * be a race is forced, and lets it go.
 */
abstract class ProxiedSuite {
    private static EdgeAndHost programs;

    private final List<WireClient> opened = new ArrayList<>();

    /** Connected to the host. */
    WireClient host;

    @BeforeAll
    static void startPrograms() {
        programs = EdgeAndHost.setup().proxied().start();
    }

    @AfterAll
    static void stopPrograms() {
        programs.close();
    }

    @BeforeEach
    void connectToHost() {
        host = atHost();
        host.call("FLUSHALL");
    }

    @AfterEach
    void releaseAndDisconnect() {
        programs.proxy().links().forEach(ProxiedLink::release);
        opened.forEach(WireClient::close);
    }

    final WireClient atEdge() {
        final WireClient client = WireClient.connect(programs.edgePort());
        opened.add(client);
        return client;
    }

    /** A RESP3 client, which may use other commands while it is subscribed. */
    final WireClient atEdgeInResp3() {
        final WireClient client = atEdge();
        client.call("HELLO", "3");
        return client;
    }

    final WireClient atHost() {
        final WireClient client = WireClient.connect(programs.hostPort());
        opened.add(client);
        return client;
    }

    final WireClient subscriberAtEdge(final String channel) {
        final WireClient client = atEdge();
        client.call("SUBSCRIBE", channel);
        return client;
    }

    /** The client's own host session, which this opens. */
    final ProxiedLink sessionOf(final WireClient client) {
        final List<ProxiedLink> before = programs.proxy().links(ProxiedLink.Kind.RESP);
        client.call("GET", "nokey");
        return programs.proxy().links(ProxiedLink.Kind.RESP).stream()
                .filter(link -> !before.contains(link))
                .findFirst()
                .orElseThrow();
    }

    static ProxiedLink aggregate() {
        return programs.proxy().awaitLink(ProxiedLink.Kind.AGGREGATE);
    }

    static ProxiedLink publisher() {
        return programs.proxy().awaitLink(ProxiedLink.Kind.PUBLISHER);
    }

    /** Returns when the edge has acted on everything sent to it before. */
    static void settleEdge() {
        Waits.settle(programs.edgePort());
    }

    static void awaitHeld(final ProxiedFlow flow) {
        Waits.awaitHeld(flow);
    }

    static String message(final String channel, final String payload) {
        return "*3¶$7¶message¶$" + channel.length() + "¶" + channel + "¶$" + payload.length() + "¶" + payload + "¶";
    }

    static String push(final String channel, final String payload) {
        return ">" + message(channel, payload).substring(1);
    }
}
