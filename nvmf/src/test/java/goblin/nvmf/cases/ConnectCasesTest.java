// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.RawAnswer;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connect: cases N28, N30. */
class ConnectCasesTest {
    private static final int INVALID_PARAMETER = 0x182;
    private static final int IN_DATA = 1;
    private static LiveTarget target;

    @BeforeAll
    static void start() {
        target = LiveTarget.small();
    }

    @AfterAll
    static void stop() {
        target.awaitNothingLeft();
        target.close();
    }

    private static ConnectData good() {
        return new ConnectData(LiveTarget.SUBSYSTEM);
    }

    private static SqeBuilder adminConnect() {
        return SqeBuilder.connect(0, 31, 4, 0).sgl(SqeBuilder.IN_CAPSULE, 1024);
    }

    private static void expectRefused(final ConnectData data, final int attribute, final int offset) {
        try (RawQueue bare = target.bare()) {
            expectInvalid(bare.command(adminConnect(), data.bytes()), attribute, offset);
        }
    }

    private static void expectInvalid(final RawAnswer answer, final int attribute, final int offset) {
        assertThat(answer.code()).as(answer.toString()).isEqualTo(INVALID_PARAMETER);
        assertThat(answer.dword0() & 0xFFFF).as("IPO").isEqualTo(offset);
        assertThat(answer.dword0() >>> 16 & 1).as("IATTR").isEqualTo(attribute);
    }

    @Test
    @DisplayName("N28: should point at the name of an unknown subsystem")
    void shouldPointAtTheNameOfAnUnknownSubsystem() {
        expectRefused(good().subsystem("nqn.2026-01.org.goblin:other"), IN_DATA, 256);
    }

    @Test
    @DisplayName("N28: should not look for the end of a subsystem's name beyond its 256 bytes")
    void shouldNotLookForTheEndOfANameBeyondItsBytes() {
        expectRefused(good().fill(256, 256, 'a'), IN_DATA, 256);
    }

    @Test
    @DisplayName("N28: should point at a host's name that is empty, does not end, or is none")
    void shouldPointAtABadHostName() {
        expectRefused(good().host(""), IN_DATA, 512);
        expectRefused(good().fill(512, 256, 'n'), IN_DATA, 512);
        expectRefused(good().host("iqn.2026-01.org.goblin:host"), IN_DATA, 512);
    }

    @Test
    @DisplayName("N28: should refuse an unknown record format")
    void shouldRefuseAnUnknownRecordFormat() {
        try (RawQueue bare = target.bare()) {
            assertThat(bare.command(adminConnect().u16(40, 1), good().bytes()).code())
                    .isEqualTo(0x180);
        }
    }

    @Test
    @DisplayName("N28: should point at a controller asked for by number, since controllers are dynamic")
    void shouldPointAtAControllerAskedForByNumber() {
        expectRefused(good().controllerId(1), IN_DATA, 16);
    }

    @Test
    @DisplayName("N28: should point at a host identifier of zeros")
    void shouldPointAtAHostIdentifierOfZeros() {
        expectRefused(good().hostId(0), IN_DATA, 0);
    }

    @Test
    @DisplayName("N28: should take a host identifier of zeros for discovery")
    void shouldTakeAHostIdentifierOfZerosForDiscovery() {
        try (RawQueue bare = target.bare()) {
            final ConnectData data = new ConnectData(LiveTarget.DISCOVERY).hostId(0);
            assertThat(bare.command(adminConnect(), data.bytes()).status()).isZero();
        }
    }

    @Test
    @DisplayName("N28: should refuse Connect data that is too short")
    void shouldRefuseConnectDataThatIsTooShort() {
        try (RawQueue bare = target.bare()) {
            final RawAnswer answer = bare.command(
                    SqeBuilder.connect(0, 31, 4, 0).sgl(SqeBuilder.IN_CAPSULE, 1020),
                    Blocks.part(good().bytes(), 0, 1020));
            assertThat(answer.code()).isEqualTo(INVALID_PARAMETER);
        }
    }

