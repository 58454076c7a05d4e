// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.function.Consumer;

/** One connection through a {@link ChaosProxy}. All methods may be called from any thread. */
public final class ProxiedLink {
    private static final byte[] PREAMBLE = "GOBLINS!".getBytes(US_ASCII);
    /** Preamble, frame length, message header, edge id, instance: then the role. */
    private static final int ROLE_OFFSET = 8 + 4 + 8 + 8 + 8;

    private static final int AGGREGATE_ROLE = 1;

    private final Socket client;
    private final Socket server;
    private final Consumer<ProxiedLink> onKnown;
    private final ByteArrayOutputStream firstBytes = new ByteArrayOutputStream();
    private final ProxiedFlow toServer;
    private final ProxiedFlow toClient;
    private volatile Kind kind = Kind.UNKNOWN;
    private volatile boolean open = true;

    /** What a connection is for, by the first bytes of its client. */
    public enum Kind {
        /** Not enough bytes yet. */
        UNKNOWN,
        /** RESP. */
        RESP,
        /** An edge's aggregate link. */
        AGGREGATE,
        /** An edge's publisher link. */
        PUBLISHER
    }

    ProxiedLink(final Socket client, final Socket server, final Consumer<ProxiedLink> onKnown) {
        this.client = client;
        this.server = server;
        this.onKnown = onKnown;
        toServer = new ProxiedFlow(client, server, this::inspect, this::onFailure);
        toClient = new ProxiedFlow(server, client, (bytes, length) -> {}, this::onFailure);
    }

    void start() {
        toServer.start();
        toClient.start();
    }

    /**
     * What it is for.
     *
     * @return {@link Kind#UNKNOWN} until the first bytes came
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The bytes on their way to the server.
     *
     * @return that direction
     */
    public ProxiedFlow toServer() {
        return toServer;
    }

    /**
     * The bytes on their way to the client.
     *
     * @return that direction
     */
    public ProxiedFlow toClient() {
        return toClient;
    }

    /** Holds both directions: a network that went silent. */
    public void hold() {
        toServer.hold();
        toClient.hold();
    }

    /** Lets both directions go on. */
    public void release() {
        toServer.release();
        toClient.release();
    }

    /** Closes both sides with an end of stream; bytes still inside are lost. Idempotent. */
    public void cut() {
        end(false);
    }

    /** Closes both sides with a reset. Idempotent. */
    public void reset() {
        end(true);
    }

    /**
     * Tells whether it was neither cut nor reset, by the test or by a side.
     *
     * @return whether bytes may still pass
     */
    public boolean isOpen() {
        return open && !(toServer.hasEnded() && toClient.hasEnded());
    }

    @Override
    public String toString() {
        return kind + " from port " + client.getPort();
    }

    private void inspect(final byte[] bytes, final int length) {
        if (kind != Kind.UNKNOWN) {
            return;
        }
        firstBytes.write(bytes, 0, length);
        final byte[] seen = firstBytes.toByteArray();
        final int compared = Math.min(seen.length, PREAMBLE.length);
        if (!Arrays.equals(seen, 0, compared, PREAMBLE, 0, compared)) {
            known(Kind.RESP);
        } else if (seen.length > ROLE_OFFSET) {
            known(seen[ROLE_OFFSET] == AGGREGATE_ROLE ? Kind.AGGREGATE : Kind.PUBLISHER);
        }
    }

    private void known(final Kind now) {
        kind = now;
        onKnown.accept(this);
    }

    private void onFailure() {
        // One side was reset: the other side sees a reset too.
        end(true);
    }

    private void end(final boolean withReset) {
        open = false;
        for (final Socket socket : new Socket[] {client, server}) {
            try {
                if (withReset) {
                    socket.setSoLinger(true, 0);
                }
                socket.close();
            } catch (final IOException ignored) {
                // It was closed already.
            }
        }
        toServer.abandon();
        toClient.abandon();
    }
}
