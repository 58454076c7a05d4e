// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.Iovec;
import goblin.net.linux.Memory;
import goblin.nvmf.namespace.BlockCommand;
import goblin.nvmf.namespace.BlockOperation;
import goblin.nvmf.namespace.BlockOutcome;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceIdentity;
import goblin.nvmf.namespace.NamespaceTraits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/** A medium without contents that says what it was asked, and whose operations end when and how a test says. */
final class HeldMedium implements Namespace {
    static final NamespaceTraits CACHED = new NamespaceTraits(false, true, true, true, 1);
    static final NamespaceTraits READ_ONLY = new NamespaceTraits(true, false, false, true, 1);

    /** An operation as it was when it was submitted. */
    record Asked(BlockCommand command, long offset, long length, boolean durable, boolean deallocate) {}

    final List<Asked> asked = new ArrayList<>();
    final List<byte[]> data = new ArrayList<>();
    private final Deque<Request> held = new ArrayDeque<>();
    private final int blockBytes;
    private final NamespaceTraits traits;
    private BlockOutcome answer;
    private RuntimeException broken;
    private long blocks;

    HeldMedium(final int blockBytes, final long blocks, final NamespaceTraits traits) {
        this.blockBytes = blockBytes;
        this.blocks = blocks;
        this.traits = traits;
    }

    /** From now on completes operations inside submit. */
    HeldMedium answering(final BlockOutcome how) {
        answer = how;
        return this;
    }

    /** From now on throws this from submit; null for no longer. */
    void breaking(final RuntimeException how) {
        broken = how;
    }

    /** Completes the oldest operation. */
    void finish(final BlockOutcome how) {
        held.remove().completed(how);
    }

    int heldCount() {
        return held.size();
    }

    @Override
    public void submit(final BlockOperation operation, final CompletionInbox inbox) {
        if (broken != null) {
            throw broken;
        }
        byte[] bytes = new byte[0];
        if (operation.iovecCount() > 0) {
            final long total = Iovec.total(operation.iovecs(), operation.iovecCount());
            bytes = new byte[(int) total];
            int at = 0;
            for (int i = 0; i < operation.iovecCount(); i++) {
                final int length = (int) Iovec.length(operation.iovecs(), i);
                Memory.copyOut(Iovec.address(operation.iovecs(), i), bytes, at, length);
                at += length;
            }
        }
        asked.add(new Asked(
                operation.command(),
                operation.offset(),
                operation.length(),
                operation.durable(),
                operation.deallocate()));
        data.add(bytes);
        if (answer != null) {
            ((Request) operation).completed(answer);
        } else {
            held.add((Request) operation);
        }
    }

    @Override
    public NamespaceIdentity identity() {
        return new NamespaceIdentity(new UUID(1, 2), 3, 4);
    }

    @Override
    public int blockBytes() {
        return blockBytes;
    }

    @Override
    public long blocks() {
        return blocks;
    }

    @Override
    public NamespaceTraits traits() {
        return traits;
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
        answer = BlockOutcome.REMOVED;
    }

    @Override
    public void close() {
        retire();
    }
}
