// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import goblin.net.EventLoop;
import goblin.net.linux.Memory;
import goblin.net.linux.Pages;
import goblin.nvmf.initiator.HostCommand;
import goblin.nvmf.initiator.HostQueue;
import goblin.nvmf.initiator.Initiator;
import goblin.nvmf.initiator.InitiatorException;
import goblin.nvmf.initiator.InitiatorListener;
import goblin.nvmf.initiator.InitiatorOptions;
import goblin.nvmf.initiator.NamespaceInfo;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.Sqe;
import goblin.nvmf.target.Status;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.Histogram;

/**
 * One run of a workload over one association: every command of every queue is kept under way until the end. Runs on a loop
 * and allocates nothing there once it runs.
 */
public final class LoadRun implements InitiatorListener {
    private static final long LONGEST_NS = 60_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final long PATTERN_BYTES = 1 << 20;
    /** Commands beyond share memory with others, unless it is verified. */
    private static final long MOST_MEMORY_BYTES = 1L << 30;

    private final EventLoop loop;
    private final InitiatorOptions options;
    private final Workload workload;
    private final CompletableFuture<LoadResult> result = new CompletableFuture<>();
    private final Histogram latencies = new Histogram(1, LONGEST_NS, SIGNIFICANT_DIGITS);

    private Initiator initiator;
    private NamespaceInfo namespace;
    private Verifier verifier;
    private long memory;
    private long memoryBytes;
    private long slots;
    private int blocksAnIo;
    private long random = 0x2545_F491_4F6C_DD1DL;
    private long[] nextSlot;

    private boolean measuring;
    private boolean stopping;
    private long phaseEndNs;
    private long startNs;
    private long elapsedNs;
    private int active;
    private long completed;
    private volatile long shownCompleted;
    private long measuredBytes;
    private boolean otherNext;
    /** When it is to keep its association once all is done: told then. */
    private CompletableFuture<Void> idle;

    /**
     * Prepares a run.
     *
     * @param loop     where it runs; started
     * @param options  the association
     * @param workload what to do
     */
    public LoadRun(final EventLoop loop, final InitiatorOptions options, final Workload workload) {
        this.loop = loop;
        this.options = options;
        this.workload = workload;
    }

