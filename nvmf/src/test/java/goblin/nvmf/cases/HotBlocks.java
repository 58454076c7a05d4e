// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import goblin.net.EventLoop;
import goblin.net.linux.Memory;
import goblin.nvmf.initiator.HostCommand;
import goblin.nvmf.initiator.Initiator;
import goblin.nvmf.initiator.InitiatorListener;
import goblin.nvmf.initiator.InitiatorOptions;
import goblin.nvmf.perf.BlockStamp;
import goblin.nvmf.target.Opcode;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A host that writes one block again and again, each time as another version, or reads it and looks whether it is whole.
 * All its commands are always under way.
 */
final class HotBlocks implements InitiatorListener {
    private static final int BLOCK_BYTES = 4096;

    private final int commands;
    private final boolean writes;
    private final long memory;
    private long version;
    private boolean stopping;
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger torn = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile boolean closed;

    HotBlocks(final EventLoop loop, final InitiatorOptions options, final boolean writes) {
        this.writes = writes;
        commands = options.queues() * options.depth();
        memory = Memory.allocate((long) commands * BLOCK_BYTES);
        loop.execute(() -> Initiator.connect(loop, options, this));
    }

    /** Commands completed. */
    int done() {
        return done.get();
    }

    int torn() {
        return torn.get();
    }

    int failed() {
        return failed.get();
    }

    boolean closed() {
        return closed;
    }

    void stop(final EventLoop loop) {
        loop.execute(() -> stopping = true);
    }

    @Override
    public void onReady(final Initiator initiator) {
        long data = memory;
        for (int queue = 0; queue < commands / initiator.queue(0).depth(); queue++) {
            for (HostCommand command = initiator.queue(queue).take();
                    command != null;
                    command = initiator.queue(queue).take()) {
                command.tag(data);
                command.whenDone(ended -> completed(initiator, ended));
                data += BLOCK_BYTES;
                submit(command);
            }
            initiator.queue(queue).flush();
        }
    }

    private void submit(final HostCommand command) {
        if (writes) {
            BlockStamp.write(command.tag(), BLOCK_BYTES, 0, ++version);
            command.describe(Opcode.WRITE, 1, 0, 1).fromHost(command.tag(), BLOCK_BYTES);
        } else {
            command.describe(Opcode.READ, 1, 0, 1).toHost(command.tag(), BLOCK_BYTES);
        }
        command.queue().submit(command);
    }

    private void completed(final Initiator initiator, final HostCommand command) {
        final boolean lost = command.status() != 0;
        if (lost && !stopping) {
            failed.incrementAndGet();
        }
        if (!lost && !writes && BlockStamp.check(command.tag(), BLOCK_BYTES, 0) == BlockStamp.TORN) {
            torn.incrementAndGet();
        }
        done.incrementAndGet();
        if (!stopping && !lost) {
            submit(command);
        } else if (!closed) {
            initiator.shutDown();
        }
    }

    @Override
    public void onFailed(final Initiator initiator, final String reason) {
        failed.incrementAndGet();
        end();
    }

    @Override
    public void onClosed(final Initiator initiator) {
        end();
    }

    private void end() {
        if (!closed) {
            closed = true;
            Memory.free(memory);
        }
    }
}
