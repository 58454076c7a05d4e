// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

/** The event bits of poll, the same for epoll and io_uring on every architecture. */
public final class PollEvents {
    /** Bytes, a connection to accept, or an end. */
    public static final int IN = 0x001;
    /** Room to send. */
    public static final int OUT = 0x004;
    /** An error; always reported. */
    public static final int ERR = 0x008;
    /** Both sides ended; always reported. */
    public static final int HUP = 0x010;
    /** The peer ended its side. */
    public static final int RDHUP = 0x2000;

    private PollEvents() {}
}
