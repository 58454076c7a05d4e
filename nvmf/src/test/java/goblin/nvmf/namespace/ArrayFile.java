// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.Iovec;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A file in an array, which fails, stops short and waits as a test tells it, and remembers what it was asked. */
class ArrayFile implements BackingFile {
    static final FileFacts FACTS = new FileFacts(false, false, false, 1, 1, true, true, 4096);

    /** Says how a call ends: 0 or an errno. Asked before it does anything; may wait. */
    interface Fault {
        int before(String call, long offset);
    }

    final Queue<String> calls = new ConcurrentLinkedQueue<>();
    volatile Fault fault = (call, offset) -> 0;
    volatile int longest = Integer.MAX_VALUE;
    volatile boolean closed;

    private final FileFacts facts;
    private volatile byte[] contents;

    ArrayFile(final int bytes) {
        this(bytes, FACTS);
    }

    ArrayFile(final int bytes, final FileFacts facts) {
        contents = new byte[bytes];
        this.facts = facts;
    }

    static Namespace over(final BackingFile file, final int blockBytes, final MediumRig rig) {
        try {
            return new FileNamespace(
                    NamespaceSpec.parse("file:array"),
                    NamespaceIdentity.fresh(),
                    blockBytes,
                    file.bytes(),
                    file,
                    rig.workers,
                    rig.reporter);
        } catch (final NamespaceException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    byte[] contents() {
        return contents;
    }

    @Override
    public int descriptor() {
        return -1;
    }

    @Override
    public FileFacts facts() {
        return facts;
    }

    @Override
    public long bytes() {
        return contents.length;
    }

    @Override
    public long read(final int lane, final long iovecs, final int count, final long offset) {
        final int errno = ask("read", offset);
        return errno != 0 ? -errno : move(iovecs, count, offset, false);
    }

    @Override
    public long write(final int lane, final long iovecs, final int count, final long offset, final boolean durable) {
        final int errno = ask(durable ? "write durably" : "write", offset);
        return errno != 0 ? -errno : move(iovecs, count, offset, true);
    }

    @Override
    public int sync(final int lane) {
        return -ask("sync", 0);
    }

    @Override
    public int clear(final int lane, final long offset, final long length, final boolean deallocate) {
        final int errno = ask("clear", offset);
        if (errno == 0) {
            Arrays.fill(contents, (int) offset, (int) (offset + length), (byte) 0);
        }
        return -errno;
    }

    @Override
    public int discard(final int lane, final long offset, final long length) {
        return -ask("discard", offset);
    }

    @Override
    public int resize(final long bytes) {
        final int errno = ask("resize", bytes);
        if (errno == 0) {
            contents = Arrays.copyOf(contents, (int) bytes);
        }
        return -errno;
    }

    @Override
    public void close() {
        closed = true;
    }

    private int ask(final String call, final long offset) {
        calls.add(call);
        return fault.before(call, offset);
    }

    private long move(final long iovecs, final int count, final long offset, final boolean write) {
        long moved = 0;
        for (int i = 0; i < count; i++) {
            if (facts.memoryAlignment() > 1
                    && (Iovec.address(iovecs, i) % facts.memoryAlignment() != 0
                            || Iovec.length(iovecs, i) % facts.lengthAlignment() != 0)) {
                return -Errno.EINVAL;
            }
            final long room = Math.min(longest - moved, contents.length - offset - moved);
            final int length = (int) Math.min(Iovec.length(iovecs, i), room);
            final int at = (int) (offset + moved);
            if (write) {
                Memory.copyOut(Iovec.address(iovecs, i), contents, at, length);
            } else {
                Memory.copyIn(contents, at, Iovec.address(iovecs, i), length);
            }
            moved += length;
        }
        return moved;
    }
}
