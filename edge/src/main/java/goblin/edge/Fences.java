// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import java.util.ArrayList;

/**
 * Fences on the aggregate link: when one comes back, every delivery that the host appended before it has been fanned
 * out here. One fence serves all clients that asked in the same turn.
 */
final class Fences {
    /** Sends a fence to the host. */
    interface Sender {
        void fence(long sequence);
    }

    private final Sender sender;
    private final ArrayList<ClientSession> waiting = new ArrayList<>();
    private long sent;
    private long passed;
    private boolean wanted;

    Fences(final Sender sender) {
        this.sender = sender;
    }

    /**
     * Asks for a fence that is sent after now.
     *
     * @return the sequence to wait for with {@link #hasPassed}; the client is woken then
     */
    long request(final ClientSession client) {
        wanted = true;
        waiting.add(client);
        return sent + 1;
    }

    boolean hasPassed(final long sequence) {
        return passed >= sequence;
    }

    /** Sends the fence asked for in this turn. */
    void sendTurn() {
        if (wanted) {
            wanted = false;
            sender.fence(++sent);
        }
    }

    /**
     * A fence came back.
     *
     * @return false when it is not the one that is due: the link is broken
     */
    boolean fenced(final long sequence) {
        if (sequence != passed + 1 || sequence > sent) {
            return false;
        }
        passed = sequence;
        int kept = 0;
        for (int i = 0; i < waiting.size(); i++) {
            final ClientSession client = waiting.get(i);
            if (client.awaitedFence() <= sequence) {
                client.wake();
            } else {
                waiting.set(kept++, client);
            }
        }
        while (waiting.size() > kept) {
            waiting.removeLast();
        }
        return true;
    }
}
