// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.EventLoop;

/** What reads and writes files and devices. */
public enum FileIo {
    /** A ring of each loop's own, and threads for what it cannot do. */
    IO_URING,
    /** Threads that wait. */
    THREADS;

    /**
     * Makes the inbox of a loop that has its files read and written so. Before the loop runs.
     *
     * @param loop where operations are submitted and complete
     * @return the loop's
     * @throws goblin.net.NetException when the kernel refuses, with a message for people
     */
    public CompletionInbox inbox(final EventLoop loop) {
        return this == IO_URING ? CompletionInbox.withRing(loop) : new CompletionInbox(loop);
    }
}
