// SPDX-License-Identifier: Apache-2.0
package goblin.net.uring;

import goblin.net.NetException;
import goblin.net.linux.Errno;
import goblin.net.linux.UringEntry;
import goblin.net.socket.Pollable;
import java.util.Arrays;

/**
 * Which operations the kernel has under way, and which it should have. A change of wishes is noted, and made up for by
 * {@link #prepare}, so that entries are made and submitted in one go: no entry ever waits while its descriptor is closed
 * and used anew.
 *
 * <p>User data is the generation, the index of the {@link Registration} and the kind.
 */
final class Operations {
    private static final int WATCH = 0;
    private static final int RECEIVE = 1;
    private static final int END_WATCH = 2;
    private static final int END_RECEIVE = 3;
    private static final int WAKE = 4;
    private static final int END_ALL = 5;
    private static final int KIND_BITS = 3;
    private static final int KIND_MASK = (1 << KIND_BITS) - 1;

    private static final int INPUT = 1;
    private static final long STEP_NS = 10_000_000;

    private final Ring ring;
    private final BufferRing buffers;
    private final int waker;

    private Registration[] registrations = new Registration[64];
    private int registrationCount;
    private Registration[] unused = new Registration[64];
    private int unusedCount;
    private Registration[] changed = new Registration[64];
    private int changedCount;

    /** Operations submitted whose last completion has not come. */
    private int underWay;

    private boolean watchingWaker;
    private boolean ended;

    Operations(final Ring ring, final BufferRing buffers, final int waker) {
        this.ring = ring;
        this.buffers = buffers;
        this.waker = waker;
    }

    // ---- wishes

    void register(final Pollable pollable, final int events) {
        final Registration registration = unusedCount > 0 ? unused[--unusedCount] : added();
        registration.begin(pollable, pollable instanceof UringConnection connection ? connection : null, events);
        pollable.registration = registration.index + 1;
        changed(registration);
    }

    private Registration added() {
        if (registrationCount == registrations.length) {
            registrations = Arrays.copyOf(registrations, registrationCount * 2);
            unused = Arrays.copyOf(unused, registrationCount * 2);
            changed = Arrays.copyOf(changed, registrationCount * 2);
        }
        final Registration registration = new Registration(registrationCount);
        registrations[registrationCount++] = registration;
        return registration;
    }

    /** Returns whether it was registered; its descriptor is to be closed now, unless {@link #mayCloseNow} forbids it. */
    boolean unregister(final Pollable pollable) {
        if (pollable.registration == 0) {
            return false;
        }
        final Registration registration = registrations[pollable.registration - 1];
        pollable.registration = 0;
        registration.pollable = null;
        registration.connection = null;
        changed(registration);
        return true;
    }

    /** Whether no entry waits that the kernel did not take: such a one could meet another socket of the same descriptor. */
    boolean mayCloseNow() {
        return ring.queued() == 0;
    }

    void changed(final UringConnection connection) {
        if (connection.registration != 0) {
            changed(registrations[connection.registration - 1]);
        }
    }

    private void changed(final Registration registration) {
        if (!registration.changed) {
            registration.changed = true;
            changed[changedCount++] = registration;
        }
    }

    // ---- submitting

    /** Queues the entries that make the operations what they should be. */
    void prepare() {
        if (!watchingWaker) {
            final long entry = ring.entry();
            if (entry != 0) {
                UringEntry.watch(entry, waker, INPUT, WAKE);
                watchingWaker = true;
                underWay++;
            }
        }
        while (changedCount > 0) {
            final Registration registration = changed[changedCount - 1];
            if (!prepare(registration)) {
                // The queue is full.
                submit();
                if (ring.queued() > 0) {
                    return;
                }
                continue;
            }
            changed[--changedCount] = null;
            registration.changed = false;
            if (registration.isUnused()) {
                unused[unusedCount++] = registration;
            }
        }
    }

