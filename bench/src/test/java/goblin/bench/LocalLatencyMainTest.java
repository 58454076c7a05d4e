// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.bench.FakeServer.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalLatencyMainTest {
    @ParameterizedTest
    @ValueSource(strings = {"--polling", "--blocking"})
    void shouldPrintDeliveriesAndReplies(final String mode) throws IOException {
        try (FakeServer server = new FakeServer(Fault.NONE)) {
            final Captured run = probe(server, "300", "10", "--csv", mode, "--payload", "0", "--idle-clients", "3");

            assertThat(run.err()).isEmpty();
            assertThat(run.status()).isZero();
            assertThat(run.out().lines())
                    .satisfiesExactly(
                            line -> assertThat(line).isEqualTo(LatencySummary.COLUMNS),
                            line -> assertThat(line).startsWith("delivery,300,"),
                            line -> assertThat(line).startsWith("reply,300,"));
        }
    }

    @Test
    void shouldWriteAHistogramLogThatReadersUnderstand(@TempDir final Path folder) throws IOException {
        final Path file = folder.resolve("run.hlog");
        try (FakeServer server = new FakeServer(Fault.NONE)) {
            assertThat(probe(server, "50", "0", "--histogram", file.toString()).status())
                    .isZero();
        }
        try (HistogramLogReader reader = new HistogramLogReader(Files.newInputStream(file))) {
            final EncodableHistogram deliveries = reader.nextIntervalHistogram();
            final EncodableHistogram replies = reader.nextIntervalHistogram();

            assertThat(deliveries.getTag()).isEqualTo("local.delivery");
            assertThat(replies.getTag()).isEqualTo("local.reply");
            assertThat(deliveries.getMaxValueAsDouble()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "COUNTS_ONE_TOO_MANY, sent ':2\\r\\n' instead of ':1\\r\\n'",
        "CHANGES_THE_PAYLOAD, instead of '*3",
        "DELIVERS_TWICE, instead of '*",
        "CLOSES_ON_PUBLISH, closed the connection",
    })
    void shouldFailWithOneLineForAWrongAnswer(final Fault fault, final String part) throws IOException {
        try (FakeServer server = new FakeServer(fault)) {
            final Captured run = probe(server, "5", "0", "--blocking");

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .hasLineCount(1)
                    .startsWith("goblin-bluefield-local-latency: ")
                    .contains(part);
            assertThat(run.out()).isEmpty();
        }
    }

    @Test
    void shouldFailWithOneLineWhenNobodyListens() throws IOException {
        // Bound and not listening: nobody else gets the port meanwhile.
        try (Socket silent = new Socket()) {
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            final int port = silent.getLocalPort();
            final Captured run =
                    Captured.run(() -> LocalLatencyMain.run("127.0.0.1", Integer.toString(port), "5", "0"));

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .isEqualTo("goblin-bluefield-local-latency: cannot connect to 127.0.0.1:" + port
                            + ": ECONNREFUSED (connection refused)\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1 6379 10, Missing required parameter: 'WARMUP'",
        "127.0.0.1 0 10 1, 'PORT 0 is out of range, allowed: 1 to 65535'",
        "127.0.0.1 6379 0 1, SAMPLES 0 is out of range",
        "127.0.0.1 6379 ten 1, 'ten'",
        "127.0.0.1 6379 10 1 --payload -1, --payload -1 is out of range",
        "127.0.0.1 6379 10 1 --polling --blocking, mutually exclusive",
        "127.0.0.1 6379 10 1 --unknown, --unknown",
    })
    void shouldRefuseABadOptionWithOneLine(final String arguments, final String part) {
        final Captured run = Captured.run(() -> LocalLatencyMain.run(arguments.split(" ", -1)));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .hasLineCount(1)
                .startsWith("goblin-bluefield-local-latency: ")
                .contains(part);
    }

    private static Captured probe(final FakeServer server, final String... options) {
        final String[] arguments = new String[options.length + 2];
        arguments[0] = "127.0.0.1";
        arguments[1] = Integer.toString(server.port());
        System.arraycopy(options, 0, arguments, 2, options.length);
        return Captured.run(() -> LocalLatencyMain.run(arguments));
    }
}
