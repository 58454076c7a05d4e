// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** Asks one thing at a time and waits for the reply. */
final class SimpleClient implements AutoCloseable {
    private final Socket socket;
    private final RespParser parser = new RespParser();
    private final byte[] buffer = new byte[65_536];

    SimpleClient(final int port) throws Failure {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(ProbeConnection.TIMEOUT_MS);
        } catch (final IOException failure) {
            throw new Failure("cannot connect to port " + port + ": " + failure.getMessage(), failure);
        }
    }

    /** The reply as text: escaped, and in quotes where it is a bulk string. */
    String ask(final String... command) throws Failure {
        try {
            socket.getOutputStream().write(RespBytes.command(command));
            while (true) {
                final Object reply = parser.next();
                if (reply != null) {
                    return reply instanceof byte[] bytes ? whole(bytes) : SoakConnection.text(reply);
                }
                final int length = socket.getInputStream().read(buffer);
                if (length < 0) {
                    throw new Failure(command[0] + ": the server closed the connection");
                }
                parser.append(buffer, length);
            }
        } catch (final IOException failure) {
            throw new Failure(command[0] + ": " + failure.getMessage(), failure);
        }
    }

    private static String whole(final byte[] bytes) {
        return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1)
                .replace("\r", "\\r")
                .replace("\n", "\\n");
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (final IOException failure) {
            // It is of no use any more.
            return;
        }
    }
}