    private boolean prepare(final Registration of) {
        final boolean open = of.pollable != null;
        if (open != of.watching && !of.endingWatch) {
            final long entry = ring.entry();
            if (entry == 0) {
                return false;
            }
            underWay++;
            if (open) {
                of.watching = true;
                UringEntry.watch(entry, of.descriptor, of.events, userData(of, WATCH));
            } else {
                of.endingWatch = true;
                UringEntry.cancel(entry, userData(of, WATCH), userData(of, END_WATCH));
            }
        }
        final boolean wanted = of.connection != null && of.connection.wantsBytes();
        final boolean again = of.receiving && wanted && of.connection.mayMissTheEnd;
        if ((wanted != of.receiving || again) && !of.endingReceive) {
            final long entry = ring.entry();
            if (entry == 0) {
                return false;
            }
            underWay++;
            if (!of.receiving) {
                of.receiving = true;
                of.connection.mayMissTheEnd = false;
                UringEntry.receiveAlways(entry, of.descriptor, BufferRing.GROUP, userData(of, RECEIVE));
            } else {
                of.endingReceive = true;
                UringEntry.cancel(entry, userData(of, RECEIVE), userData(of, END_RECEIVE));
            }
        }
        return true;
    }

    private static long userData(final Registration of, final int kind) {
        return (long) of.generation << Integer.SIZE | (long) of.index << KIND_BITS | kind;
    }

    /** Submits what is queued and lets the kernel complete what it can. */
    void submit() {
        check(ring.submit());
    }

    /** Submits, and sleeps until something completes. */
    void await(final long timeoutNs) {
        check(ring.await(timeoutNs));
    }

    private static void check(final int outcome) {
        switch (-outcome) {
            // What the kernel could not take now stays queued.
            case 0, Errno.EAGAIN, Errno.EBUSY, Errno.EINTR, Errno.ENOMEM -> {}
            case Errno.EEXIST ->
                throw new IllegalStateException("an io_uring belongs to the thread that used it first");
            default -> throw new NetException("io_uring failed: " + Errno.name(-outcome), -outcome);
        }
    }

    // ---- completing

    /** Takes note of all that completed; returns how much concerned somebody. */
    int fetch() {
        int work = 0;
        while (ring.next()) {
            final long userData = ring.userData();
            final int kind = (int) userData & KIND_MASK;
            final boolean last = (ring.flags() & Ring.MORE) == 0;
            if (last) {
                underWay--;
            }
            if (kind == WAKE) {
                watchingWaker &= !last;
            } else if (kind != END_ALL) {
                work += completed(registrations[(int) userData >>> KIND_BITS], kind, last);
            }
        }
        return work;
    }

    private int completed(final Registration of, final int kind, final boolean last) {
        if (last) {
            changed(of);
        }
        switch (kind) {
            case WATCH -> {
                of.watching &= !last;
                return onEvents(of.pollable);
            }
            case RECEIVE -> {
                of.receiving &= !last;
                return onReceive(of.connection);
            }
            case END_WATCH -> of.endingWatch = false;
            default -> of.endingReceive = false;
        }
        return 0;
    }

    private int onEvents(final Pollable pollable) {
        if (pollable == null || ring.result() <= 0) {
            return 0;
        }
        pollable.onEvents(ring.result());
        return 1;
    }

    private int onReceive(final UringConnection connection) {
        final int result = ring.result();
        final boolean buffer = (ring.flags() & Ring.BUFFER) != 0;
        if (buffer) {
            final int number = ring.flags() >>> Ring.BUFFER_SHIFT;
            buffers.filled();
            if (result > 0 && connection != null) {
                connection.onBytes(number, result, (ring.flags() & Ring.NOT_EMPTY) != 0);
                return 1;
            }
            buffers.provide(number);
        }
        if (connection == null || result > 0) {
            return 0;
        }
        connection.onReceiveEnded(result);
        return 1;
    }

    // ---- the end

    /** Closes everybody. */
    void closeAll() {
        for (int i = 0; i < registrationCount; i++) {
            final Pollable pollable = registrations[i].pollable;
            if (pollable != null) {
                pollable.close();
            }
        }
    }

    /** Ends all operations; returns whether none is left within the time. */
    boolean end(final long withinNs) {
        if (underWay == 0) {
            return true;
        }
        final long deadlineNs = System.nanoTime() + withinNs;
        try {
            do {
                final long entry = ended ? 0 : ring.entry();
                if (entry != 0) {
                    ended = true;
                    underWay++;
                    UringEntry.cancelAll(entry, END_ALL);
                }
                await(STEP_NS);
                fetch();
            } while (underWay > 0 && System.nanoTime() - deadlineNs < 0);
        } catch (final IllegalStateException otherThread) {
            return false;
        }
        return underWay == 0;
    }
}
