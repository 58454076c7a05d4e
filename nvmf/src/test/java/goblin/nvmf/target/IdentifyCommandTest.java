// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceTraits;
import goblin.nvmf.raw.SqeBuilder;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifyCommandTest {
    private static final int INVALID_FIELD = Status.INVALID_FIELD | Status.DO_NOT_RETRY;
    private static final int INVALID_NAMESPACE = Status.INVALID_NAMESPACE | Status.DO_NOT_RETRY;
    private static final NamespaceTraits DURABLE = new NamespaceTraits(false, false, true, true, 1);

    private final Rig rig = new Rig();
    private final MemoryTransport admin = rig.admin();

    @AfterEach
    void close() {
        rig.close();
    }

    private SentCommand identify(final int cns, final int nsid) {
        return identify(admin, cns, nsid, 0);
    }

    private static SentCommand identify(final MemoryTransport on, final int cns, final int nsid, final int dword11) {
        return on.send(SqeBuilder.identify(cns, nsid).dword(11, dword11).sgl(SqeBuilder.TRANSPORT, 4096));
    }

    private void add(final int... nsids) throws NamespaceException {
        for (final int nsid : nsids) {
            rig.subsystem.addNamespace(nsid, new HeldMedium(512, 2048, DURABLE), 1 + nsid % 3);
        }
    }

    private static Bytes good(final SentCommand sent) {
        assertThat(sent.isAnswered()).isTrue();
        assertThat(sent.status()).isZero();
        assertThat(sent.bytes()).hasSize(4096);
        return new Bytes(sent.bytes());
    }

    @Test
    void n43_shouldIdentifyTheControllerThatTheHostConnectedTo() {
        final Bytes c = good(identify(0x01, 0));
        assertThat(c.u16(78)).isEqualTo(Rig.controller(admin).id());
        assertThat(c.text(768, Rig.NQN.length())).isEqualTo(Rig.NQN);
        assertThat(c.text(4, 20)).startsWith(rig.subsystem.serial());
        assertThat(c.u32(516)).as("NN").isEqualTo(NamespaceTable.MAX_NSID);
        assertThat(c.u32(92)).as("OAES").isEqualTo(0x900);
        assertThat(c.u16(320)).as("KAS").isPositive();
    }

    @Test
    void n43_shouldWriteStructuresIntoVectorsOfAnyPieces() {
        final byte[] whole = identify(0x01, 0).bytes();
        admin.cutInto(33);
        assertThat(identify(0x01, 0).bytes()).isEqualTo(whole);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x04, 0x09, 0x0A, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x18, 0x1A, 0x20, 0xFF})
    void n43_shouldRefuseStructuresThatItDoesNotHave(final int cns) {
        assertThat(identify(cns, 1).status()).isEqualTo(INVALID_FIELD);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x05, 0x06, 0x07})
    void n43_shouldRefuseOtherCommandSets(final int cns) throws NamespaceException {
        add(1);
        assertThat(identify(admin, cns, 1, 0).status()).isZero();
        assertThat(identify(admin, cns, 1, 2 << 24).status()).isEqualTo(INVALID_FIELD);
    }

    @Test
    void n43_shouldOfferTheNvmCommandSetAlone() {
        final SentCommand mine =
                admin.send(SqeBuilder.identify(0x1C, 0).dword(10, 0xFFFF001CL).sgl(SqeBuilder.TRANSPORT, 4096));
        final Bytes sets = good(mine);
        assertThat(sets.u64(0)).isEqualTo(1);
        assertThat(sets.isZero(8, 4088)).isTrue();
        final SentCommand other =
                admin.send(SqeBuilder.identify(0x1C, 0).dword(10, 0x7777001CL).sgl(SqeBuilder.TRANSPORT, 4096));
        assertThat(other.status()).isEqualTo(INVALID_FIELD);
    }

    @Test
    void n44_shouldDescribeANamespaceByIdentifiersThatAreNeverZero() throws NamespaceException {
        add(7);
        final Bytes list = good(identify(0x03, 7));
        assertThat(list.u8(0)).as("UUID").isEqualTo(3);
        assertThat(list.u8(1)).isEqualTo(16);
        assertThat(HexFormat.of().formatHex(list.range(4, 16))).isEqualTo("00000000000000010000000000000002");
        assertThat(list.u8(20)).as("NGUID").isEqualTo(2);
        assertThat(list.u8(21)).isEqualTo(16);
        assertThat(list.range(24, 16))
                .isEqualTo(good(identify(0x00, 7)).range(104, 16))
                .containsExactly(0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4);
        assertThat(list.u8(40)).as("command set").isEqualTo(4);
        assertThat(list.u8(41)).isEqualTo(1);
        assertThat(list.isZero(44, 4052)).as("end").isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0,false", "1,true", "2,true", "1024,true", "1025,false", "-1,false", "-2,false"})
    void n45_shouldGiveZerosForIdentifiersWithoutANamespaceAndRefuseThoseThatCanHaveNone(
            final int nsid, final boolean possible) {
        for (final int cns : new int[] {0x00, 0x05, 0x08}) {
            final SentCommand sent = identify(cns, nsid);
            assertThat(sent.status()).isEqualTo(possible ? 0 : INVALID_NAMESPACE);
            if (possible) {
                assertThat(good(sent).isZero(0, 4096)).isTrue();
            }
        }
        assertThat(identify(0x03, nsid).status()).isEqualTo(INVALID_NAMESPACE);
    }

    @Test
    void n45_shouldListIdentifiersAboveTheGivenOne() throws NamespaceException {
        add(2, 5, 1024);
        for (final int cns : new int[] {0x02, 0x07}) {
            final Bytes all = good(identify(cns, 0));
            assertThat(all.u32(0)).isEqualTo(2);
            assertThat(all.u32(4)).isEqualTo(5);
            assertThat(all.u32(8)).isEqualTo(1024);
            assertThat(all.isZero(12, 4084)).isTrue();
            assertThat(good(identify(cns, 2)).u32(0)).isEqualTo(5);
            assertThat(good(identify(cns, 1024)).isZero(0, 4096)).isTrue();
            assertThat(good(identify(cns, 0xFFFFFFFD)).isZero(0, 4096)).isTrue();
            assertThat(identify(cns, 0xFFFFFFFE).status()).isEqualTo(INVALID_NAMESPACE);
            assertThat(identify(cns, 0xFFFFFFFF).status()).isEqualTo(INVALID_NAMESPACE);
        }
    }

    @Test
    void shouldShowANamespaceWithItsGroup() throws NamespaceException {
        add(5);
        final Bytes n = good(identify(0x00, 5));
        assertThat(n.u64(0)).isEqualTo(2048);
        assertThat(n.u32(92)).isEqualTo(3);
        assertThat(good(identify(0x08, 5)).u32(4)).isEqualTo(3);
    }

    @Test
    void shouldGoOnDenyingACacheThatComesLaterAndMakeWritesDurableInstead() throws NamespaceException {
        add(1);
        assertThat(good(identify(0x01, 0)).u8(525)).isEqualTo(6);
        final HeldMedium cached = new HeldMedium(512, 2048, HeldMedium.CACHED);
        rig.subsystem.addNamespace(2, cached, 1);
        assertThat(good(identify(0x01, 0)).u8(525)).isEqualTo(6);

        final MemoryTransport io = rig.io(rig.loop, Rig.controller(admin), 1);
        io.send(SqeBuilder.io(Opcode.WRITE, 2, 0, 1).sgl(SqeBuilder.IN_CAPSULE, 512), new byte[512]);
        assertThat(cached.asked.getFirst().durable()).isTrue();
        cached.finish(goblin.nvmf.namespace.BlockOutcome.DONE);

        final MemoryTransport later = rig.admin();
        assertThat(good(identify(later, 0x01, 0, 0)).u8(525)).isEqualTo(7);
        final MemoryTransport laterIo = rig.io(rig.loop, Rig.controller(later), 1);
        laterIo.send(SqeBuilder.io(Opcode.WRITE, 2, 0, 1).sgl(SqeBuilder.IN_CAPSULE, 512), new byte[512]);
        assertThat(cached.asked.get(1).durable()).isFalse();
        cached.finish(goblin.nvmf.namespace.BlockOutcome.DONE);
    }

    @Test
    void shouldShowADiscoveryControllerAndNothingElseThere() {
        final MemoryTransport discovery = rig.admin(Nqn.DISCOVERY, 0);
        final Bytes c = good(identify(discovery, 0x01, 0, 0));
        assertThat(c.u8(111)).isEqualTo(2);
        assertThat(c.text(768, Nqn.DISCOVERY.length())).isEqualTo(Nqn.DISCOVERY);
        assertThat(c.u32(92)).as("OAES").isEqualTo(0x8000_0000L);
        for (final int cns : new int[] {0x00, 0x02, 0x03, 0x08, 0x1C}) {
            assertThat(identify(discovery, cns, 1, 0).status()).isEqualTo(INVALID_FIELD);
        }
    }

    @Test
    void shouldRefuseAnSglThatIsTooShort() {
        assertThat(admin.send(SqeBuilder.identify(0x01, 0).sgl(SqeBuilder.TRANSPORT, 4095))
                        .status())
                .isEqualTo(Status.DATA_SGL_LENGTH_INVALID | Status.DO_NOT_RETRY);
    }
}
