// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.Side;
import goblin.system.rig.WireClient;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What clients may rely on, whether they talk to the host or to an edge: each class below this one runs against both.
 * Numbers such as P13 name the fault of another project that the test is about.
 */
@ParameterizedClass
@MethodSource("goblin.system.rig.Side#underTest")
abstract class RespSuite {
    @Parameter
    Side side;

    /** Two fresh clients of this side. */
    WireClient client;

    WireClient other;

    private final List<WireClient> opened = new ArrayList<>();

    @BeforeEach
    void beginWithAnEmptyServer() {
        client = open();
        other = open();
        final WireClient host = track(WireClient.connect(side.hostPort()));
        assertThat(host.call("FLUSHALL")).isEqualTo("+OK¶");
        Awaitility.await("subscriptions of the test before are gone")
                .until(() -> host.call("PUBSUB", "CHANNELS").equals("*0¶")
                        && host.call("PUBSUB", "NUMPAT").equals(":0¶"));
    }

    @AfterEach
    void closeClients() {
        opened.forEach(WireClient::close);
    }

    final WireClient open() {
        return track(WireClient.connect(side.port()));
    }

    final WireClient openResp3() {
        final WireClient resp3 = open();
        assertThat(resp3.call("HELLO", "3")).startsWith("%7¶");
        return resp3;
    }

    final WireClient atHost() {
        return track(WireClient.connect(side.hostPort()));
    }

    /** Returns when the server has read what was sent before, without taking anything from it. */
    final void settle() {
        for (int i = 0; i < 3; i++) {
            assertThat(other.call("PING")).isEqualTo("+PONG¶");
        }
    }

    private WireClient track(final WireClient connected) {
        opened.add(connected);
        return connected;
    }
}
