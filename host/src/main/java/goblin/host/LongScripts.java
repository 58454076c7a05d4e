// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.host.command.CommandSpec;
import goblin.host.command.Dispatcher;
import java.util.ArrayDeque;

/**
 * Keeps the loop answering while a script runs. Scripts run at the end of a turn, outside the transport's callbacks, so
 * that the transport can be polled from within: links answer heartbeats, and once the script counts as busy clients are
 * told so and may kill it. What clients send before that is kept for afterwards.
 */
final class LongScripts {
    private final Host host;
    private final ArrayDeque<Session> kept = new ArrayDeque<>();
    private boolean allowed;
    private boolean inScript;
    private boolean busy;
    private long startedNs;

    LongScripts(final Host host) {
        this.host = host;
    }

    /** Whether commands that may run long may run now. */
    void allow(final boolean now) {
        allowed = now;
    }

    boolean isInScript() {
        return inScript;
    }

    boolean isBusy() {
        return busy;
    }

    /** A script's session waits for the end of the turn. */
    boolean mustDefer(final Session session, final Dispatcher dispatcher, final CommandSpec spec) {
        if (allowed || busy || !dispatcher.isLong(session, spec)) {
            return false;
        }
        session.hold();
        session.release();
        return true;
    }

    /** While a script runs and is not busy yet, nobody's commands run; they are kept. */
    boolean holds(final Session session) {
        if (!inScript || busy) {
            return false;
        }
        kept.add(session);
        session.hold();
        return true;
    }

    /** A script starts: called by the scripting family around each run at the top level. */
    void begin() {
        inScript = true;
        startedNs = System.nanoTime();
    }

    /**
     * Called every few milliseconds by a running script: lets links and, when busy, clients be answered.
     *
     * @return for how long the script has run, in nanoseconds
     */
    long poll() {
        final long nowNs = System.nanoTime();
        final long ranNs = nowNs - startedNs;
        final long thresholdMs = host.server().settings().busyReplyThresholdMs();
        if (!busy && thresholdMs > 0 && ranNs > thresholdMs * 1_000_000) {
            busy = true;
            host.log("a script has run for " + ranNs / 1_000_000 + " ms; SCRIPT KILL ends it");
            releaseKept();
        }
        host.loop().transport().poll(nowNs);
        if (busy) {
            host.resumeAll();
        }
        host.edges().duringScript(nowNs);
        host.flushAll();
        return ranNs;
    }

    /** The script has ended. */
    void end() {
        inScript = false;
        busy = false;
        releaseKept();
    }

    private void releaseKept() {
        while (!kept.isEmpty()) {
            kept.poll().release();
        }
    }
}
