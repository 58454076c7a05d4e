// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;
import goblin.net.linux.Pages;
import java.util.Arrays;

/**
 * The memory of one loop that data is copied into or read into: page-aligned blocks that devices may write to directly.
 * What is taken is a chain of blocks, each a power of two of pages; neighbours that are given back are joined again at
 * once, so that an arena of which everything came back can give its largest block again. The memory is mapped once, given
 * its pages at once, and locked into RAM as far as the kernel allows.
 *
 * <p>One thread. Nothing is allocated after the constructor.
 */
final class TransferArena implements AutoCloseable {
    /** Says that there is no chain, or no further block in it. */
    static final int NONE = -1;

    private static final byte POISON = (byte) 0xDA;
    private static final int PAGE_SHIFT = 12;
    /** What {@link #orders} holds for a page that is not the first of a block. */
    private static final byte INNER = Byte.MAX_VALUE;

    private final int pages;
    private final long base;
    private final boolean checking;
    private final boolean locked;
    private final int maxOrder;

    /** By order: the first free block, a page number. */
    private final int[] free;
    /** By page: the next block, of the free list or of the chain. */
    private final int[] next;
    /** By page: the block before in the free list. */
    private final int[] previous;
    /** By page: a block's order, complemented while it is free. */
    private final byte[] orders;

    private int freePages;
    private boolean closed;

    /**
     * Makes an arena.
     *
     * @param bytes        its size, rounded up to whole pages, at least {@code largestBlock}
     * @param largestBlock bytes of the largest block, a power of two of pages
     * @param checking     whether what is given back is overwritten, so that tests see who uses it too late
     * @throws OutOfMemoryError when the kernel refuses
     */
    TransferArena(final long bytes, final long largestBlock, final boolean checking) {
        pages = Math.toIntExact((Math.max(bytes, largestBlock) + Pages.PAGE_BYTES - 1) >> PAGE_SHIFT);
        maxOrder = Long.numberOfTrailingZeros(Long.highestOneBit(largestBlock)) - PAGE_SHIFT;
        this.checking = checking;
        base = Pages.map(bytes());
        Pages.adviseHuge(base, bytes());
        Pages.prefault(base, bytes());
        locked = Pages.lock(base, bytes());
        free = new int[maxOrder + 1];
        Arrays.fill(free, NONE);
        next = new int[pages];
        previous = new int[pages];
        orders = new byte[pages];
        Arrays.fill(orders, INNER);
        freePages = pages;
        int page = 0;
        while (page < pages) {
            final int aligned = page == 0 ? maxOrder : Math.min(maxOrder, Integer.numberOfTrailingZeros(page));
            final int order = Math.min(aligned, floorLog2(pages - page));
            addFree(page, order);
            page += 1 << order;
        }
    }

    /**
     * Takes memory.
     *
     * @param bytes     how much, 1 or more
     * @param maxBlocks the most blocks that it may be in, 1 or more
     * @return the chain's first block, or {@link #NONE} when there is not as much left, or not in as few blocks
     */
    int take(final long bytes, final int maxBlocks) {
        int left = (int) ((bytes + Pages.PAGE_BYTES - 1) >> PAGE_SHIFT);
        if (left > freePages) {
            return NONE;
        }
        int first = NONE;
        int last = NONE;
        for (int blocks = 1; left > 0; blocks++) {
            final int wanted = blocks == maxBlocks ? ceilLog2(left) : floorLog2(left);
            final int block = blocks > maxBlocks ? NONE : takeBlock(Math.min(maxOrder, wanted));
            if (block == NONE) {
                giveBack(first);
                return NONE;
            }
            if (first == NONE) {
                first = block;
            } else {
                next[last] = block;
            }
            last = block;
            left -= 1 << orders[block];
        }
        return first;
    }

    /**
     * Gives a chain back.
     *
     * @param chain from {@link #take}; {@link #NONE} does nothing
     */
    void giveBack(final int chain) {
        int block = chain;
        while (block != NONE) {
            final int following = next[block];
            if (checking) {
                Memory.fill(address(block), length(block), POISON);
            }
            release(block);
            block = following;
        }
    }

    /** The block's first byte. */
    long address(final int block) {
        return base + ((long) block << PAGE_SHIFT);
    }

    /** The block's bytes. */
    long length(final int block) {
        return (long) Pages.PAGE_BYTES << orders[block];
    }

    /** The chain's next block, or {@link #NONE}. */
    int following(final int block) {
        return next[block];
    }

    /** Blocks from this one to the chain's end. */
    int blocks(final int chain) {
        int count = 0;
        for (int block = chain; block != NONE; block = next[block]) {
            count++;
        }
        return count;
    }

    /** All memory, in bytes. */
    long bytes() {
        return (long) pages << PAGE_SHIFT;
    }

    /** Memory that nobody has, in bytes. */
    long freeBytes() {
        return (long) freePages << PAGE_SHIFT;
    }

    /** Whether the memory is locked into RAM. */
    boolean isLocked() {
        return locked;
    }

    /** Unmaps the memory; nothing may use it any more. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Pages.unmap(base, bytes());
        }
    }

    private int takeBlock(final int wanted) {
        int order = wanted;
        while (order <= maxOrder && free[order] == NONE) {
            order++;
        }
        if (order > maxOrder) {
            order = wanted - 1;
            while (order >= 0 && free[order] == NONE) {
                order--;
            }
            if (order < 0) {
                return NONE;
            }
        }
        final int block = free[order];
        removeFree(block, order);
        while (order > wanted) {
            order--;
            addFree(block + (1 << order), order);
        }
        orders[block] = (byte) order;
        next[block] = NONE;
        freePages -= 1 << order;
        return block;
    }

    private void release(final int taken) {
        int block = taken;
        int order = orders[block];
        if (order < 0 || order == INNER) {
            throw new IllegalStateException("block " + block + " is not taken");
        }
        freePages += 1 << order;
        orders[block] = INNER;
        while (order < maxOrder) {
            final int buddy = block ^ (1 << order);
            if (buddy + (1 << order) > pages || orders[buddy] != ~order) {
                break;
            }
            removeFree(buddy, order);
            orders[buddy] = INNER;
            block = Math.min(block, buddy);
            order++;
        }
        addFree(block, order);
    }

    private void addFree(final int block, final int order) {
        orders[block] = (byte) ~order;
        previous[block] = NONE;
        next[block] = free[order];
        if (free[order] != NONE) {
            previous[free[order]] = block;
        }
        free[order] = block;
    }

    private void removeFree(final int block, final int order) {
        final int before = previous[block];
        final int after = next[block];
        if (before == NONE) {
            free[order] = after;
        } else {
            next[before] = after;
        }
        if (after != NONE) {
            previous[after] = before;
        }
    }

    private static int floorLog2(final int value) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(value);
    }

    private static int ceilLog2(final int value) {
        return value == 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(value - 1);
    }
}
