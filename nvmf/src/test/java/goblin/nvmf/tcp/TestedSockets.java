// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.IdlePolicy;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import goblin.net.uring.Ring;
import goblin.nvmf.namespace.FileIo;
import java.util.Locale;

/**
 * What the tests run on: the system properties {@code goblin.sockets}, epoll by default, and {@code goblin.fileIo}, threads by
 * default. Those are what is left where the kernel refuses io_uring, which is printed.
 */
public final class TestedSockets {
    /** What serves sockets. */
    public static final SocketBackend BACKEND = chosen("goblin.sockets", SocketBackend.EPOLL);

    /** What reads and writes files. */
    public static final FileIo FILE_IO = chosen("goblin.fileIo", FileIo.THREADS);

    private TestedSockets() {}

    private static <E extends Enum<E>> E chosen(final String property, final E otherwise) {
        final E asked = Enum.valueOf(
                otherwise.getDeclaringClass(),
                System.getProperty(property, otherwise.name()).toUpperCase(Locale.ROOT));
        if (asked == otherwise || Ring.refusal().isEmpty()) {
            return asked;
        }
        System.out.println(property + " is " + otherwise + ", because the kernel refuses: "
                + Ring.refusal().get());
        return otherwise;
    }

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
