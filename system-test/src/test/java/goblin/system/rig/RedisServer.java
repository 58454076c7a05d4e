// SPDX-License-Identifier: Apache-2.0
package goblin.system.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.awaitility.Awaitility;

/** A server without persistence, for comparison: redis-server, or the program that {@code -Dgoblin.redis} names. */
final class RedisServer {
    private RedisServer() {}

    static ServerProcess start(final int port) {
        final ServerProcess process = ServerProcess.start(List.of(
                System.getProperty("goblin.redis", "redis-server"),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                System.getProperty("java.io.tmpdir")));
        Awaitility.await("redis-server listens").until(() -> isOpen(port));
        return process;
    }

    private static boolean isOpen(final int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (final IOException e) {
            return false;
        }
    }
}
