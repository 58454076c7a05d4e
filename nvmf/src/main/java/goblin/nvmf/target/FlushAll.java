// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.BlockCommand;
import goblin.nvmf.namespace.BlockOperation;
import goblin.nvmf.namespace.BlockOutcome;
import goblin.nvmf.namespace.CompletionInbox;
import java.util.function.IntConsumer;

/** Makes every completed write of all namespaces durable, once; on one loop. */
final class FlushAll {
    private final CompletionInbox inbox;
    private final IntConsumer whenDone;
    private int left = 1;
    private int failures;

    private FlushAll(final CompletionInbox inbox, final IntConsumer whenDone) {
        this.inbox = inbox;
        this.whenDone = whenDone;
    }

    /**
     * Starts.
     *
     * @param whenDone called on the inbox's loop, perhaps at once, with the number of namespaces that could not be flushed
     */
    static void of(final NamespaceTable namespaces, final CompletionInbox inbox, final IntConsumer whenDone) {
        final FlushAll all = new FlushAll(inbox, whenDone);
        for (int nsid = 1; nsid <= namespaces.highestNsid(); nsid++) {
            final NamespaceEntry entry = namespaces.find(nsid);
            if (entry != null && !entry.namespace().traits().readOnly()) {
                all.left++;
                all.flush(entry);
            }
        }
        all.one();
    }

    private void flush(final NamespaceEntry entry) {
        final BlockOperation operation = new BlockOperation() {
            @Override
            protected void completed(final BlockOutcome how) {
                if (how != BlockOutcome.DONE && how != BlockOutcome.REMOVED) {
                    failures++;
                }
                one();
            }
        };
        operation.describe(BlockCommand.FLUSH, 0, 0);
        entry.namespace().submit(operation, inbox);
    }

    private void one() {
        if (--left == 0) {
            whenDone.accept(failures);
        }
    }
}
