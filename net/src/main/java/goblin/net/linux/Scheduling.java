// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.invoke.MethodHandle;

/** How the kernel schedules the calling thread. */
public final class Scheduling {
    private static final int SCHED_FIFO = 1;
    private static final int SCHED_RR = 2;
    private static final int SCHED_DEADLINE = 6;
    private static final int RESET_ON_FORK = 0x40000000;

    private static final MethodHandle GET = Native.capturing("sched_getscheduler", int.class, int.class);

    private Scheduling() {}

    /**
     * Tells whether the calling thread has a real-time policy, so that nothing of lower priority runs on its core until
     * it sleeps.
     *
     * @return whether it runs under SCHED_FIFO, SCHED_RR or SCHED_DEADLINE
     */
    public static boolean isRealTime() {
        final int policy;
        try {
            policy = (int) GET.invokeExact(new ErrnoState().segment, 0);
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
        return switch (policy & ~RESET_ON_FORK) {
            case SCHED_FIFO, SCHED_RR, SCHED_DEADLINE -> policy >= 0;
            default -> false;
        };
    }
}
