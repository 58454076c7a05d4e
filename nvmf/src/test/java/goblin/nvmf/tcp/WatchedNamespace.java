// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Iovec;
import goblin.nvmf.namespace.BlockCommand;
import goblin.nvmf.namespace.BlockOperation;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceIdentity;
import goblin.nvmf.namespace.NamespaceTraits;
import java.util.ArrayList;
import java.util.List;

/** A medium that wants what it writes aligned, and remembers where the last write's data lay. */
final class WatchedNamespace implements Namespace {
    /** A piece of a write: its place in the data, its address, its length. */
    record Piece(long offset, long address, long length) {}

    private final Namespace medium;
    private final int alignment;
    private volatile List<Piece> written = List.of();

    WatchedNamespace(final Namespace medium, final int alignment) {
        this.medium = medium;
        this.alignment = alignment;
    }

    /** The last write's pieces. */
    List<Piece> written() {
        return written;
    }

    @Override
    public void submit(final BlockOperation operation, final CompletionInbox inbox) {
        if (operation.command() == BlockCommand.WRITE) {
            final List<Piece> pieces = new ArrayList<>();
            long offset = 0;
            for (int i = 0; i < operation.iovecCount(); i++) {
                final long length = Iovec.length(operation.iovecs(), i);
                pieces.add(new Piece(offset, Iovec.address(operation.iovecs(), i), length));
                offset += length;
            }
            written = pieces;
        }
        medium.submit(operation, inbox);
    }

    @Override
    public NamespaceTraits traits() {
        final NamespaceTraits its = medium.traits();
        return new NamespaceTraits(
                its.readOnly(),
                its.volatileCache(),
                its.deallocates(),
                its.deallocatedReadZero(),
                its.preferredBlocks(),
                alignment);
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
