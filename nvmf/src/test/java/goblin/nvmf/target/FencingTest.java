// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.BlockOutcome;
import goblin.nvmf.namespace.HeldNamespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.SqeBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Writes at the end of an association (N34, N57, N59)")
class FencingTest {
    private final Rig rig = new Rig();
    private final HeldNamespace medium = new HeldNamespace(false);
    private MemoryTransport admin;
    private Controller controller;
    private MemoryTransport io;

    @BeforeEach
    void connect() throws NamespaceException {
        rig.subsystem.addNamespace(1, medium, 1);
        admin = rig.admin(Rig.NQN, 5000);
        controller = Rig.controller(admin);
        io = rig.io(rig.other, controller, 1);
        medium.hold();
    }

    @AfterEach
    void close() {
        medium.release();
        rig.close();
    }

    @Test
    void n34ShouldNotStartQueuedWritesAfterKeepAliveHasExpired() {
        final SentCommand write = write(io);

        rig.advanceMs(10_000);
        assertThat(io.isClosed()).isTrue();
        assertThat(write.isReturned()).as("its memory is still the medium's").isFalse();
        medium.release();
        rig.turn();

        assertThat(medium.done()).isZero();
        assertThat(write.isReturned()).isTrue();
        assertThat(write.isAnswered()).isFalse();
    }

    @Test
    void n34ShouldKeepTheControllersIdentifierUntilItsWritesAreBack() {
        final SentCommand write = write(io);
        medium.startQueued();

        rig.advanceMs(10_000);
        assertThat(rig.subsystem.controllers()).containsExactly(controller);

        medium.finishStarted(BlockOutcome.DONE);
        rig.turn();
        assertThat(write.isReturned()).isTrue();
        assertThat(rig.subsystem.controllers()).isEmpty();
    }

