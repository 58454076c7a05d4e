// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Iovec;
import goblin.net.linux.Memory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An operation with memory of its own, cut into pieces as a test likes; used once. */
final class TestOperation extends BlockOperation implements AutoCloseable {
    private static final int MAX_PIECES = 2048;

    private final long memory;
    private final int bytes;
    private final long vector = Memory.allocate((long) MAX_PIECES * Iovec.BYTES);
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean fenced;
    private volatile BlockOutcome how;

    private TestOperation(final BlockCommand command, final long offset, final long length, final int bytes) {
        this.bytes = bytes;
        memory = Memory.allocate(bytes + 1L);
        Memory.fill(memory, bytes, (byte) 0xEE);
        describe(command, offset, length);
        cut(bytes == 0 ? new int[0] : new int[] {bytes});
    }

    static TestOperation read(final long offset, final int length) {
        return new TestOperation(BlockCommand.READ, offset, length, length);
    }

    static TestOperation write(final long offset, final byte[] data) {
        return new TestOperation(BlockCommand.WRITE, offset, data.length, data.length).fill(data);
    }

    static TestOperation compare(final long offset, final byte[] data) {
        return new TestOperation(BlockCommand.COMPARE, offset, data.length, data.length).fill(data);
    }

    static TestOperation compareAndWrite(final long offset, final byte[] expected, final byte[] data) {
        final TestOperation operation =
                new TestOperation(BlockCommand.COMPARE_AND_WRITE, offset, data.length, 2 * data.length);
        Memory.copyIn(expected, 0, operation.memory, expected.length);
        Memory.copyIn(data, 0, operation.memory + expected.length, data.length);
        return operation;
    }

    static TestOperation plain(final BlockCommand command, final long offset, final long length) {
        return new TestOperation(command, offset, length, 0);
    }

    static TestOperation flush() {
        return plain(BlockCommand.FLUSH, 0, 0);
    }

    /** Cuts the memory into pieces of these lengths, again and again until it is used up. */
    TestOperation cut(final int... lengths) {
        int count = 0;
        int at = 0;
        while (at < bytes) {
            final int length =
                    count == MAX_PIECES - 1 ? bytes - at : Math.min(lengths[count % lengths.length], bytes - at);
            Iovec.put(vector, count++, memory + at, length);
            at += length;
        }
        memory(vector, count);
        return this;
    }

    TestOperation durably() {
        durable(true);
        return this;
    }

    TestOperation deallocating() {
        deallocate(true);
        return this;
    }

    TestOperation fence() {
        fenced = true;
        return this;
    }

    TestOperation submitTo(final Namespace namespace, final CompletionInbox inbox) {
        namespace.submit(this, inbox);
        return this;
    }

    boolean isDone() {
        return how != null;
    }

    /** Waits for the outcome; the operation's memory stays until {@link #close}. */
    BlockOutcome await() {
        try {
            assertThat(done.await(30, TimeUnit.SECONDS)).as("it completes").isTrue();
        } catch (final InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        return how;
    }

    byte[] data() {
        return Memory.toBytes(memory, bytes);
    }

    @Override
    protected boolean mayStart() {
        return !fenced;
    }

    @Override
    protected void completed(final BlockOutcome outcome) {
        assertThat(how).as("it completes once").isNull();
        how = outcome;
        done.countDown();
    }

    @Override
    public void close() {
        Memory.free(memory);
        Memory.free(vector);
    }

    private TestOperation fill(final byte[] data) {
        Memory.copyIn(data, 0, memory, data.length);
        return this;
    }
}
