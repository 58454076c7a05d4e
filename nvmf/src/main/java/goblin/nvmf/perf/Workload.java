// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

/**
 * What to do to a namespace, and for how long.
 *
 * @param nsid        the namespace
 * @param ioBytes     bytes of each command, a multiple of the namespace's blocks
 * @param otherBytes  bytes of every other command, no more than {@code ioBytes} and a multiple of the blocks; 0 when all
 *                    are alike, as they must be with {@code verify}
 * @param readPercent how many of a hundred commands are reads, 0 to 100
 * @param random      whether commands go anywhere; otherwise they follow each other, each queue in a part of its own
 * @param verify      whether what is written carries stamps, which reads check
 * @param spanBytes   how much of the namespace is used, from its beginning; 0 for all
 * @param warmUpNs    how long commands run before they count
 * @param measureNs   how long they count; {@link Long#MAX_VALUE} when {@code ios} ends the run
 * @param ios         commands that count; {@link Long#MAX_VALUE} when time ends the run
 */
public record Workload(
        int nsid,
        int ioBytes,
        int otherBytes,
        int readPercent,
        boolean random,
        boolean verify,
        long spanBytes,
        long warmUpNs,
        long measureNs,
        long ios) {

    /** All commands are alike. */
    public Workload(
            final int nsid,
            final int ioBytes,
            final int readPercent,
            final boolean random,
            final boolean verify,
            final long spanBytes,
            final long warmUpNs,
            final long measureNs,
            final long ios) {
        this(nsid, ioBytes, 0, readPercent, random, verify, spanBytes, warmUpNs, measureNs, ios);
    }
}