    @Test
    void n57ShouldFenceTheWritesOfALostConnectionAndKeepItsQueueIdentifier() {
        final SentCommand queued = write(io);

        io.lose();
        assertThat(rig.connectIo(rig.open(), controller, 1).code()).isEqualTo(Status.SEQUENCE_ERROR);
        medium.release();
        rig.turn();

        assertThat(queued.isReturned()).isTrue();
        assertThat(medium.done()).isZero();
        assertThat(rig.connectIo(rig.open(), controller, 1).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void n57ShouldEndWhicheverConnectionIsLostFirst() {
        final MemoryTransport second = rig.io(rig.loop, controller, 2);
        final List<SentCommand> writes = List.of(write(io), write(second));

        second.lose();
        admin.lose();
        rig.turn();
        assertThat(rig.subsystem.controllers()).hasSize(1);
        medium.release();
        rig.turn();

        assertThat(writes).allMatch(SentCommand::isReturned);
        assertThat(rig.subsystem.controllers()).isEmpty();
    }

    @Test
    void n57ShouldForgetCommandsWhoseDataNeverCame() {
        io.holdCredit();
        final SentCommand waiting = write(io);

        io.lose();
        rig.turn();

        assertThat(waiting.isReturned()).isFalse();
        assertThat(controller.ioQueueCount()).isZero();
        assertThat(medium.pending()).isZero();
    }

    @Test
    void shouldBeReadyForAResetOnlyWhenStorageIs() {
        write(io);
        medium.startQueued();

        admin.send(SqeBuilder.propertySet(Rig.CC, 0));
        rig.turn();
        assertThat(Rig.get(admin, Rig.CSTS)).as("still ready").isEqualTo(1);

        medium.finishStarted(BlockOutcome.DONE);
        rig.turn();
        assertThat(Rig.get(admin, Rig.CSTS)).isZero();
    }

    @Test
    void n53ShouldPartAPairWhoseSecondHasTheIdentifierOfItsFirst() {
        final SqeBuilder compare = SqeBuilder.io(Opcode.COMPARE, 1, 0, 1).u8(1, 0x41);
        final SqeBuilder write = SqeBuilder.io(Opcode.WRITE, 1, 0, 1).u8(1, 0x42);
        final SentCommand first = io.sendAs(7, compare.sgl(SqeBuilder.IN_CAPSULE, 512), new byte[512]);

        final SentCommand duplicate = io.sendAs(7, write.sgl(SqeBuilder.IN_CAPSULE, 512), new byte[512]);

        assertThat(duplicate.code()).isEqualTo(Status.COMMAND_ID_CONFLICT);
        assertThat(first.status()).isEqualTo(Status.ABORTED_FAILED_FUSED);
        assertThat(io.sendAs(8, write, new byte[512]).status()).isEqualTo(Status.ABORTED_MISSING_FUSED);
        assertThat(medium.pending()).isZero();
    }

    @Test
    void shouldNotExecuteWhatArrivesAfterTheEnd() {
        io.holdCredit();
        final SentCommand late = write(io);
        controller.end("test", false);

        io.grant();
        final SentCommand later = write(io);

        assertThat(late.code()).isEqualTo(Status.ABORTED_SQ_DELETION);
        assertThat(later.code()).isEqualTo(Status.ABORTED_SQ_DELETION);
        assertThat(medium.pending()).isZero();
    }

    @Test
    void shouldFenceAllQueuesBeforeTheEndIsAnnounced() {
        final List<Boolean> fenced = new ArrayList<>();
        rig.whenLogged = line -> {
            fenced.add(((TargetQueue) io.queue()).isFenced());
            fenced.add(((TargetQueue) admin.queue()).isFenced());
        };

        controller.end("test", true);

        assertThat(fenced).containsExactly(true, true);
    }

    @Test
    void shouldBeDrainedWhenStorageIs() {
        write(io);
        medium.startQueued();
        final List<String> done = new ArrayList<>();

        rig.subsystem.drain("restart", () -> done.add("done"));
        rig.turn();
        assertThat(done).isEmpty();

        medium.finishStarted(BlockOutcome.DONE);
        rig.turn();
        assertThat(done).containsExactly("done");
    }

    @Test
    void shouldAnswerWhatHasStartedBeforeADrainEndsTheConnections() {
        final MemoryTransport second = rig.io(rig.loop, controller, 2);
        final SentCommand first = write(io);
        medium.startQueued();

        rig.subsystem.drain("restart", () -> {});
        rig.turn();
        final SentCommand late = write(io);
        final SentCommand other = write(second);
        assertThat(admin.isClosed() || io.isClosed() || second.isClosed())
                .as("all queues stay until the last is quiet")
                .isFalse();
        assertThat(admin.send(SqeBuilder.opcode(Opcode.KEEP_ALIVE)).status()).isEqualTo(Status.SUCCESS);
        medium.startQueued();
        medium.finishStarted(BlockOutcome.DONE);
        rig.turn();

        assertThat(first.isAnswered()).isTrue();
        assertThat(first.status()).isEqualTo(Status.SUCCESS);
        assertThat(medium.done()).isEqualTo(1);
        assertThat(late.isReturned()).isTrue();
        assertThat(late.isAnswered()).isFalse();
        assertThat(other.isAnswered()).isFalse();
        assertThat(admin.isClosed() && io.isClosed() && second.isClosed()).isTrue();
        assertThat(rig.subsystem.controllers()).isEmpty();
    }

    @Test
    void shouldNotWaitForStorageForEverWhenItDrains() {
        final SentCommand slow = write(io);
        medium.startQueued();

        rig.subsystem.drain("restart", () -> {});
        rig.turn();
        rig.advanceMs(Controller.DRAIN_MS - 1000);
        admin.send(SqeBuilder.opcode(Opcode.KEEP_ALIVE));
        assertThat(io.isClosed()).isFalse();
        rig.advanceMs(2000);

        assertThat(io.isClosed()).isTrue();
        assertThat(rig.log).anyMatch(line -> line.contains("ends: restart"));
        medium.finishStarted(BlockOutcome.DONE);
        rig.turn();
        assertThat(slow.isAnswered()).isFalse();
        assertThat(rig.subsystem.controllers()).isEmpty();
    }

    @Test
    void shouldCompleteADisconnectAfterEverythingElse() {
        final SentCommand write = write(io);

        final SentCommand disconnect = io.send(SqeBuilder.fabrics(0x08));
        assertThat(disconnect.isReturned()).isFalse();
        assertThat(io.isDisconnected()).isFalse();

        medium.startQueued();
        medium.finishStarted(BlockOutcome.DONE);
        rig.turn();
        assertThat(write.isAnswered()).isTrue();
        assertThat(disconnect.isAnswered()).isTrue();
        assertThat(io.answers).endsWith(write, disconnect);
        assertThat(disconnect.head()).isEqualTo(write.head() + 1);
        assertThat(io.isClosed()).isTrue();
        assertThat(controller.hasEnded()).isFalse();
    }

    @Test
    void shouldAbortAWriteThatWaitsForCreditOnAnotherLoop() {
        io.holdCredit();
        final SentCommand waiting = write(io);

        final SentCommand abort = admin.send(TargetQueueTest.abort(1, waiting.cid()));
        rig.turn();

        assertThat(abort.result() & 1).isZero();
        assertThat(waiting.status()).isEqualTo(Status.ABORTED_BY_REQUEST);
        io.grant();
        assertThat(medium.pending()).isZero();
        assertThat(io.sendAs(waiting.cid(), SqeBuilder.opcode(0xFF), null).code())
                .as("the identifier is free")
                .isEqualTo(Status.INVALID_OPCODE);
    }

    @Test
    void shouldNotAbortAWriteAtStorage() {
        final SentCommand write = write(io);

        final SentCommand abort = admin.send(TargetQueueTest.abort(1, write.cid()));
        rig.turn();

        assertThat(abort.result() & 1).isEqualTo(1);
        medium.release();
        rig.turn();
        assertThat(write.status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void n59ShouldFinishWhatHasStartedOnANamespaceThatIsRemovedAndRefuseTheRest() throws NamespaceException {
        final SentCommand started = write(io);
        medium.startQueued();

        rig.subsystem.removeNamespace(1);
        final SentCommand late = write(io);
        final HeldNamespace next = new HeldNamespace(false);
        rig.subsystem.addNamespace(1, next, 1);
        final SentCommand again = write(io);
        medium.finishStarted(BlockOutcome.DONE);
        rig.turn();

        assertThat(started.status()).isEqualTo(Status.SUCCESS);
        assertThat(late.status()).isEqualTo(Status.INVALID_NAMESPACE | Status.DO_NOT_RETRY);
        assertThat(again.status()).isEqualTo(Status.SUCCESS);
        assertThat(next.done()).isEqualTo(1);
        assertThat(medium.done()).isEqualTo(1);
    }

    @Test
    void shouldEndTheAssociationWhenAnIoQueueIsOverfilled() {
        for (int i = 0; i < 31; i++) {
            write(io);
        }
        assertThat(io.isDisconnected()).isFalse();

        write(io);

        assertThat(controller.status() & 2).isEqualTo(2);
        rig.turn();
        assertThat(admin.isClosed()).isTrue();
        medium.release();
        rig.turn();
        assertThat(medium.done()).isZero();
        assertThat(rig.subsystem.controllers()).isEmpty();
    }

    private static SentCommand write(final MemoryTransport on) {
        return on.send(SqeBuilder.io(Opcode.WRITE, 1, 0, 8).sgl(SqeBuilder.TRANSPORT, 4096), new byte[4096]);
    }
}
