// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.IdlePolicy;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import java.util.Locale;

/** Which backend of sockets the tests run on: the system property {@code goblin.sockets}, epoll by default. */
public final class TestedSockets {
    /** The backend. */
    public static final SocketBackend BACKEND =
            SocketBackend.valueOf(System.getProperty("goblin.sockets", "epoll").toUpperCase(Locale.ROOT));

    private TestedSockets() {}

    /**
     * A transport with memory of its own.
     *
     * @return the transport
     */
    public static Transport transport() {
        return open(new SegmentArena(), FaultReporter.STANDARD_ERROR);
    }

    /**
     * A loop with a transport of its own.
     *
     * @param name for people
     * @return the loop, not started
     */
    public static EventLoop loop(final String name) {
        return new EventLoop(name, transport(), IdlePolicy.BACKOFF);
    }

    /**
     * A transport.
     *
     * @param arena  its receive memory
     * @param faults told what handlers throw
     * @return the transport
     */
    public static Transport open(final SegmentArena arena, final FaultReporter faults) {
        return BACKEND.open(arena, BACKEND.windowBytes(arena.segmentBytes()), faults);
    }
}
