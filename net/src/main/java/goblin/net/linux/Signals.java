// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.invoke.MethodHandle;

/** What signals do to this process. Any thread. */
public final class Signals {
    private static final MethodHandle SIGNAL = Native.plain("signal", long.class, int.class, long.class);
    private static final int INTERRUPT = 2;
    private static final int TERMINATE = 15;
    private static final long DEFAULT = 0;

    private Signals() {}

    /**
     * From now on SIGINT and SIGTERM end the process at once, whatever the virtual machine is doing. For a program that is
     * ending already and is asked again.
     */
    public static void endAtOnce() {
        try {
            final long first = (long) SIGNAL.invokeExact(INTERRUPT, DEFAULT);
            final long second = (long) SIGNAL.invokeExact(TERMINATE, DEFAULT);
            if (first < 0 || second < 0) {
                throw new IllegalStateException("the kernel keeps the handlers of signals");
            }
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }
}
