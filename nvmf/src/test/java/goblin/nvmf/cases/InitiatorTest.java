// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.Transport;
import goblin.net.linux.Memory;
import goblin.nvmf.initiator.HostCommand;
import goblin.nvmf.initiator.HostQueue;
import goblin.nvmf.initiator.Initiator;
import goblin.nvmf.initiator.InitiatorListener;
import goblin.nvmf.initiator.InitiatorOptions;
import goblin.nvmf.perf.LoadRun;
import goblin.nvmf.perf.Workload;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.tcp.TestedSockets;
import goblin.testkit.HostileTransport;
import goblin.testkit.Mischief;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InitiatorTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int PAGE = 4096;

    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final Notes notes = new Notes();
    private LiveTarget target;
    private EventLoop loop;

    /** Writes down what an initiator tells. */
    private static final class Notes implements InitiatorListener {
        private final CompletableFuture<Initiator> ready = new CompletableFuture<>();
        private final CompletableFuture<String> failed = new CompletableFuture<>();
        private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
        private final Queue<Integer> events = new ConcurrentLinkedQueue<>();

        @Override
        public void onReady(final Initiator initiator) {
            ready.complete(initiator);
        }

        @Override
        public void onFailed(final Initiator initiator, final String reason) {
            failed.complete(reason);
        }

        @Override
        public void onClosed(final Initiator initiator) {
            closed.complete(true);
        }

        @Override
        public void onEvent(final Initiator initiator, final int dword0) {
            events.add(dword0);
        }
    }

    @BeforeEach
    void start() {
        target = LiveTarget.small();
        loop = loop(TestedSockets.transport());
    }

    @AfterEach
    void stop() {
        loop.close();
        target.close();
        assertThat(faults).isEmpty();
    }

    private EventLoop loop(final Transport transport) {
        final EventLoop made = new EventLoop(
                "host", transport, IdlePolicy.BACKOFF, EventLoop.ANY_CPU, (where, fault) -> faults.add(fault));
        made.start();
        return made;
    }

    private Initiator connected(final InitiatorOptions options) {
        loop.execute(() -> Initiator.connect(loop, options, notes));
        return notes.ready.orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void shouldTellOfEventsOneAfterTheOther() {
        final Initiator initiator = connected(target.options());
        target.add(2, "mem:1M", 512);
        await().untilAsserted(() -> assertThat(notes.events).contains(0x04_0002));
        assertThat(initiator.controller().eventLimit()).isPositive();
    }

    @Test
    void shouldShutDownInOrder() {
        final Initiator initiator = connected(target.options().withQueues(3, 8));
        assertThat(target.subsystem().controllers()).hasSize(1);
        loop.execute(initiator::shutDown);
        assertThat(notes.closed.orTimeout(10, TimeUnit.SECONDS).join()).isTrue();
        assertThat(notes.failed).isNotDone();
        target.awaitNothingLeft();
    }

    @Test
    void shouldKeepAliveWhatIsIdle() {
        final Initiator initiator =
                connected(target.options().withKeepAlive(2_000).withQueues(1, 4));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> target.lines().stream().anyMatch(line -> line.contains("ends"))
                        || aliveFor(initiator, 5_000_000_000L));
        assertThat(notes.failed).isNotDone();
    }

    private final long startNs = System.nanoTime();

    private boolean aliveFor(final Initiator initiator, final long ns) {
        return initiator.isReady() && System.nanoTime() - startNs > ns;
    }

    @Test
    void shouldEndCommandsAndSayWhyWhenTheTargetGoes() {
        final Initiator initiator = connected(target.options().withQueues(1, 4));
        final CompletableFuture<Integer> status = new CompletableFuture<>();
        final CompletableFuture<Integer> answered = new CompletableFuture<>();
        loop.execute(() -> {
            final HostCommand event = initiator.admin().take();
            event.describe(Opcode.ASYNC_EVENT_REQUEST, 0).whenDone(done -> status.complete(done.status()));
            initiator.admin().submit(event);
            final HostCommand keepAlive = initiator.admin().take();
            keepAlive.describe(Opcode.KEEP_ALIVE, 0).whenDone(done -> answered.complete(done.status()));
            initiator.admin().submit(keepAlive);
            initiator.admin().flush();
        });
        // The one before has arrived when this one is answered.
        assertThat(answered.join()).isZero();
        target.target().endAll("test");

        assertThat(notes.failed.orTimeout(10, TimeUnit.SECONDS).join()).contains("queue");
        assertThat(status.join()).isEqualTo(HostQueue.HOST_PATH_ERROR);
        assertThat(initiator.isReady()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFindWhatItStoredWhateverTheNetworkDoes(final boolean byteByByte) throws InterruptedException {
        final Mischief mischief = byteByByte ? Mischief.ONE_BYTE : Mischief.CUTS;
        final int ioBytes = byteByByte ? 1024 : 8192;
        final Workload workload =
                new Workload(1, ioBytes, 50, true, true, 16L * ioBytes, 0, Long.MAX_VALUE, byteByByte ? 100 : 400);
        try (EventLoop hostile = loop(
                new HostileTransport(TestedSockets.transport(), 1, mischief, (where, fault) -> faults.add(fault)))) {
            for (final boolean digests : new boolean[] {false, true}) {
                final InitiatorOptions options =
                        target.options().withQueues(2, 8).withDigests(digests, digests);
                assertThat(new LoadRun(hostile, options, workload).run().verified())
                        .isPositive();
            }
        }
    }

    @Test
    void shouldAllocateNothingForACommand() {
        final Initiator initiator = connected(target.options().withQueues(1, 16).withDigests(true, true));
        final Ring ring = new Ring(initiator.queue(0));
        loop.execute(ring::start);
        await().atMost(Duration.ofSeconds(60)).until(() -> ring.leastAllocated == 0 || ring.failed);
        assertThat(ring.failed).isFalse();
        loop.execute(() -> ring.stopping = true);
        await().until(() -> ring.active == 0);
        ring.free();
    }

    /** Reads, small writes and large writes for ever, looking at its thread's allocation every thousand commands. */
    private static final class Ring {
        private static final int LARGE = 16 * 1024;
        private static final int ROUND = 1000;

        private final HostQueue queue;
        private final long memory = Memory.allocate(16L * LARGE);
        private volatile long leastAllocated = Long.MAX_VALUE;
        private volatile boolean failed;
        private volatile int active;
        private boolean stopping;
        private int count;
        private long allocatedBefore;

        Ring(final HostQueue queue) {
            this.queue = queue;
        }

        void start() {
            Memory.fill(memory, 16L * LARGE, (byte) 1);
            long data = memory;
            for (HostCommand command = queue.take(); command != null; command = queue.take()) {
                command.tag(data);
                command.whenDone(this::completed);
                data += LARGE;
                submit(command);
            }
            active = queue.active();
            queue.flush();
        }

        private void submit(final HostCommand command) {
            switch (count % 3) {
                case 0 -> command.describe(Opcode.READ, 1, 0, 32).toHost(command.tag(), LARGE);
                case 1 -> command.describe(Opcode.WRITE, 1, 64, 8).fromHost(command.tag(), PAGE);
                default -> command.describe(Opcode.WRITE, 1, 128, 32).fromHost(command.tag(), LARGE);
            }
            queue.submit(command);
        }

        private void completed(final HostCommand command) {
            failed |= command.status() != 0;
            if (++count % ROUND == 0) {
                final long allocated = THREADS.getCurrentThreadAllocatedBytes();
                leastAllocated = Math.min(leastAllocated, allocated - allocatedBefore);
                allocatedBefore = allocated;
            }
            if (stopping) {
                active = queue.active();
            } else {
                submit(command);
            }
        }

        void free() {
            Memory.free(memory);
        }
    }
}
