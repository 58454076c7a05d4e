// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;

/** Where larger vectors come from. It may refuse: then data is copied instead of referenced. */
interface VectorMemory {
    /** The C heap. */
    VectorMemory HEAP = new VectorMemory() {
        @Override
        public long allocate(final long bytes) {
            try {
                return Memory.allocate(bytes);
            } catch (final OutOfMemoryError none) {
                return 0;
            }
        }

        @Override
        public void free(final long address) {
            Memory.free(address);
        }
    };

    /** Takes memory; 0 when there is none. */
    long allocate(long bytes);

    /** Gives it back; 0 does nothing. */
    void free(long address);
}
