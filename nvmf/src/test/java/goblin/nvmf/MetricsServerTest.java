// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int SOON_MS = 20_000;

    private final MetricsServer server = new MetricsServer(
            new Endpoint.Tcp(LOOPBACK, 0), () -> List.of(new Sample("nvmf_test", "Of a test.", true, List.of(), 7)));
    private final List<Socket> slow = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (final Socket socket : slow) {
            socket.close();
        }
        server.close();
    }

    @Test
    void shouldServeOthersWhileManyDoNotEndTheirRequests() throws IOException {
        for (int i = 0; i < 40; i++) {
            slow.add(send("GET /metrics HTT"));
        }

        assertThat(scrape()).contains("nvmf_test_total 7.0");

        // Those are cut after a while.
        final Socket first = slow.getFirst();
        first.setSoTimeout(SOON_MS);
        assertThat(first.getInputStream().readAllBytes()).isEmpty();
    }

    private String scrape() throws IOException {
        try (Socket socket = send("GET /metrics HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")) {
            socket.setSoTimeout(SOON_MS);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Socket send(final String text) throws IOException {
        final Socket socket = new Socket(LOOPBACK, server.port());
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return socket;
    }
}
