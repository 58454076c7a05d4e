// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.FaultReporter;
import java.util.ArrayList;

/**
 * What is put off to the end of a loop turn, and in which order it comes: clients whose wait may be over go on, interests
 * and fences are sent, sessions and clients are flushed, then the publisher link in one write; then what ended is given
 * back. What goes wrong with one client ends that client and no other.
 */
final class EdgeTurn {
    private static final int ROUNDS = 2;
    private static final long LARGEST_KEPT_BYTES = 1 << 20;

    private final Edge edge;
    private ArrayList<ClientSession> resumed = new ArrayList<>();
    private ArrayList<ClientSession> resuming = new ArrayList<>();
    private final ArrayList<ClientSession> nextTurn = new ArrayList<>();
    private ArrayList<ClientOutput> dirtyOutputs = new ArrayList<>();
    private ArrayList<ClientOutput> flushingOutputs = new ArrayList<>();
    private ArrayList<UpstreamSession> dirtySessions = new ArrayList<>();
    private ArrayList<UpstreamSession> flushingSessions = new ArrayList<>();
    private final ArrayList<ClientSession> buried = new ArrayList<>();
    private final Runnable nextTurnTask = this::wakeNextTurn;

    EdgeTurn(final Edge edge) {
        this.edge = edge;
    }

    /** The client may go on; it is asked once before the turn ends. */
    void resume(final ClientSession client) {
        resumed.add(client);
    }

    /** The client has used up its share of this turn. */
    void resumeNextTurn(final ClientSession client) {
        if (nextTurn.isEmpty()) {
            edge.loop().execute(nextTurnTask);
        }
        nextTurn.add(client);
    }

    void flushAtEnd(final ClientOutput output) {
        dirtyOutputs.add(output);
    }

    void flushAtEnd(final UpstreamSession session) {
        dirtySessions.add(session);
    }

    /** Gives the client back at the end of the turn. */
    void bury(final ClientSession client) {
        buried.add(client);
    }

    /** The hook of the loop. */
    void end() {
        resumeClients();
        giveBackBuried();
        edge.interests().settleTurn();
        edge.fences().sendTurn();
        edge.role().flushInterests();
        flushSessions();
        flushOutputs();
        edge.role().flushPublications();
        giveBackBuried();
        edge.shrinkBuffers(LARGEST_KEPT_BYTES);
        if (!resumed.isEmpty()
                || !dirtyOutputs.isEmpty()
                || !dirtySessions.isEmpty()
                || edge.interests().hasUnsettled()) {
            // There is more to do although nothing may be ready: the loop must not sleep.
            edge.loop().execute(nextTurnTask);
        }
    }

    private void resumeClients() {
        // A resumed client may wake others, or itself: they are seen in the same turn, each once more at most.
        for (int round = 0; round < ROUNDS && !resumed.isEmpty(); round++) {
            final ArrayList<ClientSession> turn = resumed;
            resumed = resuming;
            resuming = turn;
            for (int i = 0; i < turn.size(); i++) {
                final ClientSession client = turn.get(i);
                try {
                    client.resumeNow();
                } catch (final RuntimeException | AssertionError thrown) {
                    fault(client, thrown);
                }
            }
            turn.clear();
        }
    }

    private void flushSessions() {
        final ArrayList<UpstreamSession> turn = dirtySessions;
        dirtySessions = flushingSessions;
        flushingSessions = turn;
        for (int i = 0; i < turn.size(); i++) {
            try {
                turn.get(i).flush();
            } catch (final RuntimeException | AssertionError thrown) {
                fault(turn.get(i).client(), thrown);
            }
        }
        turn.clear();
    }

    private void flushOutputs() {
        while (!dirtyOutputs.isEmpty()) {
            final ArrayList<ClientOutput> turn = dirtyOutputs;
            dirtyOutputs = flushingOutputs;
            flushingOutputs = turn;
            for (int i = 0; i < turn.size(); i++) {
                try {
                    turn.get(i).flushAtTurnEnd();
                } catch (final RuntimeException | AssertionError thrown) {
                    fault(turn.get(i).client(), thrown);
                }
            }
            turn.clear();
        }
    }

    private void giveBackBuried() {
        for (int i = 0; i < buried.size(); i++) {
            final ClientSession client = buried.get(i);
            if (!client.isGone()) {
                edge.clients().remove(client);
                try {
                    client.release();
                } catch (final RuntimeException | AssertionError thrown) {
                    fault(client, thrown);
                }
            }
        }
        buried.clear();
    }

    private void fault(final ClientSession client, final Throwable thrown) {
        FaultReporter.STANDARD_ERROR.report("client " + client.id(), thrown);
        if (!client.isGone()) {
            bury(client);
        }
    }

    private void wakeNextTurn() {
        for (int i = 0; i < nextTurn.size(); i++) {
            nextTurn.get(i).wake();
        }
        nextTurn.clear();
    }
}
