// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.nvmf.namespace.BlockOperation;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceIdentity;
import goblin.nvmf.namespace.NamespaceTraits;
import java.util.ArrayDeque;
import java.util.Deque;

/** Hands operations on to a medium at once, or only when it is told to; on one loop. */
final class LateNamespace implements Namespace {
    private record Waiting(BlockOperation operation, CompletionInbox inbox) {}

    private final Namespace medium;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private boolean late;

    LateNamespace(final Namespace medium) {
        this.medium = medium;
    }

    /** From now on operations wait. */
    void hold() {
        late = true;
    }

    /** Hands on what waits, and from now on everything at once. */
    void release() {
        late = false;
        while (!late && !waiting.isEmpty()) {
            final Waiting next = waiting.remove();
            medium.submit(next.operation(), next.inbox());
        }
    }

    @Override
    public void submit(final BlockOperation operation, final CompletionInbox inbox) {
        if (late) {
            waiting.add(new Waiting(operation, inbox));
        } else {
            medium.submit(operation, inbox);
        }
    }

    @Override
    public NamespaceIdentity identity() {
        return medium.identity();
    }

    @Override
    public int blockBytes() {
        return medium.blockBytes();
    }

    @Override
    public long blocks() {
        return medium.blocks();
    }

    @Override
    public NamespaceTraits traits() {
        return medium.traits();
    }

    @Override
    public String specification() {
        return medium.specification();
    }

    @Override
    public void resize(final long blocks) throws NamespaceException {
        medium.resize(blocks);
    }

    @Override
    public void retire() {
        medium.retire();
    }

    @Override
    public void close() {
        medium.close();
    }
}
