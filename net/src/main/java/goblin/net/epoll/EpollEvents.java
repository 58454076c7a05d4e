// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

/** The event bits of {@code epoll_ctl} and {@code epoll_wait}, equal on every architecture. */
final class EpollEvents {
    static final int IN = 0x001;
    static final int OUT = 0x004;
    static final int ERR = 0x008;
    static final int HUP = 0x010;
    static final int RDHUP = 0x2000;
    static final int EDGE = 1 << 31;

    /** What a connection is registered for, once and for all. ERR and HUP are always reported. */
    static final int CONNECTION = IN | OUT | RDHUP | EDGE;

    /** What a listener and the wake-up descriptor are registered for. */
    static final int INPUT = IN | EDGE;

    private EpollEvents() {}
}
