// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.host.command.CommandSpec;
import goblin.host.command.Dispatcher;
import java.util.ArrayList;
import java.util.List;

/** {@code CLIENT PAUSE}: commands wait until a time, all of them or only those that may write. */
final class ClientPause {
    private final List<Session> waiting = new ArrayList<>();
    private long untilMs;
    private boolean onlyWrites;

    boolean isOn() {
        return untilMs != 0;
    }

    void start(final long until, final boolean writes) {
        // A second pause may make the first longer or wider, never shorter.
        onlyWrites = isOn() ? onlyWrites && writes : writes;
        untilMs = Math.max(untilMs, until);
    }

    /** Whether the session must wait with this command; then it is held until the end of the pause. */
    boolean holds(final Session session, final Dispatcher dispatcher, final CommandSpec spec) {
        if (spec != null && (spec.name().equals("client") || spec.name().equals("quit"))) {
            return false;
        }
        if (onlyWrites && !dispatcher.mayWrite(session, spec)) {
            return false;
        }
        waiting.add(session);
        session.hold();
        return true;
    }

    void check(final long nowMs) {
        if (isOn() && nowMs >= untilMs) {
            end();
        }
    }

    void end() {
        untilMs = 0;
        final List<Session> released = new ArrayList<>(waiting);
        waiting.clear();
        released.forEach(Session::release);
    }
}
