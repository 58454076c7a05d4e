// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.LoopPoller;
import goblin.net.NetException;
import goblin.net.linux.Affinity;
import goblin.net.linux.Errno;
import goblin.net.linux.UringEntry;
import goblin.net.uring.Ring;
import java.util.Arrays;

/**
 * A loop's io_uring for files. What is started in a turn is submitted with one call, at the loop's next poll; completions are
 * read from memory, and wake the loop only while it sleeps. The kernel does what it can at once, such as reads from the page
 * cache, and leaves to its workers what has to wait. They run where the maker's thread may and the loop's does not: a loop
 * that spins would keep them from their work, one of real time for ever.
 *
 * <p>Used on the loop's thread once that runs. Allocates nothing in the steady state.
 */
final class UringFiles implements FileRing, LoopPoller {
    /** Operations under way at most; more go to the workers. */
    static final int SLOTS = 1024;

    private static final long BEGINNING = -1;
    private static final long CLOSE_NS = 10_000_000_000L;
    private static final long CLOSE_STEP_NS = 100_000_000L;

    private final Ring ring = new Ring(SLOTS, 2 * SLOTS);
    private final byte[] makersCpus = Affinity.mask();
    private final BlockOperation[] operations = new BlockOperation[SLOTS];
    private final FileNamespace[] namespaces = new FileNamespace[SLOTS];
    private final int[] free = new int[SLOTS];
    private int freeCount = SLOTS;
    private long started;
    private boolean begun;

    /**
     * Makes it.
     *
     * @param eventfd wakes the loop; open as long as the loop
     * @throws NetException when the kernel refuses
     */
    UringFiles(final int eventfd) {
        for (int i = 0; i < SLOTS; i++) {
            free[i] = i;
        }
        final int outcome = ring.registerEventfd(eventfd);
        if (outcome < 0) {
            ring.close();
            throw new NetException("an io_uring cannot wake its loop: " + Errno.name(-outcome), -outcome);
        }
        ring.notifying(false);
    }

    @Override
    public boolean start(final FileNamespace namespace, final BlockOperation operation, final BackingFile file) {
        final int descriptor = file.descriptor();
        if (descriptor < 0 || freeCount == 0) {
            return false;
        }
        if (!begun) {
            begin();
        }
        long entry = ring.entry();
        if (entry == 0) {
            ring.submit();
            entry = ring.entry();
            if (entry == 0) {
                return false;
            }
        }
        final int slot = free[--freeCount];
        operations[slot] = operation;
        namespaces[slot] = namespace;
        started++;
        if (operation.command() == BlockCommand.READ) {
            UringEntry.readv(entry, descriptor, operation.iovecs(), operation.iovecCount(), operation.offset(), slot);
        } else {
            UringEntry.writev(
                    entry, descriptor, operation.iovecs(), operation.iovecCount(), operation.offset(), 0, slot);
        }
        return true;
    }

    /** The kernel takes what is said of its workers only from the ring's thread, when that has submitted something. */
    private void begin() {
        begun = true;
        UringEntry.nop(ring.entry(), BEGINNING);
        ring.submit();
        final byte[] own = Affinity.mask();
        final byte[] others = makersCpus.clone();
        boolean any = false;
        for (int i = 0; i < others.length; i++) {
            others[i] &= (byte) ~own[i];
            any |= others[i] != 0;
        }
        // As many as operations, since each that hangs keeps one; they exist only while all others wait.
        ring.workers(SLOTS, any ? others : Arrays.equals(own, makersCpus) ? null : makersCpus);
    }

    /** Operations that it was given, ever. */
    long started() {
        return started;
    }

    @Override
    public int poll() {
        if (ring.needsSubmit()) {
            // What the kernel does not take now (no memory) stays queued for the next turn.
            ring.submit();
        }
        int work = 0;
        while (ring.next()) {
            if (ring.userData() == BEGINNING) {
                continue;
            }
            work++;
            final int slot = (int) ring.userData();
            final int result = ring.result();
            final BlockOperation operation = operations[slot];
            final FileNamespace namespace = namespaces[slot];
            operations[slot] = null;
            namespaces[slot] = null;
            free[freeCount++] = slot;
            namespace.moved(operation, result);
        }
        return work;
    }

    @Override
    public boolean prepareSleep() {
        ring.notifying(true);
        return !ring.hasCompletion() && !ring.needsSubmit();
    }

    @Override
    public void awake() {
        ring.notifying(false);
    }

    /** Waits for what is under way, since the kernel uses its memory; a device that hangs keeps the ring. */
    @Override
    public void close() {
        final long beganNs = System.nanoTime();
        while (freeCount < SLOTS) {
            poll();
            if (System.nanoTime() - beganNs > CLOSE_NS) {
                return;
            }
            if (freeCount < SLOTS) {
                ring.await(CLOSE_STEP_NS);
            }
        }
        ring.close();
    }
}
