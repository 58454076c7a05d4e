// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/** What reads and writes files and devices. */
public enum FileIo {
    /** A ring of each loop's own, and threads for what it cannot do. */
    IO_URING,
    /** Threads that wait. */
    THREADS
}
