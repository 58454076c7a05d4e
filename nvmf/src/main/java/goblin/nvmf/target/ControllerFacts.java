// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/**
 * What Identify Controller depends on.
 *
 * @param discovery       a discovery controller
 * @param id              CNTLID
 * @param subsystemNqn    ASCII, at most 223 bytes
 * @param serial          ASCII, at most 20 bytes
 * @param model           ASCII, at most 40 bytes
 * @param firmware        ASCII, at most 8 bytes
 * @param maxIoBytes      a power of two times 4096
 * @param inCapsuleBytes  of I/O queues, a multiple of 16
 * @param maxQueueDepth   commands that a queue takes
 * @param maxNamespaces   the highest NSID there may be
 * @param keepAliveUnits  granularity of Keep Alive in units of 100 ms
 * @param maxAnaGroup     the highest ANA group identifier there may be
 * @param anaGroups       how many ANA groups there are
 * @param cachePresent    completed writes may need a flush
 * @param events          OAES: the events that are really sent
 */
record ControllerFacts(
        boolean discovery,
        int id,
        String subsystemNqn,
        String serial,
        String model,
        String firmware,
        int maxIoBytes,
        int inCapsuleBytes,
        int maxQueueDepth,
        int maxNamespaces,
        int keepAliveUnits,
        int maxAnaGroup,
        int anaGroups,
        boolean cachePresent,
        int events) {}
