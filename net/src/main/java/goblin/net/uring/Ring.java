// SPDX-License-Identifier: Apache-2.0
package goblin.net.uring;

import goblin.net.NetException;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.net.linux.OrderedMemory;
import goblin.net.linux.Pages;
import goblin.net.linux.UringCalls;
import goblin.net.linux.UringEntry;
import goblin.net.linux.UringParams;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/**
 * One io_uring: entries are filled in shared memory, submitted together by one system call, and their completions read
 * from shared memory.
 *
 * <p>The ring belongs to the thread that first calls {@link #submit} or {@link #await}; until then any one thread may queue
 * and register. Completions come only from these two calls, so that nothing is read or written behind the owner's back
 * while handlers run, but for operations that are in the hands of the device or of the kernel's workers. When more
 * completes than the completion queue holds, the kernel keeps it. Nothing allocates in the steady state.
 *
 * <p>The user does the bookkeeping of what is under way: memory given to an operation must stay until its completion, and
 * {@link #close} must not be called before.
 */
public final class Ring implements AutoCloseable {
    /** The completion came from the buffer whose number is in the flags above {@link #BUFFER_SHIFT}. */
    public static final int BUFFER = 1;

    /** More completions of the same operation follow. */
    public static final int MORE = 2;

    /** Of a receive: the socket has more bytes. */
    static final int NOT_EMPTY = 4;

    /** Where the number of the buffer is in the flags. */
    public static final int BUFFER_SHIFT = 16;

    private static final int OVERFLOWN = 1 << 1;
    private static final int WORK_WAITS = 1 << 2;
    private static final int SILENT = 1;

    private static final int COMPLETION_BYTES = 16;

    private static final int HEAD = 0;
    private static final int TAIL = 1;
    private static final int SUBMISSION_FLAGS = 4;
    private static final int SUBMISSION_ARRAY = 6;
    private static final int COMPLETIONS = 5;
    private static final int COMPLETION_FLAGS = 6;

    private final UringCalls calls = new UringCalls();
    private final int fd;

    private final long rings;
    private final long ringBytes;
    private final long entries;
    private final long entryBytes;
    private final int submissionMask;
    private final long submissionHead;
    private final long submissionTail;
    private final long submissionFlags;
    private final long completionHead;
    private final long completionTail;
    private final long completionFlags;
    private final long completions;
    private final int completionMask;
    private final long timeout;

    /** What the kernel knows, and what is filled. */
    private int submittedTail;

    private int filledTail;
    private int readHead;
    private boolean enabled;
    private boolean closed;

    private long userData;
    private int result;
    private int flags;

    /**
     * Makes a ring.
     *
     * @param size        entries of the submission queue, a power of two from 1 to 32768
     * @param completions entries of the completion queue, a power of two, at least {@code size}
     * @throws NetException when the kernel refuses, with {@link #refusal} or the cause in words
     */
    public Ring(final int size, final int completions) {
        final long params = Memory.allocate(UringParams.BYTES);
        try {
            UringParams.write(params, RingSupport.FLAGS, completions);
            fd = calls.setup(size, params);
            if (fd < 0) {
                throw new NetException("cannot make an io_uring: " + refusal().orElse(Errno.name(-fd)), -fd);
            }
            submissionMask = UringParams.submissionEntries(params) - 1;
            completionMask = UringParams.completionEntries(params) - 1;
            ringBytes = Pages.rounded(Math.max(
                    UringParams.submissionOffset(params, SUBMISSION_ARRAY) + (submissionMask + 1L) * Integer.BYTES,
                    UringParams.completionOffset(params, COMPLETIONS) + (completionMask + 1L) * COMPLETION_BYTES));
            entryBytes = Pages.rounded((submissionMask + 1L) * UringEntry.BYTES);
            rings = mapped(ringBytes, UringParams.RINGS);
            entries = mapped(entryBytes, UringParams.ENTRIES);
            submissionHead = rings + UringParams.submissionOffset(params, HEAD);
            submissionTail = rings + UringParams.submissionOffset(params, TAIL);
            submissionFlags = rings + UringParams.submissionOffset(params, SUBMISSION_FLAGS);
            completionHead = rings + UringParams.completionOffset(params, HEAD);
            completionTail = rings + UringParams.completionOffset(params, TAIL);
            completionFlags = rings + UringParams.completionOffset(params, COMPLETION_FLAGS);
            this.completions = rings + UringParams.completionOffset(params, COMPLETIONS);
            final long array = rings + UringParams.submissionOffset(params, SUBMISSION_ARRAY);
            for (int i = 0; i <= submissionMask; i++) {
                Memory.putInt(array + (long) i * Integer.BYTES, i);
            }
            timeout = Memory.allocate(UringCalls.TIMEOUT_BYTES);
        } finally {
            Memory.free(params);
        }
    }

