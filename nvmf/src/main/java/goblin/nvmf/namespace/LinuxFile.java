// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.linux.Errno;
import goblin.net.linux.FileCalls;

/**
 * A file or block device of this machine. Each lane has a descriptor of its own: the kernel reports a failed write-back
 * once to each, so that the failure which one lane's sync is told is not lost for the others.
 */
final class LinuxFile implements BackingFile {
    private final int control;
    private final int[] descriptors;
    private final FileCalls[] calls;
    private final FileFacts facts;

    /** Takes descriptors: the control one, and one for each worker. */
    LinuxFile(final int control, final int[] descriptors, final FileFacts facts) {
        this.control = control;
        this.descriptors = descriptors;
        this.facts = facts;
        calls = new FileCalls[descriptors.length + 1];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = new FileCalls();
        }
    }

    @Override
    public FileFacts facts() {
        return facts;
    }

    @Override
    public long bytes() {
        return LinuxFiles.bytes(calls(CONTROL), control, facts.device());
    }

    @Override
    public int descriptor() {
        // A worker's: writing tells no failure of earlier writes, so that the worker's own sync still hears of it.
        return descriptors[0];
    }

    @Override
    public long read(final int lane, final long iovecs, final int count, final long offset) {
        return calls(lane).read(descriptor(lane), iovecs, count, offset);
    }

    @Override
    public long write(final int lane, final long iovecs, final int count, final long offset, final boolean durable) {
        final long written = calls(lane).write(descriptor(lane), iovecs, count, offset, durable);
        if (written != -Errno.EOPNOTSUPP || !durable) {
            return written;
        }
        // A kernel or file system that knows no such write.
        final long plain = calls(lane).write(descriptor(lane), iovecs, count, offset, false);
        final int synced = plain < 0 ? 0 : sync(lane);
        return synced < 0 ? synced : plain;
    }

    @Override
    public int sync(final int lane) {
        return calls(lane).syncData(descriptor(lane));
    }

    // By the control descriptor: the kernel clears a device that is claimed only for the one who claimed it.
    @Override
    public int clear(final int lane, final long offset, final long length, final boolean deallocate) {
        if (deallocate) {
            final int punched = calls(lane).punch(control, offset, length);
            if (punched != -Errno.EOPNOTSUPP) {
                return possible(punched);
            }
        }
        final int zeroed = calls(lane).zero(control, offset, length);
        return zeroed == -Errno.EOPNOTSUPP && facts.device()
                ? possible(calls(lane).deviceZero(control, offset, length))
                : possible(zeroed);
    }

    @Override
    public int discard(final int lane, final long offset, final long length) {
        final int punched = calls(lane).punch(control, offset, length);
        return punched == -Errno.EOPNOTSUPP && facts.device()
                ? possible(calls(lane).deviceDiscard(control, offset, length))
                : possible(punched);
    }

    /** A device whose unit is larger than our block calls invalid what it cannot do for a part of one. */
    private int possible(final int outcome) {
        return outcome == -Errno.EINVAL && facts.device() ? -Errno.EOPNOTSUPP : outcome;
    }

    @Override
    public int resize(final long bytes) {
        return calls(CONTROL).truncate(control, bytes);
    }

    @Override
    public void close() {
        for (final int descriptor : descriptors) {
            calls(CONTROL).close(descriptor);
        }
        // Last, because it is the claim.
        calls(CONTROL).close(control);
        for (final FileCalls each : calls) {
            each.free();
        }
    }

    private FileCalls calls(final int lane) {
        return calls[lane + 1];
    }

    private int descriptor(final int lane) {
        return lane == CONTROL ? control : descriptors[lane];
    }
}
