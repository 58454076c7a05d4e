// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/**
 * A TCP proxy on the loopback address between two programs, which a test makes behave badly: it holds, delays, cuts,
 * resets, or passes one byte at a time, each direction of each connection on its own.
 *
 * <p>Connections are told apart by their first bytes, see {@link ProxiedLink.Kind}. A rule given to {@link #onLink} runs
 * as soon as the kind is known and before the byte that told it is passed on, so nothing slips through.
 */
public final class ChaosProxy implements AutoCloseable {
    private final InetSocketAddress target;
    private final ServerSocket server;
    private final List<ProxiedLink> links = new CopyOnWriteArrayList<>();
    private final List<Consumer<ProxiedLink>> rules = new CopyOnWriteArrayList<>();
    private volatile boolean refusing;

    private ChaosProxy(final InetSocketAddress target) throws IOException {
        this.target = target;
        server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("chaos proxy").start(this::accept);
    }

    /**
     * Starts a proxy.
     *
     * @param targetPort the real server's port on the loopback address
     * @return the running proxy
     */
    public static ChaosProxy to(final int targetPort) {
        try {
            return new ChaosProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort));
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot start a proxy", failed);
        }
    }

    /**
     * Where clients connect.
     *
     * @return the proxy's port on the loopback address
     */
    public int port() {
        return server.getLocalPort();
    }

    /**
     * Gives a rule for later connections; it runs on a thread of the proxy, once for each, when its kind is known.
     *
     * @param rule told of each connection
     * @return this
     */
    public ChaosProxy onLink(final Consumer<ProxiedLink> rule) {
        rules.add(rule);
        return this;
    }

    /**
     * Closes new connections at once, or serves them again. Those that exist are left alone.
     *
     * @param refuse whether to refuse
     */
    public void refuse(final boolean refuse) {
        refusing = refuse;
    }

    /**
     * The connections so far, closed ones included, oldest first.
     *
     * @return a copy
     */
    public List<ProxiedLink> links() {
        return new ArrayList<>(links);
    }

    /**
     * The open connections of one kind, oldest first.
     *
     * @param kind which
     * @return a copy
     */
    public List<ProxiedLink> links(final ProxiedLink.Kind kind) {
        return links.stream()
                .filter(link -> link.kind() == kind && link.isOpen())
                .toList();
    }

    /**
     * Waits for an open connection of one kind.
     *
     * @param kind which
     * @return the newest one
     */
    public ProxiedLink awaitLink(final ProxiedLink.Kind kind) {
        return awaitLink(link -> link.kind() == kind && link.isOpen());
    }

    /**
     * Waits for a connection.
     *
     * @param wanted which
     * @return the newest one
     */
    public ProxiedLink awaitLink(final Predicate<ProxiedLink> wanted) {
        Awaitility.await().until(() -> links.stream().anyMatch(wanted));
        return links.reversed().stream().filter(wanted).findFirst().orElseThrow();
    }

    /** Cuts all connections and stops. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot stop the proxy", failed);
        }
        links.forEach(ProxiedLink::cut);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                final Socket client = server.accept();
                if (refusing) {
                    client.close();
                } else {
                    open(client);
                }
            } catch (final IOException ignored) {
                // Closed: the loop ends. Aborted before it was accepted: the next one may be well.
            }
        }
    }

    private void open(final Socket client) throws IOException {
        final Socket upstream = new Socket();
        try {
            upstream.connect(target);
        } catch (final IOException refused) {
            // What the client would see without a proxy is a refusal; a reset is the nearest we have.
            client.setSoLinger(true, 0);
            client.close();
            upstream.close();
            return;
        }
        client.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        final ProxiedLink link = new ProxiedLink(client, upstream, known -> rules.forEach(rule -> rule.accept(known)));
        links.add(link);
        link.start();
    }
}
