// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import goblin.net.EventLoop;
import goblin.nvmf.namespace.BlockOperation;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceIdentity;
import goblin.nvmf.namespace.NamespaceTraits;
import java.util.function.Supplier;

/** Another namespace whose every operation takes a while, on one loop. */
final class SlowNamespace implements Namespace {
    private final Namespace medium;
    private final Supplier<EventLoop> loop;
    private final long delayNs;

    SlowNamespace(final Namespace medium, final Supplier<EventLoop> loop, final long delayNs) {
        this.medium = medium;
        this.loop = loop;
        this.delayNs = delayNs;
    }

    @Override
    public void submit(final BlockOperation operation, final CompletionInbox inbox) {
        loop.get().schedule(delayNs, () -> medium.submit(operation, inbox));
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
