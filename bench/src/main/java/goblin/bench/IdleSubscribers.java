// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Connections that subscribe to a channel each, have read their confirmation and then do nothing. */
final class IdleSubscribers implements AutoCloseable {
    /** The kernel gives a connection its own port of about 28,000, for each address that connections come from. */
    private static final int CONNECTIONS_AN_ADDRESS = 20_000;

    private static final int MOST_UNCONFIRMED = 64;

    private final int port;
    private final List<SocketChannel> sockets = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(4096);

    IdleSubscribers(final int port) {
        this.port = port;
    }

    int count() {
        return sockets.size();
    }

    /**
     * Opens more.
     *
     * @param count        how many there shall be
     * @param channels     how many channels they share
     * @param receiveBytes of the sockets' receive buffers, or 0 for the kernel's choice
     */
    void growTo(final int count, final int channels, final int receiveBytes) throws Failure {
        try {
            while (sockets.size() < count) {
                final int from = sockets.size();
                final int to = Math.min(count, from + MOST_UNCONFIRMED);
                for (int i = from; i < to; i++) {
                    subscribe(open(i, receiveBytes), channel(i % channels));
                }
                for (int i = from; i < to; i++) {
                    confirm(sockets.get(i), channel(i % channels));
                }
            }
        } catch (final IOException failure) {
            throw new Failure("subscriber " + sockets.size() + ": " + failure.getMessage(), failure);
        }
    }

    /** The name of one of the channels. */
    static byte[] channel(final int number) {
        return RespBytes.ascii("goblin:memory:" + number);
    }

    private SocketChannel open(final int number, final int receiveBytes) throws IOException {
        final SocketChannel socket = SocketChannel.open();
        sockets.add(socket);
        if (receiveBytes > 0) {
            socket.setOption(StandardSocketOptions.SO_RCVBUF, receiveBytes);
        }
        final byte[] from = {127, 0, 0, (byte) (1 + number / CONNECTIONS_AN_ADDRESS)};
        if (number >= CONNECTIONS_AN_ADDRESS) {
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(from), 0));
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private static void subscribe(final SocketChannel socket, final byte[] channel) throws IOException {
        final ByteBuffer command = ByteBuffer.wrap(RespBytes.subscribe(channel));
        while (command.hasRemaining()) {
            socket.write(command);
        }
    }

    private void confirm(final SocketChannel socket, final byte[] channel) throws IOException, Failure {
        final byte[] expected = RespBytes.confirmation("subscribe", channel, 1);
        buffer.clear().limit(expected.length);
        while (buffer.hasRemaining()) {
            if (socket.read(buffer) < 0) {
                throw new EOFException("closed by the server");
            }
        }
        if (!buffer.flip().equals(ByteBuffer.wrap(expected))) {
            throw new Failure(
                    "no confirmation but '" + RespBytes.printable(Arrays.copyOf(buffer.array(), buffer.limit())) + "'");
        }
    }

    @Override
    public void close() {
        sockets.forEach(IdleSubscribers::close);
        sockets.clear();
    }

    private static void close(final SocketChannel socket) {
        try {
            socket.close();
        } catch (final IOException failure) {
            // It is of no use any more.
            return;
        }
    }
}
