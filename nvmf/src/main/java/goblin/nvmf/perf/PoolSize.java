// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import goblin.net.EventLoop;
import goblin.net.Iovec;
import goblin.nvmf.initiator.InitiatorException;
import goblin.nvmf.initiator.InitiatorOptions;
import goblin.nvmf.tcp.VectorMode;
import java.util.concurrent.ExecutionException;

/**
 * What the requests of one connection hold: as many as were under way at once, after commands that needed no growth and
 * after commands that needed much.
 *
 * @param requests    how many requests there were
 * @param idleBytes   what they held after small commands, heap and native memory
 * @param burstBytes  what they held after large ones
 */
record PoolSize(long requests, long idleBytes, long burstBytes) {
    /** How many commands are under way. */
    static final int DEPTH = 128;

    private static final int SMALL = 4 << 10;
    private static final int LARGE = 1 << 20;
    private static final long COMMANDS = 4L * DEPTH;
    /** What a reference to a segment takes, which each entry has one of. */
    private static final long REFERENCE_BYTES = 4;

    /**
     * Measures it.
     *
     * @param loop   where the load runs
     * @param target takes {@link #DEPTH} commands; its first namespace is written to
     */
    static PoolSize of(final EventLoop loop, final TargetProcess target, final Contender contender)
            throws InterruptedException {
        final Figures idle = burst(loop, target, SMALL);
        final Figures burst = burst(loop, target, LARGE);
        final long each = inline(contender).request();
        return new PoolSize(
                requests(burst), requests(idle) * each + grown(idle), requests(burst) * each + grown(burst));
    }

    private static ObjectSizes inline(final Contender contender) {
        final VectorMode mode = switch (contender.delivery()) {
            case INLINE -> VectorMode.INLINE;
            case FIXED -> VectorMode.FIXED;
            case COPIED, DYNAMIC, PLACED -> VectorMode.DYNAMIC;
        };
        return ObjectSizes.of(mode, contender.limit(), 1);
    }

    private static long requests(final Figures figures) {
        return figures.of("nvmf_tcp_requests_allocated");
    }

    private static long grown(final Figures figures) {
        final long bytes = figures.of("nvmf_tcp_vector_grown_bytes");
        return bytes + bytes / Iovec.BYTES * REFERENCE_BYTES;
    }

    private static Figures burst(final EventLoop loop, final TargetProcess target, final int ioBytes)
            throws InterruptedException {
        final InitiatorOptions association = InitiatorOptions.of(
                        target.address().getAddress(), target.address().getPort(), TargetProcess.SUBSYSTEM)
                .withQueues(1, DEPTH);
        final LoadRun load = new LoadRun(
                loop, association, new Workload(1, ioBytes, 0, true, false, 0, 0, Long.MAX_VALUE, COMMANDS));
        try {
            load.startAndStay().get();
            final Figures figures = target.figures();
            load.letGo().get();
            return figures;
        } catch (final ExecutionException failed) {
            throw new InitiatorException("a burst fails: " + failed.getCause().getMessage());
        }
    }
}
