// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Connect (N28, N30)")
class ConnectTest {
    private static final int IN_DATA = 1 << 16;

    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void shouldGiveAnAdminQueueAController() {
        final MemoryTransport admin = rig.open();

        final SentCommand connect = connect(admin, new ConnectData(Rig.NQN));

        assertThat(connect.status()).isEqualTo(Status.SUCCESS);
        assertThat(connect.result())
                .as("CNTLID, no authentication asked for (N55)")
                .isEqualTo(1);
        assertThat(Rig.controller(admin).hostNqn()).isEqualTo(ConnectData.HOST_NQN);
        assertThat(admin.queue().isAdmin()).isTrue();
        assertThat(admin.queue().depth()).isEqualTo(31);
        assertThat(rig.target.counters().get(TargetCounter.ADMIN_CONNECTS)).isEqualTo(1);
    }

    @Test
    void shouldReadDataThatComesInPieces() {
        final MemoryTransport admin = rig.open();
        admin.cutInto(33);

        assertThat(connect(admin, new ConnectData(Rig.NQN)).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void n14ShouldTakeDataThatComesByTheTransport() {
        final MemoryTransport admin = rig.open();
        final SqeBuilder sqe = SqeBuilder.connect(0, 31, 0, 0).sgl(SqeBuilder.TRANSPORT, 1024);

        assertThat(admin.send(sqe, new ConnectData(Rig.NQN).bytes()).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void n28ShouldRefuseAnUnknownSubsystem() {
        final SentCommand connect = connect(rig.open(), new ConnectData("nqn.2026-01.io.example:none"));

        expect(connect, Status.CONNECT_INVALID_PARAMETERS, IN_DATA | 256);
        assertThat(connect.isFinal()).as("it may be added yet").isFalse();
        assertThat(rig.target.counters().get(RefusalReason.UNKNOWN_SUBSYSTEM)).isEqualTo(1);
    }

    @Test
    void n28ShouldNotReadANamePastItsField() {
        expect(
                connect(rig.open(), new ConnectData(Rig.NQN).fill(256, 256, 'a')),
                Status.CONNECT_INVALID_PARAMETERS,
                IN_DATA | 256);
        expect(
                connect(rig.open(), new ConnectData(Rig.NQN).fill(512, 256, 'a').fill(768, 256, 'b')),
                Status.CONNECT_INVALID_PARAMETERS,
                IN_DATA | 512);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nqn.", "host", "NQN.2026-01.io.example:h", "nqn.\n2026"})
    void n28ShouldRefuseWhatIsNoNameOfAHost(final String host) {
        expect(
                connect(rig.open(), new ConnectData(Rig.NQN).host(host)),
                Status.CONNECT_INVALID_PARAMETERS,
                IN_DATA | 512);
        assertThat(rig.log).last().asString().doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0085", "\u009b31m", "\u2028", "\u202e", "\u00e9", "\\", "\u001b[2J", "\n"})
    void shouldShowNothingButPrintableAsciiOfTheNamesOfHosts(final String odd) {
        connect(rig.open(), new ConnectData(Rig.NQN).host("nqn.2026-01.io.example:" + odd));
        connect(rig.open(), new ConnectData("nqn.2026-01.io.example:" + odd));

        assertThat(rig.log).isNotEmpty().allSatisfy(line -> assertThat(line).matches("[ -~]*\\\\x[0-9a-f]{2}[ -~]*"));
        assertThat(rig.target.refusals().all())
                .isNotEmpty()
                .allSatisfy(refusal -> assertThat(refusal.host() + refusal.subsystem() + refusal.text())
                        .matches("[ -~]*"));
    }

    @Test
    void n28ShouldNotTakeANameThatIsNoUtf8ForAnother() {
        final String allowed = "nqn.2026-01.io.example:\ufffd";
        final Subsystem closed = rig.target.addSubsystem(
                SubsystemOptions.named("nqn.2026-01.io.example:closed").withHosts(Set.of(allowed)));
        assertThat(connect(rig.open(), new ConnectData(closed.nqn()).host(allowed))
                        .status())
                .isEqualTo(Status.SUCCESS);

        final ConnectData malformed = new ConnectData(closed.nqn()).host("nqn.2026-01.io.example:?");
        expect(
                connect(rig.open(), malformed.fill(512 + 23, 1, 0xFF)),
                Status.CONNECT_INVALID_PARAMETERS,
                IN_DATA | 512);
        assertThat(rig.target.refusals().of("nqn.2026-01.io.example:\\xff").text())
                .contains("not a name of a host");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 8, 0xF0, 0xFB})
    void shouldTakeWhateverPriorityAndReservedAttributesSay(final int attributes) {
        final MemoryTransport admin = rig.open();

        final SentCommand connect =
                Rig.connect(admin, SqeBuilder.connect(0, 31, attributes, 0), new ConnectData(Rig.NQN));

        assertThat(connect.status()).isEqualTo(Status.SUCCESS);
        assertThat(admin.queue().flowControlDisabled()).isFalse();
    }

    @Test
    void n28ShouldRefuseANameThatIsTooLong() {
        expect(
                connect(rig.open(), new ConnectData(Rig.NQN).host("nqn." + "x".repeat(220))),
                Status.CONNECT_INVALID_PARAMETERS,
                IN_DATA | 512);
        assertThat(connect(rig.open(), new ConnectData(Rig.NQN).host("nqn." + "x".repeat(219)))
                        .status())
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void n28ShouldRefuseAnotherRecordFormat() {
        final SqeBuilder sqe = SqeBuilder.connect(0, 31, 0, 0).u16(40, 1);

        expect(Rig.connect(rig.open(), sqe, new ConnectData(Rig.NQN)), Status.CONNECT_INCOMPATIBLE_FORMAT, 0);
    }

    @Test
    void n28ShouldRefuseAnAdminQueueThatChoosesItsController() {
        for (final int id : new int[] {1, 0, 0xFFFE}) {
            expect(
                    connect(rig.open(), new ConnectData(Rig.NQN).controllerId(id)),
                    Status.CONNECT_INVALID_PARAMETERS,
                    IN_DATA | 16);
        }
    }

    @Test
    void n28ShouldRefuseAHostThatIsNotOnTheList() {
        rig.subsystem.allowAnyHost(false);

        final SentCommand connect = connect(rig.open(), new ConnectData(Rig.NQN));

        expect(connect, Status.CONNECT_INVALID_HOST, 0);
        assertThat(rig.log).anyMatch(line -> line.contains("not on the list") && line.contains(ConnectData.HOST_NQN));
        final Refusal why = rig.target.refusals().of(ConnectData.HOST_NQN);
        assertThat(why.reason()).isEqualTo(RefusalReason.HOST_NOT_ALLOWED);
        assertThat(why.subsystem()).isEqualTo(Rig.NQN);
        assertThat(why.peer()).isEqualTo("192.0.2.7:40000");

        rig.subsystem.allowHost(ConnectData.HOST_NQN);
        assertThat(connect(rig.open(), new ConnectData(Rig.NQN)).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void shouldCloseTheListUnlessToldOtherwise() {
        final Subsystem closed = rig.target.addSubsystem(SubsystemOptions.named("nqn.2026-01.io.example:closed"));

        expect(connect(rig.open(), new ConnectData(closed.nqn())), Status.CONNECT_INVALID_HOST, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1023, 1025, 4096})
    void n28ShouldRefuseDataOfAnotherLength(final int length) {
        final SqeBuilder sqe = SqeBuilder.connect(0, 31, 0, 0).sgl(SqeBuilder.IN_CAPSULE, length);

        expect(rig.open().send(sqe, new byte[length]), Status.CONNECT_INVALID_PARAMETERS, 32);
    }

    @Test
    void n28ShouldRefuseAHostIdentifierOfZeroButForDiscovery() {
        expect(connect(rig.open(), new ConnectData(Rig.NQN).hostId(0)), Status.CONNECT_INVALID_PARAMETERS, IN_DATA);
        assertThat(connect(rig.open(), new ConnectData(Nqn.DISCOVERY).hostId(0)).status())
                .isEqualTo(Status.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 128, 65535})
    void n28ShouldRefuseAQueueSizeOutOfRange(final int size) {
        final SqeBuilder sqe = SqeBuilder.connect(0, size, 0, 0);

        expect(Rig.connect(rig.open(), sqe, new ConnectData(Rig.NQN)), Status.CONNECT_INVALID_PARAMETERS, 44);
    }

    @Test
    void shouldRefuseDataWithoutASgl() {
        final SqeBuilder sqe = SqeBuilder.connect(0, 31, 0, 0).u8(1, 0);

        expect(Rig.connect(rig.open(), sqe, new ConnectData(Rig.NQN)), Status.INVALID_FIELD, 0);
    }

    @Test
    void shouldTakeNothingBeforeConnect() {
        final MemoryTransport fresh = rig.open();

        assertThat(fresh.send(SqeBuilder.identify(1, 0)).code()).isEqualTo(Status.SEQUENCE_ERROR);
        assertThat(fresh.send(SqeBuilder.opcode(0x18)).code()).isEqualTo(Status.SEQUENCE_ERROR);
        assertThat(fresh.send(SqeBuilder.propertyGet(0, 8)).code()).isEqualTo(Status.SEQUENCE_ERROR);
        assertThat(connect(fresh, new ConnectData(Rig.NQN)).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void shouldNotConnectTwice() {
        final MemoryTransport admin = rig.admin();

        expect(connect(admin, new ConnectData(Rig.NQN)), Status.SEQUENCE_ERROR, 0);
    }

    @Test
    void n30ShouldRefuseAnIoQueueBeforeTheControllerIsEnabled() {
        final MemoryTransport admin = rig.open();
        connect(admin, new ConnectData(Rig.NQN));

        expect(rig.connectIo(rig.open(), Rig.controller(admin), 1), Status.CONNECT_INVALID_PARAMETERS, 42);
    }

    @Test
    void n30ShouldRefuseAnIoQueueOfOtherEntrySizes() {
        final MemoryTransport admin = rig.open();
        connect(admin, new ConnectData(Rig.NQN));
        admin.send(SqeBuilder.propertySet(Rig.CC, 0x0056_0001));

        expect(rig.connectIo(rig.open(), Rig.controller(admin), 1), Status.CONNECT_INVALID_PARAMETERS, 42);
    }

    @Test
    void n30ShouldRefuseAnIoQueueOfADiscoveryController() {
        final MemoryTransport admin = rig.admin(Nqn.DISCOVERY, 0);
        final ConnectData data = new ConnectData(Nqn.DISCOVERY)
                .controllerId(Rig.controller(admin).id());

        expect(Rig.connect(rig.open(), SqeBuilder.connect(1, 31, 0, 0), data), Status.CONNECT_INVALID_PARAMETERS, 42);
    }

    @Test
    void n30ShouldRefuseAnIoQueueThatWasNotGranted() {
        final MemoryTransport admin = rig.admin();
        final Controller controller = Rig.controller(admin);

        expect(rig.connectIo(rig.open(), controller, 129), Status.INVALID_QUEUE_ID, 0);
        assertThat(rig.connectIo(rig.open(), controller, 128).status()).isEqualTo(Status.SUCCESS);

        final MemoryTransport modest = rig.admin();
        modest.send(SqeBuilder.opcode(Opcode.SET_FEATURES).dword(10, 7).dword(11, 0x0001_0001));
        expect(rig.connectIo(rig.open(), Rig.controller(modest), 3), Status.INVALID_QUEUE_ID, 0);
        assertThat(rig.connectIo(rig.open(), Rig.controller(modest), 2).status())
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void n30ShouldRefuseAQueueThatIsInUseAndTakeItWhenItIsNot() {
        final MemoryTransport admin = rig.admin();
        final Controller controller = Rig.controller(admin);
        final MemoryTransport io = rig.io(rig.other, controller, 1);

        final SentCommand second = rig.connectIo(rig.open(), controller, 1);
        expect(second, Status.SEQUENCE_ERROR, 0);
        assertThat(second.isFinal()).isFalse();

        io.lose();
        assertThat(rig.connectIo(rig.open(), controller, 1).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void n30ShouldRefuseAnIoQueueOfAnUnknownController() {
        final MemoryTransport admin = rig.admin();
        final Controller gone = Rig.controller(admin);
        final ConnectData unknown = new ConnectData(Rig.NQN).controllerId(77);

        expect(
                Rig.connect(rig.open(), SqeBuilder.connect(1, 31, 0, 0), unknown),
                Status.CONNECT_INVALID_PARAMETERS,
                IN_DATA | 16);

        admin.lose();
        expect(rig.connectIo(rig.open(), gone, 1), Status.CONNECT_INVALID_PARAMETERS, IN_DATA | 16);
    }

    @Test
    void n30ShouldRefuseAnIoQueueWhileTheAssociationEnds() {
        final MemoryTransport admin = rig.admin();
        final Controller controller = Rig.controller(admin);
        final MemoryTransport io = rig.io(rig.other, controller, 1);

        admin.lose();

        expect(rig.connectIo(rig.open(), controller, 2), Status.CONNECT_INVALID_PARAMETERS, IN_DATA | 16);
        rig.turn();
        assertThat(io.isClosed()).isTrue();
    }

    @Test
    void shouldRefuseAnIoQueueOfAnotherHost() {
        final Controller controller = Rig.controller(rig.admin());
        final SqeBuilder sqe = SqeBuilder.connect(1, 31, 0, 0);

        expect(
                Rig.connect(
                        rig.open(),
                        sqe,
                        new ConnectData(Rig.NQN).controllerId(controller.id()).host("nqn.2026-01.io.example:mallory")),
                Status.CONNECT_INVALID_PARAMETERS,
                IN_DATA | 512);
        expect(
                Rig.connect(
                        rig.open(),
                        sqe,
                        new ConnectData(Rig.NQN).controllerId(controller.id()).hostId(0x22)),
                Status.CONNECT_INVALID_PARAMETERS,
                IN_DATA);
    }

    @Test
    void shouldLookForTheControllerOfAnIoQueueInItsOwnSubsystem() {
        final Controller controller = Rig.controller(rig.admin());
        rig.target.addSubsystem(
                SubsystemOptions.named("nqn.2026-01.io.example:b").withAnyHost());

        expect(
                Rig.connect(
                        rig.open(),
                        SqeBuilder.connect(1, 31, 0, 0),
                        new ConnectData("nqn.2026-01.io.example:b").controllerId(controller.id())),
                Status.CONNECT_INVALID_PARAMETERS,
                IN_DATA | 16);
    }

    @Test
    void shouldRefuseAQueueDeeperThanMqesSays() {
        final Controller controller = Rig.controller(rig.admin());
        final ConnectData data = new ConnectData(Rig.NQN).controllerId(controller.id());

        expect(Rig.connect(rig.open(), SqeBuilder.connect(1, 128, 0, 0), data), Status.CONNECT_INVALID_PARAMETERS, 44);
        final MemoryTransport io = rig.open();
        assertThat(Rig.connect(io, SqeBuilder.connect(1, 127, 0, 0), data).status())
                .isEqualTo(Status.SUCCESS);
        assertThat(io.queue().depth()).isEqualTo(127);
        assertThat(io.queue().isAdmin()).isFalse();
    }

    @Test
    void n55ShouldNotKnowAuthentication() {
        final MemoryTransport admin = rig.admin();

        assertThat(admin.send(SqeBuilder.fabrics(0x05)).code()).isEqualTo(Status.INVALID_OPCODE);
        assertThat(admin.send(SqeBuilder.fabrics(0x06)).code()).isEqualTo(Status.INVALID_OPCODE);
    }

    @Test
    void n53ShouldNumberControllersWithinTheRangeOnly() {
        final Subsystem shared = rig.target.addSubsystem(SubsystemOptions.named("nqn.2026-01.io.example:shared")
                .withHosts(Set.of(ConnectData.HOST_NQN))
                .withControllers(100, 101));
        final MemoryTransport first = rig.open();
        final ConnectData data = new ConnectData(shared.nqn());

        assertThat(connect(first, data).result()).isEqualTo(100);
        assertThat(connect(rig.open(), data).result()).isEqualTo(101);
        expect(connect(rig.open(), data), Status.CONNECT_CONTROLLER_BUSY, 0);

        first.lose();
        assertThat(connect(rig.open(), data).result()).isEqualTo(100);
    }

    private static SentCommand connect(final MemoryTransport on, final ConnectData data) {
        return Rig.connect(on, SqeBuilder.connect(0, 31, 0, 0), data);
    }

    private static void expect(final SentCommand connect, final int code, final long result) {
        assertThat(connect.isAnswered()).isTrue();
        assertThat(connect.code()).isEqualTo(code);
        assertThat(connect.result()).isEqualTo(result);
    }
}
