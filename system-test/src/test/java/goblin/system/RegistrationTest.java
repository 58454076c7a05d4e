// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.EdgeAndHost;
import goblin.system.rig.Ports;
import goblin.system.rig.ServerProcess;
import goblin.system.rig.Waits;
import goblin.system.rig.WireClient;
import goblin.testkit.ProxiedLink;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which edges a host accepts. */
final class RegistrationTest {
    @Test
    void shouldRefuseASecondEdgeWithTheIdOfALiveOne() {
        try (EdgeAndHost programs = EdgeAndHost.setup().edge("--edge-id", "77").start()) {
            final WireClient subscriber = programs.atEdge();
            subscriber.call("SUBSCRIBE", "c");

            try (ServerProcess second = EdgeAndHost.startEdge(Ports.free(), programs.hostPort(), "--edge-id", "77")) {
                assertThat(second.exitCode()).isEqualTo(1);
                assertThat(second.stderr()).singleElement().asString().contains("77");
            }
            assertThat(programs.atHost().call("PUBLISH", "c", "m")).isEqualTo(":1¶");
            assertThat(subscriber.reply()).endsWith("¶m¶");
            assertThat(programs.edge().isAlive()).isTrue();
        }
    }

    @Test
    void shouldReplaceAnEdgeOfTheSameIdThatDoesNotAnswer() {
        try (EdgeAndHost programs =
                EdgeAndHost.setup().proxied().edge("--edge-id", "77").start()) {
            programs.atEdge().call("SUBSCRIBE", "c");
            programs.proxy().awaitLink(ProxiedLink.Kind.AGGREGATE).hold();
            programs.proxy().awaitLink(ProxiedLink.Kind.PUBLISHER).hold();

            final int port = Ports.free();
            try (ServerProcess second = EdgeAndHost.startEdge(port, programs.hostPort(), "--edge-id", "77")) {
                second.awaitStderr("ready");
                final WireClient host = programs.atHost();
                Waits.awaitSubscribers(host, "c", 0);
                programs.at(port).call("SUBSCRIBE", "c");
                assertThat(host.call("PUBLISH", "c", "m")).isEqualTo(":1¶");

                programs.proxy().links().forEach(ProxiedLink::release);
                assertThat(programs.edge().exitCode()).isEqualTo(1);
            }
        }
    }

    @Test
    void shouldAcceptTheSameIdAgainAfterTheFirstEdgeWasKilled() {
        try (EdgeAndHost programs = EdgeAndHost.setup().edge("--edge-id", "77").start()) {
            programs.edge().kill();
            programs.edge().exitCode();

            final int port = programs.addEdge("--edge-id", "77");
            assertThat(programs.at(port).call("PING")).isEqualTo("+PONG¶");
        }
    }

    @Test
    void shouldNotAcceptEdgesUnlessTheHostIsToldTo() {
        final int port = Ports.free();
        try (ServerProcess host = ServerProcess.start(List.of("bin/goblin-core", "--port", Integer.toString(port)))) {
            host.awaitStderr("ready");
            try (ServerProcess edge = EdgeAndHost.startEdge(Ports.free(), port)) {
                assertThat(edge.exitCode()).isEqualTo(1);
                assertThat(edge.stderr()).hasSize(1);
            }
            try (WireClient client = WireClient.connect(port)) {
                assertThat(client.call("PING")).isEqualTo("+PONG¶");
            }
        }
    }

    @Test
    void shouldEndWithOneLineWhenNobodyListensUpstream() {
        try (ServerProcess edge = EdgeAndHost.startEdge(Ports.free(), Ports.free())) {
            assertThat(edge.exitCode()).isEqualTo(1);
            assertThat(edge.stderr()).hasSize(1);
        }
    }
}
