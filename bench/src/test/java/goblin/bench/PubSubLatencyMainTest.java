// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.bench.FakeServer.Fault;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PubSubLatencyMainTest {
    @Test
    void shouldMeasureEveryDirectionOnceTheCountsAreRight() throws IOException {
        try (FakeServer server = new FakeServer(Fault.NONE)) {
            final Captured run = probe(server, server, "--csv");

            assertThat(run.err()).isEmpty();
            assertThat(run.status()).isZero();
            assertThat(run.out().lines().map(line -> line.replaceAll(",.*", "")))
                    .containsExactly(
                            "what",
                            "edge→host delivery",
                            "edge→host reply",
                            "host→edge delivery",
                            "host→edge reply",
                            "edge→edge delivery",
                            "edge→edge reply");
        }
    }

    @Test
    void shouldMeasureOnlyTheDirectionAskedFor() throws IOException {
        try (FakeServer server = new FakeServer(Fault.NONE)) {
            assertThat(probe(server, server, "--csv", "--direction", "host-edge")
                            .out())
                    .hasLineCount(3)
                    .contains("host→edge delivery");
            assertThat(probe(server, server, "--direction", "host-moon").err())
                    .isEqualTo("goblin-bluefield-pubsub-latency: --direction 'host-moon' is unknown,"
                            + " allowed: edge-host, host-edge, edge-edge\n");
        }
    }

    @Test
    void shouldNameTheSideWhoseCountIsWrong() throws IOException {
        try (FakeServer edge = new FakeServer(Fault.COUNTS_ONE_TOO_MANY);
                FakeServer host = new FakeServer(Fault.NONE)) {
            final Captured run = probe(edge, host);

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .hasLineCount(1)
                    .contains("publishing at the edge: ")
                    .contains("sent ':1\\r\\n' instead of ':0\\r\\n'");
        }
    }

    @Test
    void shouldSeeThatTwoServersAreNotLinked() throws IOException {
        try (FakeServer edge = new FakeServer(Fault.NONE);
                FakeServer host = new FakeServer(Fault.NONE)) {
            final Captured run = probe(edge, host);

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .contains("publishing at the host: ")
                    .contains("sent ':0\\r\\n' instead of ':1\\r\\n'");
        }
    }

    @Test
    void shouldSeeAMessageDeliveredTwice() throws IOException {
        try (FakeServer server = new FakeServer(Fault.DELIVERS_TWICE)) {
            assertThat(probe(server, server).err()).hasLineCount(1).contains("subscribed at the edge: ");
        }
    }

    private static Captured probe(final FakeServer edge, final FakeServer host, final String... options) {
        final String[] always = {
            "--edge-port",
            Integer.toString(edge.port()),
            "--host-port",
            Integer.toString(host.port()),
            "--samples",
            "20",
            "--warmup",
            "5",
            "--blocking"
        };
        final String[] arguments = new String[always.length + options.length];
        System.arraycopy(always, 0, arguments, 0, always.length);
        System.arraycopy(options, 0, arguments, always.length, options.length);
        return Captured.run(() -> PubSubLatencyMain.run(arguments));
    }
}
