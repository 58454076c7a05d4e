// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A connection that publishes {@code number:sequence} in pipelines: the next pipeline goes when every reply of the
 * last one is there and counts every subscriber.
 */
final class SequencedPublisher implements LoadLoop.Receiver {
    private final int number;
    private final byte[] channel;
    private final int pipeline;
    private final byte[] reply;
    private final SocketChannel socket;
    private ByteBuffer unsent = ByteBuffer.allocate(0);
    private boolean running;
    private long sent;
    private long acknowledged;
    private int matched;

    SequencedPublisher(
            final LoadLoop loop,
            final int port,
            final int number,
            final byte[] channel,
            final int pipeline,
            final int receivers)
            throws Failure {
        this.number = number;
        this.channel = channel;
        this.pipeline = pipeline;
        this.reply = RespBytes.integer(receivers);
        this.socket = loop.open(port, this);
    }

    void start() throws Failure {
        running = true;
        next();
    }

    /** No pipeline is begun from now on. */
    void stop() {
        running = false;
    }

    boolean idle() {
        return acknowledged == sent;
    }

    long acknowledged() {
        return acknowledged;
    }

    int number() {
        return number;
    }

    @Override
    public void received(final byte[] bytes, final int length) throws Failure {
        if (length == 0) {
            throw new Failure("publisher " + number + " was cut");
        }
        for (int i = 0; i < length; i++) {
            if (bytes[i] != reply[matched]) {
                throw new Failure("publisher " + number + ": '"
                        + RespBytes.printable(java.util.Arrays.copyOfRange(bytes, Math.max(0, i - matched), length))
                        + "' received instead of '" + RespBytes.printable(reply) + "'");
            }
            if (++matched == reply.length) {
                matched = 0;
                acknowledged++;
            }
        }
        if (running && idle()) {
            next();
        } else {
            flush();
        }
    }

    private void next() throws Failure {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < pipeline; i++) {
            out.writeBytes(RespBytes.publish(channel, RespBytes.ascii(number + ":" + sent)));
            sent++;
        }
        unsent = ByteBuffer.wrap(out.toByteArray());
        flush();
    }

    /** A pipeline is smaller than a socket's buffer, and the next waits for its replies: what is left is rare. */
    private void flush() throws Failure {
        try {
            while (unsent.hasRemaining()) {
                socket.write(unsent);
            }
        } catch (final IOException failure) {
            throw new Failure("publisher " + number + ": " + failure.getMessage(), failure);
        }
    }
}
