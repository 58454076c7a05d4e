// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.UUID;

/** A medium without contents that does what it is asked when the test says so. */
public final class HeldNamespace implements Namespace {
    private record Held(BlockOperation operation, CompletionInbox inbox) {}

    private final Queue<Held> queued = new ArrayDeque<>();
    private final Queue<Held> started = new ArrayDeque<>();
    private final NamespaceIdentity identity = new NamespaceIdentity(UUID.randomUUID(), 1, 2);
    private final boolean volatileCache;
    private boolean held;
    private boolean retired;
    private boolean closed;
    private long blocks = 2048;
    private int done;

    /** Makes one that does everything at once. */
    public HeldNamespace(final boolean volatileCache) {
        this.volatileCache = volatileCache;
    }

    /** Operations are queued from now on. */
    public void hold() {
        held = true;
    }

    /** Starts what is queued, unless it is fenced; started operations stay at storage. */
    public void startQueued() {
        while (!queued.isEmpty()) {
            final Held one = queued.remove();
            if (one.operation.mayStart()) {
                started.add(one);
            } else {
                finish(one, BlockOutcome.FENCED);
            }
        }
    }

    /** Completes what was started. */
    public void finishStarted(final BlockOutcome how) {
        while (!started.isEmpty()) {
            finish(started.remove(), how);
        }
    }

    /** Starts and completes all there is, and holds nothing any more. */
    public void release() {
        held = false;
        startQueued();
        finishStarted(BlockOutcome.DONE);
    }

    /** How many operations were done. */
    public int done() {
        return done;
    }

    /** How many are queued or at storage. */
    public int pending() {
        return queued.size() + started.size();
    }

    /** Whether it was closed. */
    public boolean isClosed() {
        return closed;
    }

    /** Whether it takes no more operations. */
    public boolean isRetired() {
        return retired;
    }

    @Override
    public void submit(final BlockOperation operation, final CompletionInbox inbox) {
        final Held one = new Held(operation, inbox);
        if (retired) {
            finish(one, BlockOutcome.REMOVED);
        } else if (held) {
            queued.add(one);
        } else {
            done += operation.mayStart() ? 1 : 0;
            operation.completed(operation.mayStart() ? BlockOutcome.DONE : BlockOutcome.FENCED);
        }
    }

    @Override
    public NamespaceIdentity identity() {
        return identity;
    }

    @Override
    public int blockBytes() {
        return 512;
    }

    @Override
    public long blocks() {
        return blocks;
    }

    @Override
    public NamespaceTraits traits() {
        return new NamespaceTraits(false, volatileCache, true, true, 1);
    }

    @Override
    public String specification() {
        return "held";
    }

    @Override
    public void resize(final long newBlocks) {
        blocks = newBlocks;
    }

    @Override
    public void retire() {
        retired = true;
    }

    @Override
    public void close() {
        closed = true;
    }

    private void finish(final Held one, final BlockOutcome how) {
        if (how == BlockOutcome.DONE) {
            done++;
        }
        one.operation.outcome = how;
        one.inbox.post(one.operation);
    }
}
