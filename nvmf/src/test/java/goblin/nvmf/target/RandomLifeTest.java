// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.HeldNamespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.SqeBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Hosts that come, go, reset and overdo it in any order, on two loops that turn when they like. */
class RandomLifeTest {
    private static final int STEPS = 250;

    private final List<MemoryTransport> admins = new ArrayList<>();
    private final List<MemoryTransport> ios = new ArrayList<>();
    private final List<SentCommand> executed = new ArrayList<>();
    private Random random;
    private Rig rig;
    private HeldNamespace medium;

    @Property(tries = 150)
    void shouldLeaveNothingBehindWhateverHappens(@ForAll final long seed) throws NamespaceException {
        random = new Random(seed);
        rig = new Rig();
        medium = new HeldNamespace(true);
        admins.clear();
        ios.clear();
        executed.clear();
        try {
            rig.subsystem.addNamespace(1, medium, 1);
            for (int i = 0; i < STEPS; i++) {
                step();
                shouldHaveIdentifiersOfTheirOwn();
            }
            medium.release();
            rig.turn();
            admins.forEach(MemoryTransport::lose);
            ios.forEach(MemoryTransport::lose);
            rig.turn();
            assertThat(rig.subsystem.controllers()).isEmpty();
            assertThat(medium.pending()).isZero();
            assertThat(executed).allMatch(SentCommand::isReturned);
        } finally {
            rig.close();
        }
    }

    private void shouldHaveIdentifiersOfTheirOwn() {
        final Set<Integer> ids = new HashSet<>();
        rig.subsystem
                .controllers()
                .forEach(controller -> assertThat(ids.add(controller.id())).isTrue());
    }

    private void step() throws NamespaceException {
        switch (random.nextInt(18)) {
            case 0, 1 -> admins.add(rig.admin(Rig.NQN, random.nextBoolean() ? 0 : 500));
            case 2, 3, 4 -> connectIo();
            case 5, 6, 7, 8 -> write();
            case 9 -> keep(pick(admins, SqeBuilder.opcode(Opcode.ASYNC_EVENT_REQUEST)));
            case 10 -> keep(pick(admins, TargetQueueTest.abort(random.nextInt(4), random.nextInt(8))));
            case 11 -> pick(admins, SqeBuilder.propertySet(Rig.CC, random.nextBoolean() ? 0 : Rig.ENABLE));
            case 12 -> {
                if (random.nextInt(3) == 0) {
                    lose(random.nextBoolean() ? admins : ios);
                } else {
                    keep(pick(ios, SqeBuilder.fabrics(Opcode.FABRICS_DISCONNECT)));
                }
            }
            case 13 -> {
                medium.release();
                medium.hold();
            }
            case 14 -> medium.startQueued();
            case 15 -> rig.loop.turn();
            case 16 -> rig.other.turn();
            default -> change();
        }
    }

    private void change() throws NamespaceException {
        switch (random.nextInt(5)) {
            case 0 -> rig.subsystem.resizeNamespace(1, 1000 + random.nextInt(5));
            case 1 -> rig.loop.advanceMs(300);
            case 2 -> pick(admins, SqeBuilder.propertySet(Rig.CC, Rig.ENABLE | 1 << 14));
            case 3 -> {
                rig.subsystem.drain("test", () -> {});
                rig.subsystem.resume();
            }
            default -> rig.subsystem.anaState(1, AnaState.OPTIMIZED);
        }
    }

    private void connectIo() {
        final MemoryTransport admin = pick(admins);
        if (admin != null && Rig.controller(admin) != null) {
            final MemoryTransport io = rig.open(random.nextBoolean() ? rig.loop : rig.other);
            rig.connectIo(io, Rig.controller(admin), 1 + random.nextInt(3));
            if (((TargetQueue) io.queue()).controller() != null) {
                ios.add(io);
            }
        }
    }

    private void write() {
        final MemoryTransport io = pick(ios);
        if (io != null && !io.isClosed()) {
            keep(io.send(SqeBuilder.io(Opcode.WRITE, 1, 0, 1).sgl(SqeBuilder.TRANSPORT, 512), new byte[512]));
        }
    }

    private void lose(final List<MemoryTransport> from) {
        final MemoryTransport one = pick(from);
        if (one != null) {
            one.lose();
        }
    }

    private void keep(final SentCommand sent) {
        if (sent != null) {
            executed.add(sent);
        }
    }

    private SentCommand pick(final List<MemoryTransport> from, final SqeBuilder sqe) {
        final MemoryTransport one = pick(from);
        return one == null || one.isClosed() ? null : one.send(sqe);
    }

    private MemoryTransport pick(final List<MemoryTransport> from) {
        return from.isEmpty() ? null : from.get(random.nextInt(from.size()));
    }
}
