// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.invoke.MethodHandle;

/** Which CPUs the calling thread may run on. Threads started later inherit the mask of the thread that starts them. */
public final class Affinity {
    private static final int MASK_BYTES = 1024;
    private static final MethodHandle SET =
            Native.capturing("sched_setaffinity", int.class, int.class, long.class, long.class);
    private static final MethodHandle GET =
            Native.capturing("sched_getaffinity", int.class, int.class, long.class, long.class);

    private Affinity() {}

    /**
     * Pins the calling thread to one CPU.
     *
     * @param cpu the CPU's number, 0 to 8191
     * @return 0, or the kernel's error number (EINVAL: there is no such CPU or it is not allowed here)
     */
    public static int pinCurrentThread(final int cpu) {
        if (cpu < 0 || cpu >= MASK_BYTES * Byte.SIZE) {
            return Errno.EINVAL;
        }
        final long mask = Memory.allocate(MASK_BYTES);
        try {
            Memory.fill(mask, MASK_BYTES, (byte) 0);
            Memory.putByte(mask + cpu / 8, (byte) (1 << (cpu % 8)));
            final ErrnoState state = new ErrnoState();
            return (int) SET.invokeExact(state.segment, 0, (long) MASK_BYTES, mask) == 0 ? 0 : state.errno();
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        } finally {
            Memory.free(mask);
        }
    }

    /**
     * Tells whether the calling thread may run on a CPU.
     *
     * @param cpu the CPU's number
     * @return whether it is in the thread's mask
     */
    public static boolean mayRunOn(final int cpu) {
        if (cpu < 0 || cpu >= MASK_BYTES * Byte.SIZE) {
            return false;
        }
        return (mask()[cpu / 8] >> (cpu % 8) & 1) != 0;
    }

    /**
     * Reads the calling thread's mask.
     *
     * @return a new array of 8192 bits: CPU 0 is the lowest bit of byte 0; none is set where the kernel does not tell
     */
    public static byte[] mask() {
        final long mask = Memory.allocate(MASK_BYTES);
        try {
            Memory.fill(mask, MASK_BYTES, (byte) 0);
            final ErrnoState state = new ErrnoState();
            final int ignored = (int) GET.invokeExact(state.segment, 0, (long) MASK_BYTES, mask);
            return Memory.toBytes(mask, MASK_BYTES);
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        } finally {
            Memory.free(mask);
        }
    }
}
