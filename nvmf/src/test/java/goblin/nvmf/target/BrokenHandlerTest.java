// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.BlockOutcome;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.SqeBuilder;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A fault of ours fails the command that met it, and is reported: nothing waits for it for ever. */
class BrokenHandlerTest {
    private final Rig rig = new Rig();
    private final HeldMedium medium = new HeldMedium(512, 2048, HeldMedium.CACHED);
    private MemoryTransport admin;
    private Controller controller;
    private MemoryTransport io;

    @BeforeEach
    void connect() throws NamespaceException {
        rig.subsystem.addNamespace(1, medium, 1);
        admin = rig.admin();
        controller = Rig.controller(admin);
        io = rig.io(rig.loop, controller, 1);
        rig.loop.faults = new ArrayList<>();
    }

    @AfterEach
    void everythingShouldBeOver() {
        io.lose();
        admin.lose();
        rig.turn();
        assertThat(rig.subsystem.controllers()).isEmpty();
        rig.close();
    }

    @Test
    void shouldFailACommandThatTheMediumDoesNotTake() {
        medium.breaking(new IllegalStateException("closed"));

        final SentCommand read = io.send(SqeBuilder.io(Opcode.READ, 1, 0, 1).sgl(SqeBuilder.TRANSPORT, 512));
        rig.turn();

        assertThat(read.isAnswered()).isTrue();
        assertThat(read.status()).isEqualTo(Status.INTERNAL_ERROR);
        assertThat(rig.loop.faults).singleElement().asString().contains("closed");
        medium.breaking(null);
        medium.answering(BlockOutcome.DONE);
        assertThat(io.sendAs(read.cid(), SqeBuilder.io(Opcode.READ, 1, 0, 1).sgl(SqeBuilder.TRANSPORT, 512), null)
                        .status())
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void shouldFailBothOfAPairThatTheMediumDoesNotTake() {
        medium.breaking(new IllegalStateException("closed"));

        final SentCommand compare = fused(Opcode.COMPARE, 0x41);
        final SentCommand write = fused(Opcode.WRITE, 0x42);
        rig.turn();

        assertThat(compare.status()).isEqualTo(Status.ABORTED_FAILED_FUSED);
        assertThat(write.status()).isEqualTo(Status.INTERNAL_ERROR);
        assertThat(rig.loop.faults).hasSize(1);
    }

    @Test
    void shouldFailACommandWhoseNextStepDoes() throws NamespaceException {
        final SentCommand flush = io.send(SqeBuilder.opcode(Opcode.FLUSH).nsid(-1));
        assertThat(flush.isReturned()).isFalse();
        final HeldMedium second = new HeldMedium(512, 2048, HeldMedium.CACHED);
        second.breaking(new IllegalStateException("closed"));
        rig.subsystem.addNamespace(2, second, 1);

        medium.finish(BlockOutcome.DONE);
        rig.turn();

        assertThat(flush.status()).isEqualTo(Status.INTERNAL_ERROR);
        assertThat(rig.loop.faults).hasSize(1);
    }

    private SentCommand fused(final int opcode, final int flags) {
        return io.send(SqeBuilder.io(opcode, 1, 0, 1).u8(1, flags).sgl(SqeBuilder.IN_CAPSULE, 512), new byte[512]);
    }
}
