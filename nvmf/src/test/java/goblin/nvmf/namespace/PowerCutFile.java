// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.Iovec;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A file with a cache that loses its power at a given call. What was synced, or written durably, is then there; of what
 * was only cached each sector holds its safe contents or any of those that were on their way.
 *
 * <p>Writing back may also fail as Linux lets it fail, during a sync or before: what was cached is forgotten to be written
 * and is still read; each lane is told once, by its next sync or durable write, and afterwards succeeds without it. It may
 * fail for want of room, and then plain writes find no room either for a while.
 */
final class PowerCutFile implements BackingFile {
    static final int SECTOR = 512;

    private final Random random;
    private final byte[][] cached;
    private final byte[][] safe;
    private final List<List<byte[]>> onTheirWay = new ArrayList<>();
    private int callsLeft;
    private int syncsUntilFailure;
    private int callsUntilNoRoom;
    private int callsWithoutRoom;

    // What failed so far, and what of it each lane was told.
    private int failures;
    private int lastErrno = Errno.EIO;
    private final Map<Integer, Integer> told = new HashMap<>();

    PowerCutFile(
            final int sectors,
            final int callsUntilCut,
            final int syncsUntilFailure,
            final int callsUntilNoRoom,
            final Random random) {
        this.random = random;
        this.callsLeft = callsUntilCut;
        this.syncsUntilFailure = syncsUntilFailure;
        this.callsUntilNoRoom = callsUntilNoRoom;
        cached = new byte[sectors][SECTOR];
        safe = new byte[sectors][SECTOR];
        for (int i = 0; i < sectors; i++) {
            onTheirWay.add(new ArrayList<>());
        }
    }

    synchronized boolean isOff() {
        return callsLeft <= 0;
    }

    /** Cuts the power, if it is still there, and tells what the sectors hold afterwards. */
    synchronized byte[][] afterwards() {
        callsLeft = 0;
        final boolean allLost = random.nextBoolean();
        final byte[][] image = new byte[safe.length][];
        for (int i = 0; i < image.length; i++) {
            final List<byte[]> candidates = new ArrayList<>(onTheirWay.get(i));
            candidates.add(safe[i]);
            image[i] = allLost ? safe[i] : candidates.get(random.nextInt(candidates.size()));
        }
        return image;
    }

    @Override
    public int descriptor() {
        return -1;
    }

    @Override
    public FileFacts facts() {
        return ArrayFile.FACTS;
    }

    @Override
    public long bytes() {
        return (long) safe.length * SECTOR;
    }

    @Override
    public synchronized long read(final int lane, final long iovecs, final int count, final long offset) {
        long moved = 0;
        for (int i = 0; i < count; i++) {
            for (long at = 0; at < Iovec.length(iovecs, i); at += SECTOR, moved += SECTOR) {
                Memory.copyIn(sector(cached, offset + moved), 0, Iovec.address(iovecs, i) + at, SECTOR);
            }
        }
        return moved;
    }

    @Override
    public synchronized long write(
            final int lane, final long iovecs, final int count, final long offset, final boolean durable) {
        if (isOff()) {
            return -Errno.EIO;
        }
        if (isFull()) {
            // The sync half of a durable write tells as well what happened before, once.
            return durable && isToBeTold(lane) ? -lastErrno : -Errno.ENOSPC;
        }
        final long total = Iovec.total(iovecs, count);
        final boolean cut = --callsLeft == 0;
        final long arrives = cut ? random.nextInt((int) (total / SECTOR) + 1) * (long) SECTOR : total;
        long moved = 0;
        for (int i = 0; i < count; i++) {
            for (long at = 0; at < Iovec.length(iovecs, i) && moved < arrives; at += SECTOR, moved += SECTOR) {
                put(offset + moved, Memory.toBytes(Iovec.address(iovecs, i) + at, SECTOR), durable && !cut);
            }
        }
        if (cut) {
            return -Errno.EIO;
        }
        return durable && isToBeTold(lane) ? -lastErrno : total;
    }

    @Override
    public synchronized int sync(final int lane) {
        if (isOff() || --callsLeft == 0) {
            return -Errno.EIO;
        }
        if (--syncsUntilFailure == 0) {
            failToWriteBack(Errno.EIO);
        }
        for (int i = 0; i < safe.length; i++) {
            final List<byte[]> waiting = onTheirWay.get(i);
            if (!waiting.isEmpty()) {
                safe[i] = waiting.getLast();
            }
            waiting.clear();
        }
        return isToBeTold(lane) ? -lastErrno : 0;
    }

    /** Counts a call down; tells whether it finds no room. */
    private boolean isFull() {
        if (--callsUntilNoRoom == 0) {
            failToWriteBack(Errno.ENOSPC);
            callsWithoutRoom = 2 + random.nextInt(6);
        }
        return callsWithoutRoom-- > 0;
    }

    private void failToWriteBack(final int errno) {
        onTheirWay.forEach(List::clear);
        lastErrno = errno;
        failures++;
    }

    private boolean isToBeTold(final int lane) {
        final Integer before = told.put(lane, failures);
        return failures > (before == null ? 0 : before);
    }

    @Override
    public synchronized int clear(final int lane, final long offset, final long length, final boolean deallocate) {
        if (isOff() || --callsLeft == 0) {
            return -Errno.EIO;
        }
        for (long at = 0; at < length; at += SECTOR) {
            put(offset + at, new byte[SECTOR], false);
        }
        return 0;
    }

    @Override
    public int discard(final int lane, final long offset, final long length) {
        return clear(lane, offset, length, true);
    }

    @Override
    public int resize(final long bytes) {
        return -Errno.EOPNOTSUPP;
    }

    @Override
    public void close() {
        // Nothing is kept open.
    }

    private void put(final long offset, final byte[] data, final boolean durable) {
        final int sector = (int) (offset / SECTOR);
        cached[sector] = data;
        final List<byte[]> waiting = onTheirWay.get(sector);
        if (durable) {
            waiting.clear();
            safe[sector] = data;
        } else {
            waiting.add(data);
        }
    }

    private static byte[] sector(final byte[][] sectors, final long offset) {
        return sectors[(int) (offset / SECTOR)];
    }
}
