// SPDX-License-Identifier: Apache-2.0
package goblin.system.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of the loopback interface that nobody listens on. */
public final class Ports {
    private Ports() {}

    /**
     * A port that was free a moment ago and is not handed out again soon by the kernel.
     *
     * @return 1 to 65535
     */
    public static int free() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
