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

        /** The socket takes bytes again; called after {@link LoadLoop#awaitWritable}. */
        default void writable() throws Failure {}

        /** The connection broke: it is closed already. */
        default void broken(final IOException cause) throws Failure {
            throw new Failure("receive: " + cause.getMessage(), cause);
        }
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

    /** Asks for {@link Receiver#writable}, or no longer. */
    void awaitWritable(final SocketChannel channel, final boolean wanted) {
        final SelectionKey key = channel.keyFor(selector);
        if (key != null && key.isValid()) {
            key.interestOps(wanted ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
    }

    /** Reads once from each connection that has something, waiting for one at most so long. Returns how many had. */
    int turn(final long timeoutMs) throws Failure {
        final int ready;
        try {
            ready = timeoutMs == 0 ? selector.selectNow(this::ready) : selector.select(this::ready, timeoutMs);
        } catch (final IOException failure) {
            throw new Failure("select: " + failure.getMessage(), failure);
        }
        if (failed != null) {
            throw failed;
        }
        return ready;
    }

    private void ready(final SelectionKey key) {
        if (failed != null) {
            return;
        }
        final Receiver receiver = (Receiver) key.attachment();
        try {
            if (key.isValid() && key.isWritable()) {
                receiver.writable();
            }
            if (key.isValid() && key.isReadable()) {
                read((SocketChannel) key.channel(), receiver);
            }
        } catch (final Failure failure) {
            failed = failure;
        }
    }

    private void read(final SocketChannel channel, final Receiver receiver) throws Failure {
        buffer.clear();
        int length;
        try {
            length = channel.read(buffer);
            if (length < 0) {
                channel.close();
            }
        } catch (final IOException failure) {
            close(channel);
            receiver.broken(failure);
            return;
        }
        if (length != 0) {
            receiver.received(bytes, Math.max(0, length));
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
