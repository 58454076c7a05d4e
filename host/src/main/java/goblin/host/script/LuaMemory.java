// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import goblin.net.linux.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/**
 * The memory of one Lua state: small blocks from lists of free blocks, large ones from the C heap, with a limit.
 *
 * <p>While Lua runs, a request past the limit is refused and Lua raises "not enough memory". While Java functions work
 * on the state the limit is off, because Lua's error would jump over Java frames; the functions look at
 * {@link #exceeded} before they return.
 */
final class LuaMemory {
    private static final int GRAIN = 16;
    private static final int SMALL = 512;
    private static final int SLAB = 64 * 1024;

    /** Behind every large block, a stack among them: see {@link LuaPrototype}. */
    private static final int MARGIN = LuaPrototype.MOST_PARAMETERS * 2 * GRAIN;

    private final long limit;
    private final long[] freeBlocks = new long[SMALL / GRAIN + 1];
    private final long stub;
    private long slabs;
    private long next;
    private long end;
    private long used;
    private boolean limited;

    LuaMemory(final Arena arena, final long limit) {
        this.limit = limit;
        final MethodType type = MethodType.methodType(long.class, long.class, long.class, long.class, long.class);
        try {
            stub = Lua.stub(
                    arena,
                    MethodHandles.lookup()
                            .findVirtual(LuaMemory.class, "resize", type)
                            .bindTo(this),
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        } catch (final ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The allocator function to give to Lua. */
    long allocator() {
        return stub;
    }

    /** Bytes that live objects of the state take. */
    long used() {
        return used;
    }

    /** Whether the state holds more than it may. */
    boolean exceeded() {
        return used > limit;
    }

    /** Whether the state may hold that many bytes more. */
    boolean fits(final long bytes) {
        return bytes <= limit - used;
    }

    /** Switches the refusing of requests on (Lua runs) or off (Java works on the state). */
    void limited(final boolean on) {
        limited = on;
    }

    /** Gives back everything; only after the state was closed. */
    void free() {
        while (slabs != 0) {
            final long slab = slabs;
            slabs = Memory.getLong(slab);
            Memory.free(slab);
        }
        Arrays.fill(freeBlocks, 0);
        next = 0;
        end = 0;
    }

    /** Lua's allocator function: allocates, resizes and frees. */
    long resize(final long context, final long block, final long oldSize, final long newSize) {
        if (newSize == 0) {
            if (block != 0) {
                used -= oldSize;
                give(block, oldSize);
            }
            return 0;
        }
        final long had = block == 0 ? 0 : oldSize;
        if (limited && newSize > had && used + newSize - had > limit) {
            return 0;
        }
        final long result;
        try {
            result = had == 0 ? take(newSize) : move(block, had, newSize);
        } catch (final Throwable failure) {
            return refuse(newSize);
        }
        used += newSize - had;
        return result;
    }

    private long refuse(final long newSize) {
        if (!limited) {
            // Lua would jump over Java frames now, which nothing survives: end in an orderly way instead.
            System.err.println("goblin-core: no memory for " + newSize + " bytes of a script, ending");
            Runtime.getRuntime().halt(1);
        }
        return 0;
    }

    private long move(final long block, final long oldSize, final long newSize) {
        if (oldSize > SMALL && newSize > SMALL) {
            return Memory.reallocate(block, newSize + MARGIN);
        }
        if (oldSize <= SMALL && newSize <= SMALL && kind(oldSize) == kind(newSize)) {
            return block;
        }
        final long moved = take(newSize);
        Memory.copy(block, moved, Math.min(oldSize, newSize));
        give(block, oldSize);
        return moved;
    }

    private long take(final long size) {
        if (size > SMALL) {
            return Memory.allocate(size + MARGIN);
        }
        final int kind = kind(size);
        final long block = freeBlocks[kind];
        if (block != 0) {
            freeBlocks[kind] = Memory.getLong(block);
            return block;
        }
        final int whole = kind * GRAIN;
        if (end - next < whole) {
            final long slab = Memory.allocate(SLAB);
            Memory.putLong(slab, slabs);
            slabs = slab;
            next = slab + GRAIN;
            end = slab + SLAB;
        }
        final long fresh = next;
        next += whole;
        return fresh;
    }

    private void give(final long block, final long size) {
        if (size > SMALL) {
            Memory.free(block);
        } else {
            final int kind = kind(size);
            Memory.putLong(block, freeBlocks[kind]);
            freeBlocks[kind] = block;
        }
    }

    private static int kind(final long size) {
        return (int) ((size + GRAIN - 1) / GRAIN);
    }
}
