// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** Many connections under one thread. Their receivers get bytes in an array that is theirs only during the call. */
final class LoadLoop implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 * 1024;

    private final Selector selector;
    private final byte[] bytes = new byte[BUFFER_BYTES];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes);
    private Failure failed;

    LoadLoop() throws Failure {
        try {
            selector = Selector.open();
        } catch (final IOException failure) {
            throw new Failure("no selector: " + failure.getMessage(), failure);
        }
    }

    /** Takes what one connection receives. */
    interface Receiver {
        /**
         * Takes received bytes.
         *
         * @param bytes  an array lent for this call
         * @param length bytes received; 0 at the end of the stream
         */
        void received(byte[] bytes, int length) throws Failure;
    }

    /** Opens a connection; its receiver is called from {@link #turn}. */
    SocketChannel open(final int port, final Receiver receiver) throws Failure {
        try {
            final SocketChannel channel =
                    SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, receiver);
            return channel;
        } catch (final IOException failure) {
            throw new Failure("cannot connect to port " + port + ": " + failure.getMessage(), failure);
        }
    }

    /** Reads once from each connection that has something, waiting for one at most so long. Returns how many had. */
    int turn(final long timeoutMs) throws Failure {
        final int ready;
        try {
            ready = timeoutMs == 0 ? selector.selectNow(this::read) : selector.select(this::read, timeoutMs);
        } catch (final IOException failure) {
            throw new Failure("select: " + failure.getMessage(), failure);
        }
        if (failed != null) {
            throw failed;
        }
        return ready;
    }

    private void read(final SelectionKey key) {
        if (failed != null) {
            return;
        }
        try {
            final SocketChannel channel = (SocketChannel) key.channel();
            final Receiver receiver = (Receiver) key.attachment();
            buffer.clear();
            final int length = channel.read(buffer);
            if (length < 0) {
                channel.close();
            }
            if (length != 0) {
                receiver.received(bytes, Math.max(0, length));
            }
        } catch (final IOException failure) {
            failed = new Failure("receive: " + failure.getMessage(), failure);
        } catch (final Failure failure) {
            failed = failure;
        }
    }

    @Override
    public void close() {
        for (final SelectionKey key : selector.keys()) {
            close(key.channel());
        }
        close(selector);
    }

    private static void close(final AutoCloseable resource) {
        try {
            resource.close();
        } catch (final Exception failure) {
            // Nothing is left to do with it.
            return;
        }
    }
}
