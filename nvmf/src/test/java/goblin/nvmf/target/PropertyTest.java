// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PropertyTest {
    private final Rig rig = new Rig(TargetOptions.DEFAULTS.withMaxQueueDepth(64));

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void shouldSayWhatConnectAccepts() {
        final long cap = rig.admin().send(SqeBuilder.propertyGet(0, 8)).result();

        assertThat(cap & 0xFFFF).as("MQES").isEqualTo(63);
        assertThat(cap >>> 16 & 1).as("CQR").isEqualTo(1);
        assertThat(cap >>> 24 & 0xFF).as("TO").isPositive();
        assertThat(cap >>> 37 & 0xFF).as("CSS: NVM, and all").isEqualTo(0x41);
        assertThat(cap >>> 48 & 0xF).as("MPSMIN").isZero();
        assertThat(cap >>> 59 & 1).as("CRWMS").isEqualTo(1);
    }

    @Test
    void shouldGiveEitherHalfOfALongProperty() {
        final MemoryTransport admin = rig.admin();
        final long cap = admin.send(SqeBuilder.propertyGet(0, 8)).result();

        assertThat(Rig.get(admin, 0)).isEqualTo(cap & 0xFFFF_FFFFL);
        assertThat(Rig.get(admin, 4)).isEqualTo(cap >>> 32);
    }

    @Test
    void shouldKnowVersionConfigurationStatusAndTimeouts() {
        final MemoryTransport admin = rig.admin();

        assertThat(Rig.get(admin, 0x08)).isEqualTo(0x0002_0000);
        assertThat(Rig.get(admin, Rig.CC)).isEqualTo(Rig.ENABLE);
        assertThat(Rig.get(admin, Rig.CSTS)).isEqualTo(1);
        assertThat(Rig.get(admin, 0x68)).isPositive();
    }

    @Test
    void shouldRefuseOtherPropertiesAndSizes() {
        final MemoryTransport admin = rig.admin();

        for (final int offset : new int[] {0x0C, 0x10, 0x18, 0x20, 0x24, 0x28, 0x38, 0x6C, 0x1000, -4}) {
            assertThat(admin.send(SqeBuilder.propertyGet(offset, 4)).code())
                    .as("property %x", offset)
                    .isEqualTo(Status.CONNECT_INVALID_PARAMETERS);
        }
        assertThat(admin.send(SqeBuilder.propertyGet(Rig.CC, 8)).code()).isEqualTo(Status.CONNECT_INVALID_PARAMETERS);
        assertThat(admin.send(SqeBuilder.propertyGet(0, 4).u8(40, 2)).code())
                .isEqualTo(Status.CONNECT_INVALID_PARAMETERS);
        assertThat(admin.send(SqeBuilder.propertySet(Rig.CSTS, 0)).code()).isEqualTo(Status.CONNECT_INVALID_PARAMETERS);
    }

    @Test
    void shouldNotEnableWhatItCannotDo() {
        final MemoryTransport admin = rig.open();
        Rig.connect(admin, SqeBuilder.connect(0, 31, 0, 0), new ConnectData(Rig.NQN));

        for (final long wrong : new long[] {Rig.ENABLE | 1 << 4, Rig.ENABLE | 1 << 7, Rig.ENABLE | 1 << 11}) {
            assertThat(admin.send(SqeBuilder.propertySet(Rig.CC, wrong)).code())
                    .isEqualTo(Status.CONNECT_INVALID_PARAMETERS);
            assertThat(Rig.get(admin, Rig.CSTS)).isZero();
        }
        assertThat(admin.send(SqeBuilder.propertySet(Rig.CC, Rig.ENABLE | 6 << 4))
                        .code())
                .as("all command sets")
                .isEqualTo(Status.SUCCESS);
        assertThat(Rig.get(admin, Rig.CSTS)).isEqualTo(1);
    }

    @Test
    void shouldRefusePropertiesOnIoQueues() {
        final MemoryTransport io = rig.io(rig.loop, Rig.controller(rig.admin()), 1);

        assertThat(io.send(SqeBuilder.propertyGet(0, 8)).code()).isEqualTo(Status.INVALID_OPCODE);
    }
}
