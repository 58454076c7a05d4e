// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.SqeBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AbortTest {
    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void shouldSayThatNothingWasAborted() {
        final MemoryTransport admin = rig.admin();
        rig.io(rig.loop, Rig.controller(admin), 1);

        for (final int sqid : new int[] {0, 1, 2, 65535}) {
            final SentCommand abort = admin.send(TargetQueueTest.abort(sqid, 4711));
            assertThat(abort.status()).isEqualTo(Status.SUCCESS);
            assertThat(abort.result() & 1).isEqualTo(1);
        }
        assertThat(rig.target.counters().get(TargetCounter.ABORTS)).isEqualTo(4);
        assertThat(rig.target.counters().get(TargetCounter.ABORTED)).isZero();
    }

    @Test
    void shouldAbortAnAdminCommandThatWaitsForCredit() {
        final MemoryTransport admin = rig.admin();
        admin.holdCredit();
        final SentCommand waiting =
                admin.send(SqeBuilder.opcode(0x09).dword(10, 0x16).sgl(SqeBuilder.TRANSPORT, 512), new byte[512]);

        final SentCommand abort = admin.send(TargetQueueTest.abort(0, waiting.cid()));

        assertThat(abort.result() & 1).isZero();
        assertThat(waiting.status()).isEqualTo(Status.ABORTED_BY_REQUEST);
        admin.grant();
        assertThat(rig.target.counters().get(TargetCounter.ABORTED)).isEqualTo(1);
    }

    @Test
    void shouldAskTheLoopOfAnotherQueueAndWaitForItsAnswer() {
        final MemoryTransport admin = rig.admin();
        rig.io(rig.other, Rig.controller(admin), 1);

        final SentCommand abort = admin.send(TargetQueueTest.abort(1, 9));

        assertThat(abort.isReturned()).isFalse();
        rig.turn();
        assertThat(abort.status()).isEqualTo(Status.SUCCESS);
        assertThat(abort.result() & 1).isEqualTo(1);
    }

    @Test
    void shouldLetFourAbortsWaitForOtherLoops() {
        final MemoryTransport admin = rig.admin();
        rig.io(rig.other, Rig.controller(admin), 1);
        final List<SentCommand> aborts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            aborts.add(admin.send(TargetQueueTest.abort(1, i)));
        }

        assertThat(admin.send(TargetQueueTest.abort(1, 5)).code()).isEqualTo(Status.ABORT_LIMIT_EXCEEDED);
        rig.turn();
        assertThat(aborts).allMatch(SentCommand::isAnswered);
        assertThat(admin.send(TargetQueueTest.abort(1, 5)).isReturned()).isFalse();
        rig.turn();
    }

    @Test
    void shouldKeepTheControllerUntilAnAbortIsBackFromItsLoop() {
        final MemoryTransport admin = rig.admin();
        final MemoryTransport io = rig.io(rig.other, Rig.controller(admin), 1);
        final SentCommand abort = admin.send(TargetQueueTest.abort(1, 9));

        admin.lose();
        io.lose();
        assertThat(rig.subsystem.controllers()).hasSize(1);

        rig.turn();
        assertThat(abort.isReturned()).isTrue();
        assertThat(rig.subsystem.controllers()).isEmpty();
    }

    @Test
    void shouldAnswerWhenAbortingMeetsAFaultOnAnotherLoop() throws NamespaceException {
        final MemoryTransport admin = rig.admin();
        final MemoryTransport io = rig.io(rig.other, Rig.controller(admin), 1);
        rig.subsystem.addNamespace(1, new HeldMedium(512, 2048, HeldMedium.CACHED), 1);
        final List<Throwable> faults = new ArrayList<>();
        rig.other.faults = faults;
        io.failWithdrawals(new IllegalStateException("of a test"));
        io.holdCredit();
        final SentCommand waiting = io.send(SqeBuilder.io(0x01, 1, 0, 1).sgl(SqeBuilder.TRANSPORT, 512), new byte[512]);

        final SentCommand abort = admin.send(TargetQueueTest.abort(1, waiting.cid()));
        rig.turn();

        assertThat(abort.status()).isEqualTo(Status.SUCCESS);
        assertThat(abort.result() & 1).isEqualTo(1);
        assertThat(faults).hasSize(1);
        io.failWithdrawals(null);
        io.grant();
    }
}
