// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/** Stands between a namespace and its file and does one thing that a namespace must not do. */
final class MutantFile implements BackingFile {
    /** What it does. */
    enum Mutation {
        /** A flush makes nothing durable. */
        SKIPS_SYNC,
        /** A durable write is an ordinary one. */
        IGNORES_FUA,
        /** A sync that failed is tried again, and the second answer is believed. */
        RETRIES_SYNC,
        /** A durable write that found no room is never asked whether it was told of an earlier failure. */
        BELIEVES_NO_ROOM
    }

    private final BackingFile file;
    private final Mutation mutation;

    MutantFile(final BackingFile file, final Mutation mutation) {
        this.file = file;
        this.mutation = mutation;
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
        return file.read(lane, iovecs, count, offset);
    }

    @Override
    public long write(final int lane, final long iovecs, final int count, final long offset, final boolean durable) {
        return file.write(lane, iovecs, count, offset, durable && mutation != Mutation.IGNORES_FUA);
    }

    @Override
    public int sync(final int lane) {
        if (mutation == Mutation.SKIPS_SYNC || (mutation == Mutation.BELIEVES_NO_ROOM && lane == CONTROL)) {
            return 0;
        }
        final int outcome = file.sync(lane);
        return outcome != 0 && mutation == Mutation.RETRIES_SYNC ? file.sync(lane) : outcome;
    }

    @Override
    public int clear(final int lane, final long offset, final long length, final boolean deallocate) {
        return file.clear(lane, offset, length, deallocate);
    }

    @Override
    public int discard(final int lane, final long offset, final long length) {
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
}