    @Test
    @DisplayName("N28: should refuse a host that is not on the list, and say why")
    void shouldRefuseAHostThatIsNotOnTheList() {
        try (LiveTarget closed = LiveTarget.config()
                        .subsystem(options -> options.withHosts(Set.of("nqn.2026-01.org.goblin:friend")))
                        .start();
                RawQueue bare = closed.bare()) {
            assertThat(bare.command(adminConnect(), good().bytes()).code()).isEqualTo(0x184);
            assertThat(closed.lines()).anyMatch(line -> line.contains(ConnectData.HOST_NQN));
        }
    }

    @ParameterizedTest
    @DisplayName("should refuse any command before Connect")
    @ValueSource(ints = {0x06, 0x18, 0x02})
    void shouldRefuseAnyCommandBeforeConnect(final int opcode) {
        try (RawQueue bare = target.bare()) {
            assertThat(bare.command(SqeBuilder.opcode(opcode)).code()).isEqualTo(0x00C);
        }
    }

    @Test
    @DisplayName("N30: should refuse an I/O queue before the controller is enabled")
    void shouldRefuseAnIoQueueBeforeTheControllerIsEnabled() {
        try (RawInitiator host = RawInitiator.connect(target.address(), LiveTarget.SUBSYSTEM, RawOptions.PLAIN)) {
            expectConnectRefused(host.bareQueue().connect(1, 31, host.connectData()));
        }
    }

    @Test
    @DisplayName("N30: should refuse an I/O queue of a discovery controller")
    void shouldRefuseAnIoQueueOfADiscoveryController() {
        try (RawInitiator host = RawInitiator.connect(target.address(), LiveTarget.DISCOVERY, RawOptions.PLAIN)) {
            host.set(0x14, RawInitiator.ENABLE);
            expectConnectRefused(host.bareQueue().connect(1, 31, host.connectData()));
        }
    }

    @Test
    @DisplayName("N30: should refuse a queue number beyond those there are")
    void shouldRefuseAQueueNumberBeyondThoseThereAre() {
        try (RawInitiator host = target.raw()) {
            final int code =
                    host.bareQueue().connect(129, 31, host.connectData()).code();
            assertThat(code).isIn(0x101, INVALID_PARAMETER);
        }
    }

    @Test
    @DisplayName("N30: should refuse a queue that is in use and leave the first one alone")
    void shouldRefuseAQueueThatIsInUse() {
        try (RawInitiator host = target.raw()) {
            final RawQueue first = host.queue(1, 32);
            assertThat(host.bareQueue().connect(1, 31, host.connectData()).code())
                    .isEqualTo(0x00C);
            assertThat(RawInitiator.read(first, 1, 0, 1, 512)).hasSize(512);
        }
    }

    @Test
    @DisplayName("N30: should refuse an I/O queue of a controller that is not there, or not that host's")
    void shouldRefuseAnIoQueueOfAnotherController() {
        try (RawInitiator host = target.raw()) {
            expectConnectRefused(
                    host.bareQueue().connect(1, 31, host.connectData().controllerId(0x7FF0)));
            expectConnectRefused(
                    host.bareQueue().connect(1, 31, host.connectData().host("nqn.2026-01.org.goblin:stranger")));
            expectConnectRefused(
                    host.bareQueue().connect(1, 31, host.connectData().hostId(0x22)));
        }
    }

    @Test
    @DisplayName("N30: should refuse an I/O queue of a controller whose admin connection is closed")
    void shouldRefuseAnIoQueueOfAControllerWhoseAdminConnectionIsClosed() {
        final RawInitiator host = target.raw();
        final ConnectData data = host.connectData();
        host.close();
        // Another loop may take the queue before the first has seen the end.
        await().until(() -> target.subsystem().controllers().isEmpty());
        try (RawQueue bare = target.bare()) {
            expectConnectRefused(bare.connect(1, 31, data));
        }
    }

    @ParameterizedTest
    @DisplayName("should point at a queue size that is zero or too large")
    @ValueSource(ints = {0, 128, 65_535})
    void shouldPointAtAWrongQueueSize(final int sqSize) {
        try (RawInitiator host = target.raw()) {
            expectInvalid(host.bareQueue().connect(1, sqSize, host.connectData()), 0, 44);
        }
    }

    private static void expectConnectRefused(final RawAnswer answer) {
        assertThat(answer.code()).as(answer.toString()).isEqualTo(INVALID_PARAMETER);
    }
}
