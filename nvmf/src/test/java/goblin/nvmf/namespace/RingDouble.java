// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.EventLoop;
import goblin.net.linux.Errno;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** A loop's ring over any file: it refuses, does nothing and says so, and completes later, as its seed tells it. */
final class RingDouble implements FileRing {
    private static final int[] TROUBLE = {Errno.EAGAIN, Errno.EINTR, Errno.ECANCELED, Errno.ENOMEM};

    final AtomicInteger started = new AtomicInteger();
    private final EventLoop loop;
    private final Random random;

    private RingDouble(final EventLoop loop, final long seed) {
        this.loop = loop;
        random = new Random(seed);
    }

    static CompletionInbox inbox(final EventLoop loop, final long seed) {
        return new CompletionInbox(loop, new RingDouble(loop, seed));
    }

    @Override
    public boolean start(final FileNamespace namespace, final BlockOperation operation, final BackingFile file) {
        if (random.nextInt(8) == 0) {
            return false;
        }
        started.incrementAndGet();
        later(random.nextInt(4), () -> namespace.moved(operation, result(operation, file)));
        return true;
    }

    private void later(final int turns, final Runnable action) {
        loop.execute(turns == 0 ? action : () -> later(turns - 1, action));
    }

    private int result(final BlockOperation operation, final BackingFile file) {
        if (random.nextInt(8) == 0) {
            return -TROUBLE[random.nextInt(TROUBLE.length)];
        }
        final long iovecs = operation.iovecs();
        final int count = operation.iovecCount();
        return (int)
                (operation.command() == BlockCommand.READ
                        ? file.read(0, iovecs, count, operation.offset())
                        : file.write(0, iovecs, count, operation.offset(), false));
    }
}
