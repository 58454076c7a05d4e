// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class ClientSocketTest {
    private static final int TIMEOUT_MS = 10_000;

    @Test
    void shouldConnectFromTheAddressItIsGiven() throws IOException, ClientSocket.ConnectFailure {
        final InetAddress source = InetAddress.getByAddress(new byte[] {127, 0, 0, 7});
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ClientSocket client = connect(listener, new ClientSocket.Tuning(source, 4096, 1400));
                Socket accepted = listener.accept()) {
            assertThat(accepted.getInetAddress()).isEqualTo(source);
            assertThat(client.descriptor()).isPositive();
        }
    }

    @Test
    void shouldDropReceivedBytesAndGoOnBehindThem() throws IOException, ClientSocket.ConnectFailure {
        final long buffer = Memory.allocate(8);
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ClientSocket client = connect(listener, ClientSocket.Tuning.NONE);
                Socket accepted = listener.accept()) {
            assertThat(client.discard(8)).isEqualTo(-Errno.EAGAIN);
            accepted.getOutputStream().write(new byte[] {1, 2, 3, 4});
            assertThat(client.receive(buffer, 1, true)).isEqualTo(1);

            assertThat(client.discard(2)).isEqualTo(2);

            assertThat(client.receive(buffer, 8, true)).isEqualTo(1);
            assertThat(Memory.getByte(buffer)).isEqualTo((byte) 4);
        } finally {
            Memory.free(buffer);
        }
    }

    private static ClientSocket connect(final ServerSocket listener, final ClientSocket.Tuning tuning)
            throws ClientSocket.ConnectFailure {
        return ClientSocket.connect(listener.getInetAddress(), listener.getLocalPort(), TIMEOUT_MS, tuning);
    }
}
