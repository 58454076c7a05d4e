// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

/** The event bits of {@code epoll_ctl} and {@code epoll_wait}, equal on every architecture. */
final class EpollEvents {
    static final int IN = 0x001;
    static final int OUT = 0x004;
    static final int ERR = 0x008;
    static final int HUP = 0x010;
    static final int RDHUP = 0x2000;

    private EpollEvents() {}
}
