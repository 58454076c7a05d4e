// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.HeldNamespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeaturesTest {
    private static final int DEFAULT = 1;
    private static final int SAVED = 2;
    private static final int CAPABILITIES = 3;

    private final Rig rig = new Rig();
    private MemoryTransport admin;

    @BeforeEach
    void connect() throws NamespaceException {
        rig.subsystem.addNamespace(1, new HeldNamespace(true), 1);
        admin = rig.admin();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x01, 0x0A})
    void shouldKeepAValueAndItsDefault(final int feature) {
        assertThat(set(feature, 1).status()).isEqualTo(Status.SUCCESS);

        assertThat(get(feature, 0).result()).isEqualTo(1);
        assertThat(get(feature, DEFAULT).result()).isZero();
        assertThat(get(feature, SAVED).result()).isZero();
        assertThat(get(feature, CAPABILITIES).result()).as("changeable").isEqualTo(4);
    }

    @Test
    void shouldSaveNothing() {
        for (final int feature : new int[] {0x01, 0x06, 0x07, 0x0B}) {
            assertThat(set(feature, 0x8000_0000, 1).code()).isEqualTo(Status.FEATURE_NOT_SAVEABLE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x03, 0x0C, 0x0D, 0x10, 0x11, 0x17, 0x7F, 0x80, 0x82, 0x83, 0xC0, 0xFF})
    void shouldRefuseUnknownFeatures(final int feature) {
        assertThat(get(feature, 0).status()).isEqualTo(Status.INVALID_FIELD | Status.DO_NOT_RETRY);
        assertThat(set(feature, 1).status()).isEqualTo(Status.INVALID_FIELD | Status.DO_NOT_RETRY);
    }

    @Test
    void shouldNotChangeInterrupts() {
        assertThat(get(0x08, 0).status()).isEqualTo(Status.SUCCESS);
        assertThat(get(0x08, CAPABILITIES).result()).isZero();
        assertThat(set(0x08, 1).code()).isEqualTo(Status.FEATURE_NOT_CHANGEABLE);
        assertThat(set(0x09, 1).code()).isEqualTo(Status.FEATURE_NOT_CHANGEABLE);
    }

    @Test
    void shouldRefuseReservedSelections() {
        for (int select = 4; select < 8; select++) {
            assertThat(get(0x01, select).code()).isEqualTo(Status.INVALID_FIELD);
        }
    }

    @Test
    void shouldRefuseTheNamespaceOfAFeatureThatHasNone() {
        assertThat(admin.send(sqe(0x09, 0x01, 0).nsid(1)).code()).isEqualTo(Status.FEATURE_NOT_NAMESPACE_SPECIFIC);
        assertThat(admin.send(sqe(0x0A, 0x01, 0).nsid(1)).code()).isEqualTo(Status.INVALID_FIELD);
        assertThat(admin.send(sqe(0x0A, 0x01, 0).nsid(-1)).code()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void shouldTurnTheWriteCacheOffForAllQueues() throws NamespaceException {
        assertThat(get(0x06, 0).result()).isEqualTo(1);

        set(0x06, 0);

        assertThat(get(0x06, 0).result()).isZero();
        assertThat(Rig.controller(admin).features().writeCacheEnabled()).isFalse();
        rig.subsystem.removeNamespace(1);
        assertThat(get(0x06, 0).code()).as("without a cache").isEqualTo(Status.INVALID_FIELD);
        assertThat(set(0x06, 1).code()).isEqualTo(Status.INVALID_FIELD);
    }

    @Test
    void shouldGrantTheQueuesAskedForUpToTheMost() {
        assertThat(get(0x07, 0).result()).isEqualTo(127 | 127 << 16);
        assertThat(set(0x07, 3 | 3 << 16).result()).isEqualTo(3 | 3 << 16);
        assertThat(get(0x07, 0).result()).isEqualTo(3 | 3 << 16);
        assertThat(set(0x07, 0xFFFE_FFFE).result()).isEqualTo(127 | 127 << 16);
        assertThat(set(0x07, 0xFFFF).code()).isEqualTo(Status.INVALID_FIELD);
        assertThat(set(0x07, 0xFFFF_0000).code()).isEqualTo(Status.INVALID_FIELD);

        rig.io(rig.other, Rig.controller(admin), 1);
        assertThat(set(0x07, 0).code()).isEqualTo(Status.SEQUENCE_ERROR);
    }

    @Test
    void shouldHaveOnePowerState() {
        assertThat(set(0x02, 0).status()).isEqualTo(Status.SUCCESS);
        assertThat(set(0x02, 1).code()).isEqualTo(Status.INVALID_FIELD);
        assertThat(get(0x02, 0).result()).isZero();
    }

    @Test
    void shouldKeepTheTwoTemperaturesOfTheOnlySensor() {
        assertThat(set(0x04, 400).status()).isEqualTo(Status.SUCCESS);
        assertThat(set(0x04, 1 << 20 | 200).status()).isEqualTo(Status.SUCCESS);

        assertThat(admin.send(sqe(0x0A, 0x04, 0)).result()).isEqualTo(400);
        assertThat(admin.send(sqe(0x0A, 0x04, 1 << 20)).result()).isEqualTo(200);
        assertThat(admin.send(sqe(0x0A, 0x04, 1 << 16)).code()).isEqualTo(Status.INVALID_FIELD);
        assertThat(set(0x04, 2 << 20).code()).isEqualTo(Status.INVALID_FIELD);
        assertThat(set(0x04, 3 << 16).code()).isEqualTo(Status.INVALID_FIELD);
    }

    @Test
    void shouldNotTellOfDeallocatedBlocksByErrors() {
        assertThat(set(0x05, 1 << 16).code()).isEqualTo(Status.INVALID_FIELD);
        assertThat(set(0x05, 10).status()).isEqualTo(Status.SUCCESS);
        assertThat(get(0x05, 0).result()).isEqualTo(10);
    }

    @Test
    void shouldKeepWhatItKnowsOfTheHostsBehaviour() {
        final byte[] wanted = new byte[512];
        Arrays.fill(wanted, (byte) 1);
        assertThat(admin.send(sqe(0x09, 0x16, 0).sgl(SqeBuilder.IN_CAPSULE, 512), wanted)
                        .status())
                .isEqualTo(Status.SUCCESS);

        admin.cutInto(5);
        final SentCommand get = admin.send(sqe(0x0A, 0x16, 0).sgl(SqeBuilder.TRANSPORT, 512));

        final byte[] known = new byte[512];
        known[0] = 1;
        assertThat(get.bytes()).isEqualTo(known);
        assertThat(Rig.controller(admin).features().hostTakesRetryDelays()).isTrue();
        wanted[0] = 2;
        assertThat(admin.send(sqe(0x09, 0x16, 0).sgl(SqeBuilder.IN_CAPSULE, 512), wanted)
                        .code())
                .isEqualTo(Status.INVALID_FIELD);
        assertThat(admin.send(sqe(0x09, 0x16, 0).sgl(SqeBuilder.IN_CAPSULE, 511), wanted)
                        .code())
                .isEqualTo(Status.DATA_SGL_LENGTH_INVALID);
        assertThat(admin.send(sqe(0x0A, 0x16, 0).u8(1, 0).sgl(SqeBuilder.TRANSPORT, 512))
                        .code())
                .as("PSDT")
                .isEqualTo(Status.INVALID_FIELD);
    }

    @Test
    void shouldTellTheHostItsIdentifierInItsLongForm() {
        final byte[] expected = new byte[16];
        Arrays.fill(expected, (byte) 0x11);

        assertThat(admin.send(sqe(0x0A, 0x81, 1).sgl(SqeBuilder.TRANSPORT, 16)).bytes())
                .isEqualTo(expected);
        assertThat(admin.send(sqe(0x0A, 0x81, 0).sgl(SqeBuilder.TRANSPORT, 16)).code())
                .isEqualTo(Status.INVALID_FIELD);
        assertThat(admin.send(sqe(0x09, 0x81, 1).sgl(SqeBuilder.IN_CAPSULE, 16), expected)
                        .code())
                .isEqualTo(Status.SEQUENCE_ERROR);
    }

    @Test
    void shouldHaveTwoFeaturesOnDiscoveryControllers() {
        admin = rig.admin(Nqn.DISCOVERY, 30_000);

        for (int feature = 0; feature < 256; feature++) {
            final boolean known = feature == 0x0B || feature == 0x0F;
            assertThat(get(feature, 0).code()).isEqualTo(known ? Status.SUCCESS : Status.INVALID_FIELD);
        }
        assertThat(get(0x0B, 0).result()).isEqualTo(0x8000_0000L);
        assertThat(get(0x0F, 0).result()).isEqualTo(30_000);
    }

    @Test
    void shouldKeepFeaturesOfHostsApart() {
        set(0x01, 77);

        final SentCommand other = rig.admin().send(sqe(0x0A, 0x01, 0));

        assertThat(other.result()).isZero();
        assertThat(Rig.controller(admin).hostNqn()).isEqualTo(ConnectData.HOST_NQN);
    }

    private SentCommand get(final int feature, final int select) {
        return admin.send(sqe(0x0A, feature | select << 8, 0));
    }

    private SentCommand set(final int feature, final int value) {
        return set(feature, 0, value);
    }

    private SentCommand set(final int feature, final int flags, final int value) {
        return admin.send(sqe(0x09, feature | flags, value));
    }

    private static SqeBuilder sqe(final int opcode, final int dword10, final int dword11) {
        return SqeBuilder.opcode(opcode).dword(10, dword10).dword(11, dword11);
    }
}
