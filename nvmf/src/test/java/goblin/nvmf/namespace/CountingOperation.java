// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.Iovec;
import goblin.net.linux.Memory;
import java.util.concurrent.atomic.AtomicInteger;

/** An operation that is used again and again, and waits without allocating. */
final class CountingOperation extends BlockOperation implements AutoCloseable {
    private final int bytes;
    private final long memory;
    private final long vector = Memory.allocate(Iovec.BYTES);
    private final AtomicInteger completed = new AtomicInteger();

    CountingOperation(final int bytes) {
        this.bytes = bytes;
        memory = Memory.allocate(bytes);
        Memory.fill(memory, bytes, (byte) 1);
        Iovec.put(vector, 0, memory, bytes);
    }

    void go(final BlockCommand command, final Namespace namespace, final CompletionInbox inbox) {
        final int before = completed.get();
        describe(command, 0, bytes);
        memory(vector, 1);
        namespace.submit(this, inbox);
        while (completed.get() == before) {
            Thread.onSpinWait();
        }
    }

    @Override
    protected void completed(final BlockOutcome how) {
        if (how != BlockOutcome.DONE) {
            throw new IllegalStateException(how.toString());
        }
        completed.incrementAndGet();
    }

    @Override
    public void close() {
        Memory.free(memory);
        Memory.free(vector);
    }
}