    /**
     * Runs it; not on the loop.
     *
     * @return what was measured
     * @throws InterruptedException when interrupted; the run goes on
     * @throws InitiatorException   when the target refuses, fails or answers wrongly
     */
    public LoadResult run() throws InterruptedException {
        try {
            return start().get();
        } catch (final ExecutionException failed) {
            if (failed.getCause() instanceof final InitiatorException known) {
                throw known;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    /**
     * Starts it; not on the loop.
     *
     * @return done when the run is, perhaps by an {@link InitiatorException}
     */
    public CompletableFuture<LoadResult> start() {
        // Here and not on the loop: it takes seconds for much memory, and the target waits for signs of life.
        allocate();
        loop.execute(() -> initiator = Initiator.connect(loop, options, this));
        return result;
    }

    /**
     * Starts it, and keeps its association when all commands are done, until {@link #letGo}; not on the loop.
     *
     * @return done when all commands are, perhaps by an {@link InitiatorException}
     */
    public CompletableFuture<Void> startAndStay() {
        final CompletableFuture<Void> done = new CompletableFuture<>();
        idle = done;
        allocate();
        loop.execute(() -> initiator = Initiator.connect(loop, options, this));
        return done;
    }

    /**
     * Ends an association that was kept; not on the loop.
     *
     * @return done when it has ended
     */
    public CompletableFuture<LoadResult> letGo() {
        loop.execute(() -> initiator.shutDown());
        return result;
    }

    /**
     * Commands completed so far, warm-up included; from any thread, perhaps a little old.
     *
     * @return 0 or more
     */
    public long completedSoFar() {
        return shownCompleted;
    }

    // ---- the association

    @Override
    public void onReady(final Initiator ready) {
        ready.identifyNamespace(workload.nsid(), found -> {
            namespace = found;
            try {
                begin();
            } catch (final InitiatorException wrong) {
                fail(wrong.getMessage());
            }
        });
    }

    @Override
    public void onFailed(final Initiator failed, final String reason) {
        end();
        final InitiatorException why = new InitiatorException(reason);
        result.completeExceptionally(why);
        if (idle != null) {
            idle.completeExceptionally(why);
        }
    }

    @Override
    public void onClosed(final Initiator closed) {
        end();
        result.complete(new LoadResult(
                latencies.getTotalCount(),
                measuredBytes,
                elapsedNs,
                latencies,
                verifier == null ? 0 : verifier.checked()));
        if (idle != null) {
            idle.complete(null);
        }
    }

    private void fail(final String reason) {
        stopping = true;
        initiator.close();
        onFailed(initiator, reason);
    }

    private void end() {
        stopping = true;
        if (memory != 0) {
            Pages.unmap(memory, Pages.rounded(memoryBytes));
            memory = 0;
        }
    }

    // ---- the load

    private void begin() {
        final int ioBytes = workload.ioBytes();
        final int limit = initiator.controller().maxTransfer();
        if (ioBytes > limit) {
            throw new InitiatorException("commands of " + ioBytes + " bytes are more than the target's " + limit);
        }
        if (ioBytes % namespace.blockBytes() != 0 || workload.otherBytes() % namespace.blockBytes() != 0) {
            throw new InitiatorException(
                    ioBytes + " bytes are no multiple of the namespace's blocks of " + namespace.blockBytes());
        }
        final long size = namespace.blocks() * namespace.blockBytes();
        final long span = workload.spanBytes() == 0 ? size : workload.spanBytes();
        slots = span / ioBytes;
        if (span > size || slots < options.queues()) {
            throw new InitiatorException(
                    "the namespace of " + size + " bytes does not hold " + span + " bytes in commands of " + ioBytes);
        }
        final long underWay = (long) options.queues() * options.depth();
        if (workload.verify() && slots < underWay) {
            throw new InitiatorException("--verify of " + slots + " places with " + underWay
                    + " commands under way: each needs a place of its own; give more --span or less depth");
        }
        blocksAnIo = ioBytes / namespace.blockBytes();
        verifier = workload.verify() ? new Verifier(slots, ioBytes, namespace.blockBytes()) : null;
        startNs = System.nanoTime();
        phaseEndNs = startNs + workload.warmUpNs();
        measuring = false;
        nextSlot = new long[options.queues() + 1];
        for (int i = 0; i < options.queues(); i++) {
            final HostQueue queue = initiator.queue(i);
            nextSlot[queue.qid()] = slots / options.queues() * i;
            for (HostCommand command = queue.take(); command != null; command = queue.take()) {
                // The data's place stays with the command.
                final long data = memory + (long) active * ioBytes % memoryBytes;
                command.fromHost(data, ioBytes).whenDone(this::completed);
                active++;
                next(command, startNs);
            }
            queue.flush();
        }
    }

    private void allocate() {
        final long commands = (long) options.queues() * options.depth();
        final long most = workload.verify() ? Long.MAX_VALUE : Math.max(1, MOST_MEMORY_BYTES / workload.ioBytes());
        memoryBytes = Math.min(commands, most) * workload.ioBytes();
        memory = Pages.map(Pages.rounded(memoryBytes));
        final Random filler = new Random(42);
        final long pattern = Math.min(memoryBytes, PATTERN_BYTES);
        for (long at = 0; at < pattern; at += Long.BYTES) {
            Memory.putLong(memory + at, filler.nextLong());
        }
        for (long at = pattern; at < memoryBytes; at += pattern) {
            Memory.copy(memory, memory + at, Math.min(pattern, memoryBytes - at));
        }
    }

    private void completed(final HostCommand command) {
        final long now = System.nanoTime();
        active--;
        if (stopping) {
            finishWhenIdle();
            return;
        }
        if (command.status() != 0) {
            if (command.status() != HostQueue.HOST_PATH_ERROR) {
                fail("a command fails with status " + Status.type(command.status()) + '/'
                        + Integer.toHexString(Status.code(command.status())) + "h");
            }
            return;
        }
        if (verifier != null && !verified(command)) {
            return;
        }
        shownCompleted = ++completed;
        if (measuring) {
            latencies.recordValue(Math.min(now - command.startedNs(), LONGEST_NS));
            measuredBytes += command.dataLength();
        }
        if (now - phaseEndNs >= 0 || latencies.getTotalCount() >= workload.ios()) {
            nextPhase(now);
            if (stopping) {
                finishWhenIdle();
                return;
            }
        }
        active++;
        next(command, now);
    }

    private void nextPhase(final long now) {
        if (measuring) {
            stopping = true;
            elapsedNs = now - startNs;
        } else {
            measuring = true;
            startNs = now;
            phaseEndNs = workload.measureNs() == Long.MAX_VALUE ? now + Long.MAX_VALUE / 2 : now + workload.measureNs();
        }
    }

    private void finishWhenIdle() {
        if (active == 0 && idle != null) {
            idle.complete(null);
        } else if (active == 0) {
            initiator.shutDown();
        }
    }

    private void next(final HostCommand command, final long now) {
        boolean read = draw(100) < workload.readPercent();
        long slot = nextSlot(command.queue().qid());
        if (verifier != null && !read) {
            slot = verifier.writable(slot);
            // All are being written: this one reads.
            read = slot < 0;
            slot = Math.max(0, slot);
        }
        final long data = command.data();
        final int bytes = nextBytes();
        command.describe(
                read ? Opcode.READ : Opcode.WRITE, namespace.nsid(), slot * blocksAnIo, bytes / namespace.blockBytes());
        if (read) {
            command.toHost(data, bytes);
        } else {
            command.fromHost(data, bytes);
        }
        if (verifier != null) {
            if (read) {
                command.tag(slot << 32 | verifier.beforeRead(slot));
            } else {
                verifier.beforeWrite(slot, data);
                command.tag(slot << 32);
            }
        }
        command.startedNs(now);
        command.queue().submit(command);
    }

    private int nextBytes() {
        otherNext = workload.otherBytes() > 0 && !otherNext;
        return otherNext ? workload.otherBytes() : workload.ioBytes();
    }

    private boolean verified(final HostCommand command) {
        final long slot = command.tag() >>> 32;
        if (Sqe.opcode(command.sqe()) == Opcode.WRITE) {
            verifier.afterWrite(slot);
            return true;
        }
        try {
            verifier.afterRead(slot, (int) command.tag(), command.data());
            return true;
        } catch (final InitiatorException wrong) {
            fail(wrong.getMessage());
            return false;
        }
    }

    private long nextSlot(final int qid) {
        if (workload.random()) {
            return draw(slots);
        }
        final long slot = nextSlot[qid];
        nextSlot[qid] = slot + 1 == slots ? 0 : slot + 1;
        return slot;
    }

    /** A number below {@code bound}, by xorshift: fast, and the same in each run. */
    private long draw(final long bound) {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return Math.unsignedMultiplyHigh(random, bound);
    }
}
