// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

import goblin.net.ConnectionHandler;
import java.util.Arrays;

/** Tokens of lent memory that the kernel copied, waiting to be given back. The handler is kept: it may be forgotten. */
final class HeldTokens {
    private SocketConnection[] connections = new SocketConnection[16];
    private ConnectionHandler[] handlers = new ConnectionHandler[16];
    private long[] tokens = new long[16];
    private int first;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void add(final SocketConnection connection, final ConnectionHandler handler, final long token) {
        if (size == tokens.length) {
            grow();
        }
        final int at = (first + size++) & (tokens.length - 1);
        connections[at] = connection;
        handlers[at] = handler;
        tokens[at] = token;
    }

    /** Gives back what is here now; what is lent meanwhile waits for the next call. */
    int deliver() {
        final int count = size;
        for (int left = count; left > 0; left--) {
            final SocketConnection connection = connections[first];
            final ConnectionHandler handler = handlers[first];
            final long token = tokens[first];
            connections[first] = null;
            handlers[first] = null;
            first = (first + 1) & (tokens.length - 1);
            size--;
            connection.deliverSent(handler, token);
        }
        return count;
    }

    private void grow() {
        final int length = tokens.length;
        connections = Arrays.copyOf(connections, length * 2);
        handlers = Arrays.copyOf(handlers, length * 2);
        tokens = Arrays.copyOf(tokens, length * 2);
        // The part that had wrapped to the front continues behind the old end.
        System.arraycopy(connections, 0, connections, length, first);
        System.arraycopy(handlers, 0, handlers, length, first);
        System.arraycopy(tokens, 0, tokens, length, first);
        Arrays.fill(connections, 0, first, null);
        Arrays.fill(handlers, 0, first, null);
    }
}
