// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.FaultReporter;
import goblin.net.NetException;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import goblin.net.epoll.EpollTransport;
import goblin.net.uring.UringTransport;

/** What serves a loop's sockets. */
public enum SocketBackend {
    /** Readiness by epoll, then one receive call. */
    EPOLL,
    /** Completions of an io_uring. */
    IO_URING;

    /**
     * Makes a loop's transport.
     *
     * @param arena       its receive memory, closed with it
     * @param windowBytes how much one receive may bring; of an io_uring, how much the kernel may fill at any time
     * @param faults      told what handlers throw
     * @return the transport
     * @throws NetException when the kernel refuses
     */
    public Transport open(final SegmentArena arena, final int windowBytes, final FaultReporter faults) {
        return switch (this) {
            case EPOLL -> new EpollTransport(arena, windowBytes, faults);
            case IO_URING -> new UringTransport(arena, windowBytes, faults);
        };
    }

    /**
     * How much must be ready to be filled for a backend to work well.
     *
     * @param windowBytes of one receive, as asked for
     * @return bytes, at least those
     */
    int windowBytes(final int windowBytes) {
        return switch (this) {
            case EPOLL -> windowBytes;
            case IO_URING -> Math.max(windowBytes, UringTransport.DEFAULT_WINDOW_BYTES);
        };
    }
}
