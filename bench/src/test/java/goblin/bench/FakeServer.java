// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A small Pub/Sub server on a socket whose faults a test chooses: the probes must see each of them. */
final class FakeServer implements AutoCloseable {
    /** How a server differs from a right one. */
    enum Fault {
        NONE,
        COUNTS_ONE_TOO_MANY,
        DELIVERS_TWICE,
        CHANGES_THE_PAYLOAD,
        CLOSES_ON_PUBLISH
    }

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Map<Socket, String> subscribed = new LinkedHashMap<>();
    private final Fault fault;

    FakeServer(final Fault fault) throws IOException {
        this.fault = fault;
        Thread.ofPlatform().daemon().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                final Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            }
        } catch (final IOException closed) {
            // The test is over.
            return;
        }
    }

    private void serve(final Socket socket) {
        try (socket) {
            final InputStream in = new BufferedInputStream(socket.getInputStream());
            while (true) {
                final int words = Integer.parseInt(line(in).substring(1));
                final List<String> command =
                        IntStream.range(0, words).mapToObj(i -> word(in)).toList();
                execute(socket, command);
            }
        } catch (final IOException | UncheckedIOException | NumberFormatException ended) {
            synchronized (this) {
                subscribed.remove(socket);
            }
        }
    }

    private synchronized void execute(final Socket socket, final List<String> command) throws IOException {
        switch (command.get(0)) {
            case "PING" ->
                write(socket, subscribed.containsKey(socket) ? "*2\r\n$4\r\npong\r\n$0\r\n\r\n" : "+PONG\r\n");
            case "SUBSCRIBE" -> {
                subscribed.put(socket, command.get(1));
                confirm(socket, "subscribe", command.get(1), 1);
            }
            case "UNSUBSCRIBE" -> {
                subscribed.remove(socket);
                confirm(socket, "unsubscribe", command.get(1), 0);
            }
            case "PUBLISH" -> publish(socket, command.get(1), command.get(2));
            default -> write(socket, "-ERR unknown command\r\n");
        }
    }

    private void publish(final Socket socket, final String channel, final String payload) throws IOException {
        if (fault == Fault.CLOSES_ON_PUBLISH) {
            for (final Socket subscriber : List.copyOf(subscribed.keySet())) {
                subscriber.close();
            }
            socket.close();
            return;
        }
        final UnaryOperator<String> change =
                fault == Fault.CHANGES_THE_PAYLOAD ? text -> "y" + text.substring(1) : UnaryOperator.identity();
        int receivers = 0;
        for (final Map.Entry<Socket, String> subscriber : subscribed.entrySet()) {
            if (subscriber.getValue().equals(channel)) {
                receivers++;
                final byte[] frame =
                        RespBytes.message(RespBytes.ascii(channel), RespBytes.ascii(change.apply(payload)));
                subscriber.getKey().getOutputStream().write(frame);
                if (fault == Fault.DELIVERS_TWICE) {
                    subscriber.getKey().getOutputStream().write(frame);
                }
            }
        }
        write(socket, ":" + (fault == Fault.COUNTS_ONE_TOO_MANY ? receivers + 1 : receivers) + "\r\n");
    }

    private static void confirm(final Socket socket, final String kind, final String channel, final int count)
            throws IOException {
        socket.getOutputStream().write(RespBytes.confirmation(kind, RespBytes.ascii(channel), count));
    }

    private static void write(final Socket socket, final String text) throws IOException {
        socket.getOutputStream().write(RespBytes.ascii(text));
    }

    private static String word(final InputStream in) {
        try {
            final byte[] bytes = in.readNBytes(Integer.parseInt(line(in).substring(1)));
            line(in);
            return new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (final IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }

    private static String line(final InputStream in) throws IOException {
        final StringBuilder text = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("end");
            }
            text.append((char) next);
        }
        return text.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        synchronized (this) {
            for (final Socket socket : List.copyOf(subscribed.keySet())) {
                socket.close();
            }
        }
    }
}