    /**
     * Tells whether the kernel lets this process have rings.
     *
     * @return empty when it does, else why not, to go on after "the kernel refuses: "
     */
    public static Optional<String> refusal() {
        return RingSupport.refusal();
    }

    /**
     * The ring's descriptor, readable while completions wait.
     *
     * @return a descriptor
     */
    public int descriptor() {
        return fd;
    }

    // ---- submitting

    /**
     * Takes the next entry; one of the methods of {@link UringEntry} must fill it before anything else is called here.
     *
     * @return its address, or 0 when the queue is full: then {@link #submit} makes room
     */
    public long entry() {
        if (filledTail - OrderedMemory.getIntAcquire(submissionHead) > submissionMask) {
            return 0;
        }
        return entries + (long) (filledTail++ & submissionMask) * UringEntry.BYTES;
    }

    /**
     * Counts the entries taken and not submitted.
     *
     * @return 0 or more
     */
    public int queued() {
        return filledTail - submittedTail;
    }

    /**
     * Submits what is queued and lets the kernel complete what it can, without waiting. Costs no call when there is nothing
     * to do.
     *
     * @return 0, or the negated errno when the kernel took none; what it did not take stays queued
     */
    public int submit() {
        if (queued() == 0 && (OrderedMemory.getIntOpaque(submissionFlags) & (OVERFLOWN | WORK_WAITS)) == 0) {
            return 0;
        }
        return enter(0, 0, 0);
    }

    /**
     * Submits what is queued and sleeps until a completion is there.
     *
     * @param timeoutNs at most this long, more than 0
     * @return 0, also when the time is up or a signal came, or the negated errno
     */
    public int await(final long timeoutNs) {
        if (hasCompletion()) {
            return submit();
        }
        UringCalls.writeTimeout(timeout, timeoutNs);
        final int outcome = enter(1, UringCalls.ENTER_EXTENDED, timeout);
        return outcome == -Errno.ETIME || outcome == -Errno.EINTR ? 0 : outcome;
    }

    private int enter(final int minComplete, final int moreFlags, final long argument) {
        if (!enabled) {
            enable();
        }
        OrderedMemory.putIntRelease(submissionTail, filledTail);
        final int taken = calls.enter(fd, queued(), minComplete, UringCalls.ENTER_GET_EVENTS | moreFlags, argument);
        // Counted by what the kernel says in memory: a call that was interrupted may have taken some.
        submittedTail = OrderedMemory.getIntAcquire(submissionHead);
        return Math.min(taken, 0);
    }

    private void enable() {
        final int outcome = calls.register(fd, UringCalls.REGISTER_ENABLE, 0, 0);
        if (outcome < 0) {
            throw new NetException("cannot start an io_uring: " + Errno.name(-outcome), -outcome);
        }
        enabled = true;
    }

    // ---- completing

    /**
     * Looks for a completion in memory.
     *
     * @return whether {@link #next} would find one
     */
    public boolean hasCompletion() {
        return OrderedMemory.getIntAcquire(completionTail) != readHead;
    }

    /**
     * Tells whether {@link #submit} would make a call: entries are queued, or the kernel has something to complete.
     *
     * @return whether it would
     */
    public boolean needsSubmit() {
        return queued() > 0 || (OrderedMemory.getIntOpaque(submissionFlags) & (OVERFLOWN | WORK_WAITS)) != 0;
    }

