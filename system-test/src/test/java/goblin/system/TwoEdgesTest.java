// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.EdgeAndHost;
import goblin.system.rig.Waits;
import goblin.system.rig.WireClient;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two edges of one host: every receiver is counted once and reached once. */
final class TwoEdgesTest {
    private EdgeAndHost programs;
    private int secondPort;

    @BeforeEach
    void start() {
        programs = EdgeAndHost.start();
        secondPort = programs.addEdge();
    }

    @AfterEach
    void stop() {
        programs.close();
    }

    @Test
    void shouldCountAndReachEverySubscriberOnceFromAnywhere() {
        final WireClient first = programs.atEdge();
        final WireClient second = programs.at(secondPort);
        final WireClient third = programs.at(secondPort);
        final WireClient atHost = programs.atHost();
        first.call("SUBSCRIBE", "c");
        first.call("PSUBSCRIBE", "c*");
        second.call("SUBSCRIBE", "c");
        third.call("PSUBSCRIBE", "c*");
        atHost.call("SUBSCRIBE", "c");

        int round = 0;
        for (final WireClient publisher :
                List.of(programs.atEdge(), programs.at(secondPort), programs.atHost(), programs.atEdge())) {
            final String payload = "m" + round++;
            assertThat(publisher.call("PUBLISH", "c", payload)).isEqualTo(":5¶");
            assertThat(first.replies(2)).containsExactly(message(payload), patternMessage(payload));
            assertThat(second.reply()).isEqualTo(message(payload));
            assertThat(third.reply()).isEqualTo(patternMessage(payload));
            assertThat(atHost.reply()).isEqualTo(message(payload));
        }
        for (final WireClient subscriber : List.of(first, second, third, atHost)) {
            subscriber.expectSilence();
        }
        final WireClient asker = programs.atHost();
        assertThat(asker.call("PUBSUB", "NUMSUB", "c")).isEqualTo("*2¶$1¶c¶:3¶");
        assertThat(asker.call("PUBSUB", "NUMPAT")).isEqualTo(":1¶");
    }

    @Test
    void shouldKeepThePublicationsOfOneClientInOrderAtTheOtherEdge() {
        final WireClient subscriber = programs.at(secondPort);
        subscriber.call("SUBSCRIBE", "c");
        final WireClient publisher = programs.atEdge();
        final int count = 2000;
        final StringBuilder pipeline = new StringBuilder();
        for (int i = 0; i < count; i++) {
            pipeline.append(command("PUBLISH", "c", Integer.toString(i)));
        }

        publisher.raw(pipeline.toString());

        assertThat(publisher.replies(count)).containsOnly(":1¶");
        for (int i = 0; i < count; i++) {
            assertThat(subscriber.reply()).isEqualTo(message(Integer.toString(i)));
        }
        subscriber.expectSilence();
    }

    @Test
    void shouldForgetTheWeightsOfAnEdgeThatEndsAndKeepTheOther() {
        final WireClient onFirst = programs.atEdge();
        onFirst.call("SUBSCRIBE", "c");
        final WireClient onSecond = programs.at(secondPort);
        onSecond.call("SUBSCRIBE", "c");
        final WireClient host = programs.atHost();
        assertThat(host.call("PUBLISH", "c", "1")).isEqualTo(":2¶");

        programs.edge().kill();

        Waits.awaitSubscribers(host, "c", 1);
        assertThat(host.call("PUBLISH", "c", "2")).isEqualTo(":1¶");
        assertThat(onSecond.replies(2)).containsExactly(message("1"), message("2"));
        assertThat(programs.at(secondPort).call("PUBLISH", "c", "3")).isEqualTo(":1¶");
    }

    @Test
    void shouldShowEveryEdgeInTheHostsInfo() {
        final String info = programs.atHost().call("INFO", "edges");

        assertThat(info).contains("# Edges¶");
        assertThat(info.split("¶edge\\d+:", -1)).hasSize(3);
    }

    private static String message(final String payload) {
        return "*3¶$7¶message¶$1¶c¶$" + payload.length() + "¶" + payload + "¶";
    }

    private static String patternMessage(final String payload) {
        return "*4¶$8¶pmessage¶$2¶c*¶$1¶c¶$" + payload.length() + "¶" + payload + "¶";
    }
}
