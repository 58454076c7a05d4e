// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TargetQueueTest {
    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void shouldAdvanceTheHeadByOneForEachCompletionModuloTheSize() {
        final MemoryTransport admin = rig.open();
        Rig.connect(admin, SqeBuilder.connect(0, 4, 0, 0), new ConnectData(Rig.NQN));
        Rig.enable(admin);

        final List<Integer> heads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            heads.add(admin.send(SqeBuilder.opcode(0x18)).head());
        }

        assertThat(heads).containsExactly(3, 4, 0, 1, 2, 3);
    }

    @Test
    void shouldBeginTheHeadAnewWithTheQueueThatConnectMakes() {
        final MemoryTransport admin = rig.open();
        for (int i = 0; i < 5; i++) {
            assertThat(admin.send(SqeBuilder.opcode(0x18)).code()).isEqualTo(Status.SEQUENCE_ERROR);
        }

        final List<Integer> heads = new ArrayList<>();
        heads.add(Rig.connect(admin, SqeBuilder.connect(0, 3, 0, 0), new ConnectData(Rig.NQN))
                .head());
        for (int i = 0; i < 5; i++) {
            heads.add(admin.send(SqeBuilder.propertyGet(0, 8)).head());
        }

        assertThat(heads).containsExactly(1, 2, 3, 0, 1, 2);
    }

    @Test
    void shouldSayThatFlowControlIsOffOnceAndThenNothing() {
        final MemoryTransport admin = rig.open();

        final SentCommand connect = Rig.connect(admin, SqeBuilder.connect(0, 31, 4, 0), new ConnectData(Rig.NQN));

        assertThat(connect.head()).isEqualTo(0xFFFF);
        assertThat(admin.queue().flowControlDisabled()).isTrue();
        assertThat(admin.send(SqeBuilder.propertyGet(0, 8)).head()).isZero();
        assertThat(admin.send(SqeBuilder.propertyGet(0, 8)).head()).isZero();
    }

    @Test
    void shouldKeepFlowControlOnUnlessAskedOtherwise() {
        final MemoryTransport admin = rig.open();

        final SentCommand connect = Rig.connect(admin, SqeBuilder.connect(0, 31, 0, 0), new ConnectData(Rig.NQN));

        assertThat(connect.head()).isEqualTo(1);
        assertThat(admin.queue().flowControlDisabled()).isFalse();
    }

    @Test
    void shouldRefuseADuplicateIdentifierAndSpareTheOriginal() {
        final MemoryTransport admin = rig.admin();
        final SentCommand original = admin.sendAs(500, SqeBuilder.opcode(0x0C), null);

        final SentCommand duplicate = admin.sendAs(500, SqeBuilder.opcode(0x18), null);

        assertThat(duplicate.status()).isEqualTo(Status.COMMAND_ID_CONFLICT | Status.DO_NOT_RETRY);
        assertThat(original.isReturned()).isFalse();
        assertThat(admin.sendAs(500, SqeBuilder.opcode(0x18), null).code())
                .as("the duplicate did not free the identifier")
                .isEqualTo(Status.COMMAND_ID_CONFLICT);

        admin.send(abort(0, 500));
        assertThat(original.code()).isEqualTo(Status.ABORTED_BY_REQUEST);
        assertThat(admin.sendAs(500, SqeBuilder.opcode(0x18), null).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void shouldEndTheAssociationOfAHostThatOverfillsItsQueue() {
        final MemoryTransport admin = rig.open();
        Rig.connect(admin, SqeBuilder.connect(0, 3, 0, 0), new ConnectData(Rig.NQN));
        Rig.enable(admin);
        final Controller controller = Rig.controller(admin);
        final MemoryTransport io = rig.io(rig.other, controller, 1);
        for (int i = 0; i < 3; i++) {
            admin.send(SqeBuilder.opcode(0x0C));
        }
        assertThat(admin.isDisconnected()).isFalse();

        admin.send(SqeBuilder.opcode(0x18));

        assertThat(controller.status() & 2).as("CSTS.CFS").isEqualTo(2);
        assertThat(admin.isDisconnected()).isTrue();
        assertThat(rig.log).last().asString().contains("more than 3 commands");
        rig.turn();
        assertThat(io.isClosed()).isTrue();
        assertThat(rig.subsystem.controllers()).isEmpty();
        assertThat(rig.target.counters().get(TargetCounter.QUEUE_OVERFLOWS)).isEqualTo(1);
    }

    @Test
    void shouldFailAConnectWhoseDigestIsWrongAndTakeTheNext() {
        final MemoryTransport admin = rig.open();
        admin.holdCredit();
        final SentCommand damaged = admin.send(
                SqeBuilder.connect(0, 31, 0, 0).sgl(SqeBuilder.IN_CAPSULE, 1024), new ConnectData(Rig.NQN).bytes());
        damaged.fail(Status.TRANSIENT_TRANSPORT_ERROR);

        admin.grant();

        assertThat(damaged.status()).isEqualTo(Status.TRANSIENT_TRANSPORT_ERROR);
        assertThat(Rig.controller(admin)).isNull();
        assertThat(Rig.connect(admin, SqeBuilder.connect(0, 31, 0, 0), new ConnectData(Rig.NQN))
                        .status())
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void shouldDisconnectAnIoQueueAloneWhenItIsEmpty() {
        final MemoryTransport admin = rig.admin();
        final Controller controller = Rig.controller(admin);
        final MemoryTransport io = rig.io(rig.other, controller, 1);

        final SentCommand disconnect = io.send(SqeBuilder.fabrics(0x08));

        assertThat(disconnect.status()).isEqualTo(Status.SUCCESS);
        assertThat(io.send(SqeBuilder.fabrics(0x08)).code()).isEqualTo(Status.ABORTED_SQ_DELETION);
        rig.turn();
        assertThat(io.isClosed()).isTrue();
        assertThat(controller.hasEnded()).isFalse();
        assertThat(rig.connectIo(rig.open(), controller, 1).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void shouldNotDisconnectAnAdminQueue() {
        assertThat(rig.admin().send(SqeBuilder.fabrics(0x08)).code()).isEqualTo(Status.INVALID_QUEUE_TYPE);
    }

    @Test
    void shouldGiveBackWhatWaitsWhenTheConnectionIsLost() {
        final MemoryTransport admin = rig.admin();
        final SentCommand event = admin.send(SqeBuilder.opcode(0x0C));

        admin.lose();

        assertThat(event.isReturned()).isTrue();
        assertThat(event.isAnswered()).isFalse();
        assertThat(rig.subsystem.controllers()).isEmpty();
    }

    @Property(tries = 300)
    void shouldKnowWhichIdentifiersAreOutstanding(
            @ForAll @Size(max = 400) final List<@IntRange(max = 65535) Integer> cids,
            @ForAll @IntRange(min = 1, max = 64) final int most) {
        final Outstanding table = new Outstanding(most);
        final Map<Integer, SentCommand> model = new HashMap<>();
        for (final int raw : cids) {
            // Few identifiers, of which many share a home.
            final int cid = raw % 97 * 677 & 0xFFFF;
            if (model.containsKey(cid)) {
                assertThat(table.find(cid)).isSameAs(model.get(cid));
                assertThat(table.add(cid, null)).isFalse();
                table.remove(cid);
                model.remove(cid);
            } else {
                assertThat(table.find(cid)).isNull();
                table.remove(cid);
                if (model.size() < most) {
                    final SentCommand command = new SentCommand(new byte[64]);
                    assertThat(table.add(cid, command)).isTrue();
                    model.put(cid, command);
                    command.free();
                }
            }
            model.forEach((known, command) -> assertThat(table.find(known)).isSameAs(command));
        }
    }

    static SqeBuilder abort(final int sqid, final int cid) {
        return SqeBuilder.opcode(Opcode.ABORT).dword(10, sqid | (long) cid << 16);
    }
}