    /**
     * Takes the oldest completion; {@link #userData}, {@link #result} and {@link #flags} tell of it until the next call.
     *
     * @return false when there is none
     */
    public boolean next() {
        final int head = readHead;
        if (OrderedMemory.getIntAcquire(completionTail) == head) {
            return false;
        }
        final long completion = completions + (long) (head & completionMask) * COMPLETION_BYTES;
        userData = Memory.getLong(completion);
        result = Memory.getInt(completion + 8);
        flags = Memory.getInt(completion + 12);
        readHead = head + 1;
        OrderedMemory.putIntRelease(completionHead, readHead);
        return true;
    }

    /**
     * The user data of the completion that was taken last.
     *
     * @return as given to its entry
     */
    public long userData() {
        return userData;
    }

    /**
     * The result of the completion that was taken last.
     *
     * @return 0 or more, or a negated errno
     */
    public int result() {
        return result;
    }

    /**
     * The flags of the completion that was taken last.
     *
     * @return {@link #MORE}, {@link #BUFFER} and the number of the buffer
     */
    public int flags() {
        return flags;
    }

    // ---- notifying

    /**
     * Has an eventfd signalled for completions, from now on and while {@link #notifying} says so.
     *
     * @param eventfd a descriptor that stays open as long as the ring
     * @return 0 or the negated errno
     */
    public int registerEventfd(final int eventfd) {
        Memory.putInt(timeout, eventfd);
        return calls.register(fd, UringCalls.REGISTER_EVENTFD, timeout, 1);
    }

    /**
     * Turns the signals of the eventfd on or off; a write to memory, no call. After turning them on, the owner must look
     * once more with {@link #hasCompletion} and {@link #needsSubmit} before it sleeps: what completed before makes no
     * signal.
     *
     * @param on whether completions are to be signalled
     */
    public void notifying(final boolean on) {
        OrderedMemory.putIntOpaque(completionFlags, on ? 0 : SILENT);
        VarHandle.fullFence();
    }

    /**
     * Limits the kernel's workers, which wait in the place of the ring's thread where an operation must wait. On that
     * thread, which has submitted something before.
     *
     * @param files how many may wait for files at a time, 1 or more
     * @param cpus  where they may run, as {@link goblin.net.linux.Affinity#mask} tells it; null changes nothing
     * @return 0 or the negated errno
     */
    public int workers(final int files, final byte[] cpus) {
        // Two counts; 0 leaves the second as it is.
        Memory.putInt(timeout, files);
        Memory.putInt(timeout + Integer.BYTES, 0);
        final int outcome = calls.register(fd, UringCalls.REGISTER_WORKERS, timeout, 2);
        if (outcome < 0 || cpus == null) {
            return Math.min(outcome, 0);
        }
        final long mask = Memory.allocate(cpus.length);
        try {
            Memory.copyIn(cpus, 0, mask, cpus.length);
            return calls.register(fd, UringCalls.REGISTER_WORKER_CPUS, mask, cpus.length);
        } finally {
            Memory.free(mask);
        }
    }

    /**
     * Registers something else with the ring.
     *
     * @param operation of {@link UringCalls}
     * @param argument  what it takes
     * @param count     how many of it
     * @return 0 or more, or the negated errno
     */
    int register(final int operation, final long argument, final int count) {
        return calls.register(fd, operation, argument, count);
    }

    /** Gives the ring back. Nothing may be under way, or its memory must outlive the process. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Pages.unmap(rings, ringBytes);
            Pages.unmap(entries, entryBytes);
            calls.close(fd);
            Memory.free(timeout);
        }
    }

    private long mapped(final long bytes, final long offset) {
        final long address = calls.map(fd, bytes, offset);
        if (address < 0) {
            calls.close(fd);
            throw new NetException("cannot map an io_uring: " + Errno.name((int) -address), (int) -address);
        }
        return address;
    }
}
