// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Keep Alive (N33, N34)")
class KeepAliveTest {
    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void n34ShouldEndTheAssociationOfASilentHost() {
        final MemoryTransport admin = rig.admin(Rig.NQN, 5000);
        final Controller controller = Rig.controller(admin);
        final MemoryTransport io = rig.io(rig.other, controller, 1);
        rig.log.clear();

        rig.advanceMs(9999);
        assertThat(controller.hasEnded()).isFalse();
        rig.advanceMs(1);

        assertThat(controller.hasEnded()).isTrue();
        assertThat(controller.status() & 2).as("CSTS.CFS").isEqualTo(2);
        assertThat(admin.isClosed()).isTrue();
        assertThat(io.isClosed()).isTrue();
        assertThat(rig.subsystem.controllers()).isEmpty();
        assertThat(rig.log).singleElement().asString().contains("silent for 10000 ms");
        assertThat(rig.target.counters().get(TargetCounter.KEEP_ALIVE_EXPIRED)).isEqualTo(1);
    }

    @Test
    void shouldLiveOnKeepAliveCommands() {
        final MemoryTransport admin = rig.admin(Rig.NQN, 5000);

        for (int i = 0; i < 10; i++) {
            rig.advanceMs(4000);
            assertThat(admin.send(SqeBuilder.opcode(0x18)).status()).isEqualTo(Status.SUCCESS);
        }
        rig.advanceMs(10_000);
        assertThat(admin.isClosed()).isTrue();
    }

    @Test
    void n34ShouldLiveOnTheTrafficOfAnyQueue() {
        final MemoryTransport admin = rig.admin(Rig.NQN, 5000);
        final MemoryTransport io = rig.io(rig.other, Rig.controller(admin), 1);

        for (int i = 0; i < 10; i++) {
            rig.advanceMs(4000);
            io.send(SqeBuilder.opcode(0xFF));
        }
        assertThat(admin.isClosed()).isFalse();
        rig.advanceMs(10_000);
        assertThat(admin.isClosed()).isTrue();
    }

    @Test
    @DisplayName("N34: a host that counts its traffic as life skips one Keep Alive after each completion")
    void n34ShouldBearAHostThatSkipsAnIntervalWithTraffic() {
        final MemoryTransport admin = rig.admin(Rig.NQN, 5000);
        final MemoryTransport io = rig.io(rig.other, Rig.controller(admin), 1);

        for (int i = 0; i < 10; i++) {
            // Its command is processed right after its tick; its next tick skips, the one after that is a little late.
            io.send(SqeBuilder.opcode(0xFF));
            rig.advanceMs(5300);
            assertThat(admin.send(SqeBuilder.opcode(0x18)).status()).isEqualTo(Status.SUCCESS);
        }

        assertThat(admin.isClosed()).isFalse();
    }

    @Test
    void shouldRoundTheTimeUpToItsGranularity() {
        final MemoryTransport admin = rig.admin(Rig.NQN, 101);

        assertThat(getTimeout(admin)).isEqualTo(200);
        rig.advanceMs(399);
        assertThat(admin.isClosed()).isFalse();
        rig.advanceMs(1);
        assertThat(admin.isClosed()).isTrue();
    }

    @Test
    void n34ShouldNotWatchAHostThatDoesNotWantIt() {
        final MemoryTransport admin = rig.admin(Rig.NQN, 0);

        rig.advanceMs(3_600_000);

        assertThat(admin.isClosed()).isFalse();
    }

    @Test
    void shouldTakeAnotherTimeBySetFeatures() {
        final MemoryTransport admin = rig.admin(Rig.NQN, 5000);
        rig.advanceMs(4000);

        admin.send(SqeBuilder.opcode(0x09).dword(10, 0x0F).dword(11, 60_000));

        assertThat(getTimeout(admin)).isEqualTo(60_000);
        rig.advanceMs(119_999);
        assertThat(admin.isClosed()).isFalse();
        rig.advanceMs(1);
        assertThat(admin.isClosed()).isTrue();
    }

    @Test
    void shouldNotBeTurnedOffBySetFeatures() {
        final MemoryTransport admin = rig.admin(Rig.NQN, 5000);

        assertThat(admin.send(SqeBuilder.opcode(0x09).dword(10, 0x0F).dword(11, 0))
                        .code())
                .isEqualTo(Status.KEEP_ALIVE_INVALID);
        assertThat(getTimeout(admin)).isEqualTo(5000);
    }

    @Test
    void shouldTakeTheLongestTimeThereIs() {
        final MemoryTransport admin = rig.admin(Rig.NQN, 0xFFFF_FFFFL);

        rig.advanceMs(2 * 0xFFFF_FFFFL);
        assertThat(admin.isClosed()).isFalse();
        rig.advanceMs(202);
        assertThat(admin.isClosed()).isTrue();
    }

    @Test
    void shouldNotKeepAControllerThatIsNeverEnabled() {
        final MemoryTransport admin = rig.open();
        Rig.connect(admin, SqeBuilder.connect(0, 31, 0, 5000), new ConnectData(Rig.NQN));

        rig.advanceMs(119_999);
        assertThat(admin.isClosed()).isFalse();
        rig.advanceMs(1);
        assertThat(admin.isClosed()).isTrue();
    }

    @Test
    void shouldStopWatchingAHostThatShutsDown() {
        final MemoryTransport admin = rig.admin(Rig.NQN, 5000);
        admin.send(SqeBuilder.propertySet(Rig.CC, Rig.ENABLE | 1 << 14));

        rig.advanceMs(11_000);

        assertThat(admin.isClosed()).isFalse();
        assertThat(Rig.get(admin, Rig.CSTS)).isEqualTo(1 | 2 << 2);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 15_000, 30_000})
    void n33ShouldServeDiscoveryWithAnyTime(final long keepAliveMs) {
        final MemoryTransport admin = rig.admin(Nqn.DISCOVERY, keepAliveMs);

        assertThat(Rig.get(admin, Rig.CSTS)).isEqualTo(1);
        for (int minute = 0; minute < 60; minute++) {
            rig.advanceMs(keepAliveMs == 0 ? 110_000 : 2 * keepAliveMs - 1000);
            assertThat(admin.send(SqeBuilder.opcode(0x18)).status()).isEqualTo(Status.SUCCESS);
        }
        rig.advanceMs(120_000);
        assertThat(admin.isClosed()).isTrue();
    }

    private static long getTimeout(final MemoryTransport admin) {
        return admin.send(SqeBuilder.opcode(0x0A).dword(10, 0x0F)).result();
    }
}
