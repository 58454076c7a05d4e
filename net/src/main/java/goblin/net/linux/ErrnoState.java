// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** Where calls leave their errno: one for each loop, used by one thread at a time. */
final class ErrnoState {
    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long OFFSET = LAYOUT.byteOffset(PathElement.groupElement("errno"));

    /** Passed to every capturing handle. Lives as long as it is reachable. */
    final MemorySegment segment = Arena.ofAuto().allocate(LAYOUT);

    private final long address = segment.address() + OFFSET;

    /** The errno of the last call made with {@link #segment}; only meaningful after a call that failed. */
    int errno() {
        return Memory.getInt(address);
    }
}
