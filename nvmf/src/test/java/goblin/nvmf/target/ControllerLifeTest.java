// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.BlockOutcome;
import goblin.nvmf.namespace.HeldNamespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControllerLifeTest {
    private static final long SHUT_DOWN = Rig.ENABLE | 1 << 14;
    private static final int SHST_STARTED = 1 << 2;
    private static final int SHST_DONE = 2 << 2;
    private static final int READY = 1;

    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void shouldTakeAdminCommandsOnlyWhileEnabled() {
        final MemoryTransport admin = rig.open();
        Rig.connect(admin, SqeBuilder.connect(0, 31, 0, 0), new ConnectData(Rig.NQN));
        assertThat(Rig.get(admin, Rig.CSTS)).isZero();
        assertThat(admin.send(SqeBuilder.opcode(0x18)).code()).isEqualTo(Status.SEQUENCE_ERROR);

        Rig.enable(admin);
        assertThat(Rig.get(admin, Rig.CSTS)).isEqualTo(READY);
        assertThat(admin.send(SqeBuilder.opcode(0x18)).status()).isEqualTo(Status.SUCCESS);

        admin.send(SqeBuilder.propertySet(Rig.CC, 0));
        assertThat(Rig.get(admin, Rig.CSTS)).isZero();
        assertThat(admin.send(SqeBuilder.opcode(0x18)).code()).isEqualTo(Status.SEQUENCE_ERROR);
    }

    @Test
    void shouldRefuseUnknownFusedAndMisaddressedAdminCommands() {
        final MemoryTransport admin = rig.admin();

        for (final int opcode : new int[] {0x00, 0x01, 0x04, 0x05, 0x10, 0x14, 0x80, 0xC0, 0xFF}) {
            assertThat(admin.send(SqeBuilder.opcode(opcode)).status())
                    .as("opcode %x", opcode)
                    .isEqualTo(Status.INVALID_OPCODE | Status.DO_NOT_RETRY);
        }
        for (final int opcode : new int[] {0x18, 0x0C, 0x08}) {
            assertThat(admin.send(SqeBuilder.opcode(opcode).u8(1, 0x41)).code())
                    .as("fused %x", opcode)
                    .isEqualTo(Status.INVALID_FIELD);
            assertThat(admin.send(SqeBuilder.opcode(opcode).nsid(1)).code())
                    .as("nsid with %x", opcode)
                    .isEqualTo(Status.INVALID_FIELD);
        }
    }

    @Test
    void shouldCloseIoQueuesBeforeItIsDisabled() {
        final MemoryTransport admin = rig.admin();
        final MemoryTransport here = rig.io(rig.loop, Rig.controller(admin), 1);
        final MemoryTransport there = rig.io(rig.other, Rig.controller(admin), 2);
        final SentCommand event = admin.send(SqeBuilder.opcode(0x0C));

        admin.send(SqeBuilder.propertySet(Rig.CC, 0));
        rig.loop.turn();

        assertThat(event.code()).isEqualTo(Status.ABORTED_SQ_DELETION);
        assertThat(here.isClosed()).isTrue();
        assertThat(Rig.get(admin, Rig.CSTS)).as("the other loop has not turned").isEqualTo(READY);
        rig.turn();
        assertThat(there.isClosed()).isTrue();
        assertThat(Rig.get(admin, Rig.CSTS)).isZero();
        assertThat(admin.isClosed()).isFalse();

        Rig.enable(admin);
        assertThat(Rig.get(admin, Rig.CSTS)).isEqualTo(READY);
        rig.io(rig.other, Rig.controller(admin), 2);
    }

    @Test
    void shouldBecomeReadyWhenEnabledWhileItIsStillBeingDisabled() {
        final MemoryTransport admin = rig.admin();
        final Controller controller = Rig.controller(admin);
        rig.io(rig.other, controller, 1);

        admin.send(SqeBuilder.propertySet(Rig.CC, 0));
        Rig.enable(admin);
        assertThat(rig.connectIo(rig.open(), controller, 2).code()).isEqualTo(Status.CONNECT_INVALID_PARAMETERS);

        rig.turn();
        assertThat(Rig.get(admin, Rig.CSTS)).isEqualTo(READY);
        assertThat(rig.connectIo(rig.open(), controller, 1).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void shouldForgetFeaturesWhenItIsDisabled() {
        final MemoryTransport admin = rig.admin();
        admin.send(SqeBuilder.opcode(0x09).dword(10, 7).dword(11, 0));
        assertThat(Rig.controller(admin).features().grantedQueues()).isEqualTo(1);

        admin.send(SqeBuilder.propertySet(Rig.CC, 0));

        assertThat(Rig.controller(admin).features().grantedQueues()).isEqualTo(128);
    }

    @Test
    void shouldFlushEveryNamespaceBeforeItIsShutDown() throws NamespaceException {
        final HeldNamespace first = new HeldNamespace(true);
        final HeldNamespace second = new HeldNamespace(true);
        rig.subsystem.addNamespace(0, first, 1);
        rig.subsystem.addNamespace(0, second, 1);
        second.hold();
        final MemoryTransport admin = rig.admin();

        admin.send(SqeBuilder.propertySet(Rig.CC, SHUT_DOWN));

        assertThat(first.done()).isEqualTo(1);
        assertThat(Rig.get(admin, Rig.CSTS)).isEqualTo(READY | SHST_STARTED);
        second.release();
        rig.turn();
        assertThat(Rig.get(admin, Rig.CSTS)).isEqualTo(READY | SHST_DONE);
    }

    @Test
    void shouldSayInTheLogThatAFlushFailedAndBeShutDownNevertheless() throws NamespaceException {
        final HeldNamespace namespace = new HeldNamespace(true);
        rig.subsystem.addNamespace(0, namespace, 1);
        namespace.hold();
        final MemoryTransport admin = rig.admin();
        admin.send(SqeBuilder.propertySet(Rig.CC, SHUT_DOWN));

        namespace.startQueued();
        namespace.finishStarted(BlockOutcome.SYNC_FAILED);
        rig.turn();

        assertThat(Rig.get(admin, Rig.CSTS)).isEqualTo(READY | SHST_DONE);
        assertThat(rig.log).last().asString().contains("1 namespaces could not be flushed");
        assertThat(rig.target.counters().get(TargetCounter.SHUTDOWN_FLUSHES_FAILED))
                .isEqualTo(1);
    }

    @Test
    void shouldLeaveTheShutdownByAReset() {
        final MemoryTransport admin = rig.admin();
        admin.send(SqeBuilder.propertySet(Rig.CC, SHUT_DOWN));

        admin.send(SqeBuilder.propertySet(Rig.CC, 0));
        assertThat(Rig.get(admin, Rig.CSTS)).isZero();
        Rig.enable(admin);
        assertThat(Rig.get(admin, Rig.CSTS)).isEqualTo(READY);
    }

    @Test
    void shouldEndTheAssociationWithItsAdminConnection() {
        final MemoryTransport admin = rig.admin();
        final Controller controller = Rig.controller(admin);
        final MemoryTransport here = rig.io(rig.loop, controller, 1);
        final MemoryTransport there = rig.io(rig.other, controller, 2);

        admin.lose();

        assertThat(controller.hasEnded()).isTrue();
        assertThat(((TargetQueue) there.queue()).isFenced())
                .as("at once, on every loop")
                .isTrue();
        assertThat(rig.subsystem.controllers()).hasSize(1);
        rig.turn();
        assertThat(here.isClosed()).isTrue();
        assertThat(there.isClosed()).isTrue();
        assertThat(rig.subsystem.controllers()).isEmpty();
        assertThat(rig.target.counters().get(TargetCounter.ASSOCIATIONS_ENDED)).isEqualTo(1);
    }

    @Test
    void shouldKeepTheAssociationWhenAnIoConnectionIsLost() {
        final MemoryTransport admin = rig.admin();
        final MemoryTransport io = rig.io(rig.other, Rig.controller(admin), 1);

        io.lose();
        rig.turn();

        assertThat(admin.isClosed()).isFalse();
        assertThat(Rig.controller(admin).ioQueueCount()).isZero();
    }

    @Test
    void shouldKeepHostsApart() {
        final MemoryTransport first = rig.admin();
        final MemoryTransport second = rig.admin();
        assertThat(Rig.controller(second).id())
                .isNotEqualTo(Rig.controller(first).id());

        first.lose();
        rig.turn();

        assertThat(second.send(SqeBuilder.opcode(0x18)).status()).isEqualTo(Status.SUCCESS);
    }
}
