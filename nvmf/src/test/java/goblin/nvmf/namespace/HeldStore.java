// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.Iovec;
import goblin.net.linux.Memory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * A medium with contents that touches the memory of an operation as late as it can: when the test lets it finish. The
 * vector must be the same then as at the start.
 */
public final class HeldStore implements Namespace {
    private final NamespaceIdentity identity = NamespaceIdentity.fresh();
    private final byte[] contents;
    private final int blockBytes;
    private final Queue<Held> queued = new ArrayDeque<>();
    private final Queue<Held> started = new ArrayDeque<>();
    private final List<String> faults = new ArrayList<>();
    private boolean held;
    private boolean retired;

    /** Makes one of zeros that does everything at once. */
    public HeldStore(final int bytes, final int blockBytes) {
        contents = new byte[bytes];
        this.blockBytes = blockBytes;
    }

    /** What is stored; not a copy. */
    public byte[] contents() {
        return contents;
    }

    /** What was wrong with operations. */
    public List<String> faults() {
        return faults;
    }

    /** Operations are queued from now on, or done at once. */
    public void hold(final boolean yes) {
        held = yes;
    }

    /** Starts what is queued, unless it is fenced; started operations stay at storage. */
    public void startQueued() {
        while (!queued.isEmpty()) {
            final Held one = queued.remove();
            if (one.operation.mayStart()) {
                started.add(new Held(one.operation, one.inbox, vector(one.operation)));
            } else {
                end(one, BlockOutcome.FENCED);
            }
        }
    }

    /** Moves the data of what was started, and completes it. */
    public void finishStarted() {
        while (!started.isEmpty()) {
            final Held one = started.remove();
            if (!Arrays.equals(one.vector, vector(one.operation))) {
                faults.add("the vector of a " + one.operation.command() + " has changed while it was at storage");
            }
            end(one, perform(one));
        }
    }

    /** How many operations are queued or at storage. */
    public int pending() {
        return queued.size() + started.size();
    }

    @Override
    public void submit(final BlockOperation operation, final CompletionInbox inbox) {
        final Held one = new Held(operation, inbox, new long[0]);
        if (retired) {
            end(one, BlockOutcome.REMOVED);
            return;
        }
        queued.add(one);
        if (!held) {
            startQueued();
            finishStarted();
        }
    }

    private BlockOutcome perform(final Held one) {
        final BlockOperation operation = one.operation;
        final int at = (int) operation.offset();
        final int length = (int) operation.length();
        switch (operation.command()) {
            case READ -> scatter(one.vector, contents, at);
            case WRITE -> System.arraycopy(gathered(one.vector), 0, contents, at, length);
            case COMPARE, COMPARE_AND_WRITE -> {
                final byte[] data = gathered(one.vector);
                if (!ByteBuffer.wrap(data, 0, length).equals(ByteBuffer.wrap(contents, at, length))) {
                    return BlockOutcome.MISCOMPARE;
                }
                if (operation.command() == BlockCommand.COMPARE_AND_WRITE) {
                    System.arraycopy(data, length, contents, at, length);
                }
            }
            default -> faults.add("a " + operation.command() + " that the test knows nothing of");
        }
        return BlockOutcome.DONE;
    }

    private static void end(final Held one, final BlockOutcome how) {
        one.operation.outcome = how;
        one.inbox.post(one.operation);
    }

    /** Addresses and lengths in turn. */
    private static long[] vector(final BlockOperation operation) {
        final long[] vector = new long[2 * operation.iovecCount()];
        for (int i = 0; i < vector.length; i += 2) {
            vector[i] = Iovec.address(operation.iovecs(), i / 2);
            vector[i + 1] = Iovec.length(operation.iovecs(), i / 2);
        }
        return vector;
    }

    private static byte[] gathered(final long[] vector) {
        long length = 0;
        for (int i = 1; i < vector.length; i += 2) {
            length += vector[i];
        }
        final ByteBuffer all = ByteBuffer.allocate((int) length);
        for (int i = 0; i < vector.length; i += 2) {
            all.put(Memory.toBytes(vector[i], (int) vector[i + 1]));
        }
        return all.array();
    }

    private static void scatter(final long[] vector, final byte[] from, final int offset) {
        int at = offset;
        for (int i = 0; i < vector.length; i += 2) {
            Memory.copyIn(from, at, vector[i], (int) vector[i + 1]);
            at += (int) vector[i + 1];
        }
    }

    @Override
    public NamespaceIdentity identity() {
        return identity;
    }

    @Override
    public int blockBytes() {
        return blockBytes;
    }

    @Override
    public long blocks() {
        return contents.length / blockBytes;
    }

    @Override
    public NamespaceTraits traits() {
        return new NamespaceTraits(false, false, true, true, 1);
    }

    @Override
    public String specification() {
        return "held";
    }

    @Override
    public void resize(final long blocks) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void retire() {
        retired = true;
    }

    @Override
    public void close() {
        retired = true;
    }

    private static final class Held {
        final BlockOperation operation;
        final CompletionInbox inbox;
        final long[] vector;

        Held(final BlockOperation operation, final CompletionInbox inbox, final long[] vector) {
            this.operation = operation;
            this.inbox = inbox;
            this.vector = vector;
        }
    }
}
