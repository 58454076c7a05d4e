// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/** What one medium has of {@link StorageWorkers}: operations that wait, in their order, and workers. For {@link FairQueue}. */
final class WorkerShare {
    /** Next in the queue of those with operations that wait. */
    WorkerShare next;

    BlockOperation oldest;
    BlockOperation newest;

    /** Operations that workers are at. */
    int running;
}
