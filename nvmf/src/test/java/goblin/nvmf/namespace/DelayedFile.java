// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.util.concurrent.locks.LockSupport;

/** A file each call of which takes at least a given time more. */
final class DelayedFile implements BackingFile {
    private final BackingFile file;
    private final long delayNs;

    DelayedFile(final BackingFile file, final long delayNs) {
        this.file = file;
        this.delayNs = delayNs;
    }

    @Override
    public int descriptor() {
        return -1;
    }

    @Override
    public FileFacts facts() {
        return file.facts();
    }

    @Override
    public long bytes() {
        return file.bytes();
    }

    @Override
    public long read(final int lane, final long iovecs, final int count, final long offset) {
        delay();
        return file.read(lane, iovecs, count, offset);
    }

    @Override
    public long write(final int lane, final long iovecs, final int count, final long offset, final boolean durable) {
        delay();
        return file.write(lane, iovecs, count, offset, durable);
    }

    @Override
    public int sync(final int lane) {
        delay();
        return file.sync(lane);
    }

    @Override
    public int clear(final int lane, final long offset, final long length, final boolean deallocate) {
        delay();
        return file.clear(lane, offset, length, deallocate);
    }

    @Override
    public int discard(final int lane, final long offset, final long length) {
        delay();
        return file.discard(lane, offset, length);
    }

    @Override
    public int resize(final long bytes) {
        return file.resize(bytes);
    }

    @Override
    public void close() {
        file.close();
    }

    private void delay() {
        final long untilNs = System.nanoTime() + delayNs;
        long leftNs;
        while ((leftNs = untilNs - System.nanoTime()) > 0) {
            LockSupport.parkNanos(this, leftNs);
        }
    }
}
