// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.IdlePolicy;
import goblin.net.epoll.EpollTransport;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.namespace.HeldNamespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The same on threads: two loops, and somebody who changes the subsystem meanwhile. */
class ConcurrentLifeTest {
    private static final int ROUNDS = 400;

    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final FaultReporter reporter = (where, fault) -> faults.add(fault);
    private final EventLoop first = started("first");
    private final EventLoop second = started("second");
    private final CompletionInbox firstInbox = new CompletionInbox(first);
    private final CompletionInbox secondInbox = new CompletionInbox(second);
    private final Queue<MemoryTransport> transports = new ConcurrentLinkedQueue<>();
    private final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
    private final Subsystem subsystem =
            target.addSubsystem(SubsystemOptions.named(Rig.NQN).withAnyHost());
    private final AtomicInteger ioConnects = new AtomicInteger();

    @AfterEach
    void close() {
        first.close();
        second.close();
        transports.forEach(MemoryTransport::close);
    }

    @Test
    void shouldLeaveNoControllerBehindWhenQueuesComeWhileAssociationsEnd() throws NamespaceException {
        subsystem.addNamespace(1, new HeldNamespace(false), 1);
        final AtomicInteger drained = new AtomicInteger();

        for (int round = 0; round < ROUNDS; round++) {
            final MemoryTransport admin = connectAdmin(new CompletableFuture<>());
            final int id = controllerId(admin);
            final CompletableFuture<Void> here = connectIo(first, firstInbox, id, 1);
            final CompletableFuture<Void> there = connectIo(second, secondInbox, id, 2);
            disturb(admin, round, drained);
            CompletableFuture.allOf(here, there).join();
            first.execute(admin::lose);
        }

        await().untilAsserted(() -> assertThat(subsystem.controllers()).isEmpty());
        await().untilAsserted(() -> assertThat(drained).hasValue(Math.ceilDiv(ROUNDS, 4)));
        await().until(() -> transports.stream().allMatch(MemoryTransport::isClosed));
        assertThat(ioConnects).as("some queues came in time").hasPositiveValue();
        assertThat(faults).isEmpty();
    }

    private void disturb(final MemoryTransport admin, final int round, final AtomicInteger drained)
            throws NamespaceException {
        switch (round % 4) {
            case 0 -> {
                subsystem.drain("test", drained::incrementAndGet);
                subsystem.resume();
            }
            case 1 -> first.execute(() -> admin.send(SqeBuilder.propertySet(Rig.CC, 0)));
            case 2 -> first.execute(admin::lose);
            default -> subsystem.resizeNamespace(1, 1000 + round);
        }
    }

    private MemoryTransport connectAdmin(final CompletableFuture<MemoryTransport> connected) {
        first.execute(() -> {
            final MemoryTransport admin = open(first, firstInbox);
            Rig.connect(admin, SqeBuilder.connect(0, 31, 0, 0), new ConnectData(Rig.NQN));
            Rig.enable(admin);
            connected.complete(admin);
        });
        return connected.join();
    }

    private static int controllerId(final MemoryTransport admin) {
        return Rig.controller(admin).id();
    }

    private CompletableFuture<Void> connectIo(
            final EventLoop on, final CompletionInbox inbox, final int controller, final int qid) {
        return CompletableFuture.runAsync(
                () -> {
                    final MemoryTransport io = open(on, inbox);
                    final SentCommand connect = Rig.connect(
                            io, SqeBuilder.connect(qid, 31, 0, 0), new ConnectData(Rig.NQN).controllerId(controller));
                    if (connect.status() == Status.SUCCESS) {
                        ioConnects.incrementAndGet();
                        io.send(SqeBuilder.io(Opcode.FLUSH, 1, 0, 1));
                    } else {
                        io.lose();
                    }
                },
                on);
    }

    private MemoryTransport open(final EventLoop on, final CompletionInbox inbox) {
        final MemoryTransport transport = new MemoryTransport(target, on, inbox);
        transports.add(transport);
        return transport;
    }

    private EventLoop started(final String name) {
        final EventLoop loop =
                new EventLoop(name, new EpollTransport(), IdlePolicy.BACKOFF, EventLoop.ANY_CPU, reporter);
        loop.start();
        return loop;
    }
}
