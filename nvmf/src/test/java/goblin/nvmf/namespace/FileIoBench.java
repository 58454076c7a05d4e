// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.Iovec;
import goblin.net.epoll.EpollTransport;
import goblin.net.linux.Memory;
import goblin.net.linux.Pages;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures both ways of reading and writing files by turns, at random places: operations a second, the median and the 99th
 * percentile of their times, and the longest turn of the loop, which is what everybody else on it would have waited. The loop
 * runs on CPU 1 and sleeps when idle; {@code taskset} keeps the other threads off it. Arguments: a file that is made, its MiB,
 * rounds, seconds of each measurement; then {@code write} for writes only.
 */
final class FileIoBench {
    private static final int[] SIZES = {4096, 128 * 1024};
    private static final int[] DEPTHS = {1, 32};
    private static final int SAMPLES = 1 << 20;

    private FileIoBench() {}

    public static void main(final String[] arguments) throws InterruptedException, NamespaceException {
        final long bytes = Long.parseLong(arguments[1]) << 20;
        final int rounds = Integer.parseInt(arguments[2]);
        final long runNs = TimeUnit.SECONDS.toNanos(1) * Integer.parseInt(arguments[3]);
        final BlockCommand[] commands = arguments.length > 4
                ? new BlockCommand[] {BlockCommand.WRITE}
                : new BlockCommand[] {BlockCommand.READ, BlockCommand.WRITE};
        for (int round = 0; round < rounds; round++) {
            for (final String how : new String[] {"", ",direct"}) {
                for (final BlockCommand command : commands) {
                    for (final int size : SIZES) {
                        for (final int depth : DEPTHS) {
                            for (final FileIo files : FileIo.values()) {
                                final String spec = "file:" + arguments[0] + ",size=" + bytes + how;
                                try (Load load = new Load(spec, files, command, size, depth)) {
                                    load.run(runNs);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /** A namespace that always has as many operations under way. */
    private static final class Load implements AutoCloseable {
        private final StorageWorkers workers = new StorageWorkers(StorageWorkers.DEFAULT_THREADS);
        private final EventLoop loop = new EventLoop("bench", new EpollTransport(), IdlePolicy.BACKOFF, 1);
        private final CompletionInbox inbox;
        private final Namespace namespace;
        private final String name;
        private final int size;
        private final Work[] works;
        private final long[] tookNs = new long[SAMPLES];
        private final SplittableRandom random = new SplittableRandom(1);
        private final CountDownLatch ended = new CountDownLatch(1);
        private long beganNs;
        private long endNs;
        private long lastTurnNs;
        private long longestTurnNs;
        private int done;
        private int underWay;

        Load(final String spec, final FileIo files, final BlockCommand command, final int size, final int depth)
                throws NamespaceException {
            inbox = files.inbox(loop);
            namespace = Namespaces.open(NamespaceSpec.parse(spec), 4096, "nqn.2026-01.test:bench", 1, workers);
            this.size = size;
            works = new Work[depth];
            for (int i = 0; i < depth; i++) {
                works[i] = new Work(this, command);
            }
            name = "%-6s %-5s %3d KiB, depth %2d, %-8s"
                    .formatted(spec.endsWith(",direct") ? "direct" : "cached", command, size >> 10, depth, files);
            loop.atTurnEnd(this::turn);
            loop.start();
        }

        void run(final long runNs) throws InterruptedException {
            loop.execute(() -> {
                // A fifth warms up.
                beganNs = System.nanoTime() + runNs / 5;
                endNs = beganNs + runNs;
                underWay = works.length;
                for (final Work work : works) {
                    work.submit();
                }
            });
            ended.await();
            final int count = Math.min(done, SAMPLES);
            Arrays.sort(tookNs, 0, count);
            System.out.printf(
                    "%s: %7.0f/s, p50 %6.1f µs, p99 %7.1f µs, longest turn %7.1f µs%n",
                    name,
                    done * 1e9 / runNs,
                    tookNs[count / 2] / 1e3,
                    tookNs[(int) (count * 0.99)] / 1e3,
                    longestTurnNs / 1e3);
        }

        private void turn() {
            final long now = System.nanoTime();
            if (now > beganNs && now < endNs && beganNs != 0) {
                longestTurnNs = Math.max(longestTurnNs, now - lastTurnNs);
            }
            lastTurnNs = now;
        }

        void completed(final Work work) {
            final long now = System.nanoTime();
            if (now >= beganNs && now < endNs) {
                tookNs[done++ % SAMPLES] = now - work.submittedNs;
            }
            if (now < endNs) {
                work.submit();
            } else if (--underWay == 0) {
                ended.countDown();
            }
        }

        @Override
        public void close() throws NamespaceException {
            namespace.close();
            loop.close();
            workers.close();
            for (final Work work : works) {
                work.free();
            }
        }
    }

    private static final class Work extends BlockOperation {
        private final Load load;
        private final BlockCommand command;
        private final long memory;
        private final long vector = Memory.allocate(Iovec.BYTES);
        private long submittedNs;

        Work(final Load load, final BlockCommand command) {
            this.load = load;
            this.command = command;
            memory = Pages.map(load.size);
            Memory.fill(memory, load.size, (byte) 7);
            Iovec.put(vector, 0, memory, load.size);
        }

        void submit() {
            final long places = load.namespace.blocks() * 4096 / load.size;
            describe(command, load.random.nextLong(places) * load.size, load.size);
            memory(vector, 1);
            submittedNs = System.nanoTime();
            load.namespace.submit(this, load.inbox);
        }

        @Override
        protected boolean mayStart() {
            return true;
        }

        @Override
        protected void completed(final BlockOutcome outcome) {
            if (outcome != BlockOutcome.DONE) {
                throw new IllegalStateException(load.name + " ended with " + outcome);
            }
            load.completed(this);
        }

        void free() {
            Pages.unmap(memory, load.size);
            Memory.free(vector);
        }
    }
}
