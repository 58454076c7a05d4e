// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.CompletionInbox;

/** What I/O commands need of the queue that they came on. On its loop. */
interface IoQueue {

    /** The namespaces now. */
    NamespaceTable namespaces();

    /** Where storage completes. */
    CompletionInbox inbox();

    /** Bytes that one command moves at most (MDTS). */
    int maxIoBytes();

    /** Whether every write must be durable before it completes: the host turned the cache off, or was told of none. */
    boolean writesThrough();

    /** Where this queue counts. */
    IoCounters counters();

    /** Does something in a later turn of the loop; at once when the loop has ended. */
    void later(Runnable what);

    /** Gives up a command that waits for memory and was asked for no data; whether it did. Whoever asks completes it. */
    boolean withdraw(Request request);

    /** Gives a finished command, its status set, to the transport. */
    void complete(Request request);
}
