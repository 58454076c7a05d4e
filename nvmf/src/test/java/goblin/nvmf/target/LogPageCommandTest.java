// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.BlockOutcome;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.SqeBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogPageCommandTest {
    private static final int RETAIN = 1 << 15;
    private static final int INVALID_LOG = Status.INVALID_LOG_PAGE | Status.DO_NOT_RETRY;
    private static final int INVALID_FIELD = Status.INVALID_FIELD | Status.DO_NOT_RETRY;

    private final Rig rig = new Rig();
    private final MemoryTransport admin = rig.admin();

    @AfterEach
    void close() {
        rig.close();
    }

    private SentCommand log(final int page, final int length, final long offset) {
        return admin.send(SqeBuilder.logPage(page, length, offset));
    }

    private Bytes read(final int page, final int length) {
        final SentCommand sent = log(page, length, 0);
        assertThat(sent.status()).isZero();
        assertThat(sent.bytes()).hasSize(length);
        return new Bytes(sent.bytes());
    }

    private HeldMedium add(final int nsid, final int group) throws NamespaceException {
        final HeldMedium medium = new HeldMedium(512, 2048, HeldMedium.CACHED).answering(BlockOutcome.DONE);
        rig.subsystem.addNamespace(nsid, medium, group);
        rig.turn();
        return medium;
    }

    @ParameterizedTest
    @ValueSource(ints = {0x06, 0x0D, 0x12, 0x70, 0x80, 0xFF})
    void n42_shouldRefuseLogsThatAnIoControllerDoesNotHave(final int page) {
        assertThat(log(page, 512, 0).status()).isEqualTo(INVALID_LOG);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x02, 0x03, 0x04, 0x05, 0x0C, 0x06, 0xFF})
    void n42_shouldRefuseLogsThatADiscoveryControllerDoesNotHave(final int page) {
        final MemoryTransport discovery = rig.admin(Nqn.DISCOVERY, 0);
        assertThat(discovery.send(SqeBuilder.logPage(page, 512, 0)).status()).isEqualTo(INVALID_LOG);
    }

    @Test
    void shouldListExactlyTheLogsThatItAnswers() {
        final MemoryTransport discovery = rig.admin(Nqn.DISCOVERY, 0);
        for (final MemoryTransport on : new MemoryTransport[] {admin, discovery}) {
            final Bytes supported =
                    new Bytes(on.send(SqeBuilder.logPage(0x00, 1024, 0)).bytes());
            for (int id = 0; id < 256; id++) {
                final SentCommand sent = on.send(SqeBuilder.logPage(id, 64, 0));
                assertThat(sent.status()).isEqualTo(supported.u32(id * 4) == 1 ? 0 : INVALID_LOG);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0x02,0,true",
        "0x02,512,true",
        "0x02,516,false",
        "0x02,2,false",
        "0x01,4096,true",
        "0x01,4100,false",
        "0x05,-4,false"
    })
    void n40_shouldReadFromMultiplesOfFourUpToTheEnd(final String page, final long offset, final boolean good) {
        final SentCommand sent = log(Integer.decode(page), 64, offset);
        assertThat(sent.status()).isEqualTo(good ? 0 : INVALID_FIELD);
    }

    @Test
    void shouldGiveZerosBehindTheEndAndTheSameBytesInPieces() {
        admin.cutInto(7);
        final byte[] whole = log(0x05, 8192, 0).bytes();
        for (int at = 0; at < 8192; at += 512) {
            final Bytes piece = new Bytes(whole);
            if (at <= 4096) {
                assertThat(log(0x05, 512, at).bytes()).isEqualTo(piece.range(at, 512));
            }
        }
        assertThat(new Bytes(whole).isZero(4096, 4096)).isTrue();
    }

    @Test
    void shouldRefuseWhatIsOverTheTransferLimitOrLongerThanItsSgl() {
        assertThat(log(0x02, (1 << 20) + 4, 0).status()).isEqualTo(INVALID_FIELD);
        assertThat(admin.send(SqeBuilder.logPage(0x02, 512, 0).sgl(SqeBuilder.TRANSPORT, 508))
                        .status())
                .isEqualTo(Status.DATA_SGL_LENGTH_INVALID | Status.DO_NOT_RETRY);
        assertThat(admin.send(SqeBuilder.logPage(0x02, 512, 0).nsid(1)).status())
                .isEqualTo(INVALID_FIELD);
        assertThat(admin.send(SqeBuilder.logPage(0x02, 512, 0).nsid(-1)).status())
                .isZero();
    }

    @Test
    void shouldKeepFailuresOfAllQueuesOfTheController() throws NamespaceException {
        add(3, 1);
        final MemoryTransport io = rig.io(rig.loop, Rig.controller(admin), 2);
        admin.send(SqeBuilder.logPage(0xFF, 64, 0));
        final SentCommand failed =
                io.send(SqeBuilder.io(Opcode.READ, 3, 5000, 1).sgl(SqeBuilder.TRANSPORT, 512));
        assertThat(failed.code()).isEqualTo(Status.LBA_OUT_OF_RANGE);

        final Bytes errors = read(0x01, 4096);
        assertThat(errors.u64(0)).isEqualTo(2);
        assertThat(errors.u16(8)).as("SQID").isEqualTo(2);
        assertThat(errors.u16(10)).as("CID").isEqualTo(failed.cid());
        assertThat(errors.u16(12) >>> 1).isEqualTo(failed.status());
        assertThat(errors.u64(16)).as("LBA").isEqualTo(5000);
        assertThat(errors.u32(24)).as("NSID").isEqualTo(3);
        assertThat(errors.u64(64)).isEqualTo(1);
        assertThat(errors.u16(64 + 8)).isZero();
        assertThat(errors.u16(64 + 12) >>> 1).isEqualTo(INVALID_LOG);
        assertThat(errors.u64(128)).isZero();
        assertThat(read(0x02, 512).u64(176)).as("error log entries").isEqualTo(2);
    }

    @Test
    void shouldCountReadsAndWritesOfAllQueuesOfTheSubsystem() throws NamespaceException {
        add(1, 1);
        final MemoryTransport first = rig.io(rig.loop, Rig.controller(admin), 1);
        final MemoryTransport second = rig.io(rig.other, Rig.controller(admin), 2);
        first.send(SqeBuilder.io(Opcode.READ, 1, 0, 2).sgl(SqeBuilder.TRANSPORT, 1024));
        second.send(SqeBuilder.io(Opcode.WRITE, 1, 0, 1).sgl(SqeBuilder.IN_CAPSULE, 512), new byte[512]);
        second.send(SqeBuilder.io(Opcode.READ, 1, 0, 1).sgl(SqeBuilder.TRANSPORT, 512));
        second.lose();
        rig.turn();
        final Bytes smart = read(0x02, 512);
        assertThat(smart.u64(32)).as("data units read").isEqualTo(1);
        assertThat(smart.u64(48)).as("data units written").isEqualTo(1);
        assertThat(smart.u64(64)).as("reads").isEqualTo(2);
        assertThat(smart.u64(80)).as("writes").isEqualTo(1);
    }

    @Test
    void shouldShowTheFirmware() {
        final Bytes firmware = read(0x03, 512);
        assertThat(firmware.u8(0)).isEqualTo(1);
        assertThat(firmware.text(8, 8)).isEqualTo("0.1.0   ");
    }

    @Test
    void shouldForgetChangesOnlyWhenTheyWereReadForGood() throws NamespaceException {
        add(9, 1);
        add(4, 1);
        final SentCommand kept = admin.send(SqeBuilder.logPage(0x04, 4096, 0).dword(10, 1023L << 16 | RETAIN | 0x04));
        assertThat(new Bytes(kept.bytes()).u32(0)).isEqualTo(4);
        final Bytes changed = read(0x04, 4096);
        assertThat(changed.u32(0)).isEqualTo(4);
        assertThat(changed.u32(4)).isEqualTo(9);
        assertThat(changed.isZero(8, 4088)).isTrue();
        assertThat(read(0x04, 4096).isZero(0, 4096)).isTrue();
    }

    @Test
    void shouldSayThatTooManyNamespacesChanged() throws NamespaceException {
        final ChangedNamespaces changed = Rig.controller(admin).changedNamespaces();
        for (int nsid = 1; nsid <= 1025; nsid++) {
            changed.add(nsid);
        }
        final Bytes list = read(0x04, 4096);
        assertThat(list.u32(0)).isEqualTo(0xFFFF_FFFFL);
        assertThat(list.isZero(4, 4092)).isTrue();
    }

    @Test
    void shouldClaimTheEffectsOfTheCommandsItHas() {
        final Bytes effects = read(0x05, 4096);
        for (int opcode = 0; opcode < 256; opcode++) {
            final long expected = switch (opcode) {
                case 0x00, 0x02, 0x05, 0x0C, 0x7F -> 1;
                case 0x01, 0x08, 0x09 -> 3;
                default -> 0;
            };
            assertThat(effects.u32(1024 + opcode * 4)).as("I/O %02x", opcode).isEqualTo(expected);
        }
        assertThat(effects.u32(0x06 * 4)).isEqualTo(1);
        assertThat(effects.u32(0x01 * 4)).isZero();
    }

    @Test
    void n38_shouldShowGroupsWithTheirStatesAndNamespacesAndCountChanges() throws NamespaceException {
        add(1, 1);
        add(2, 5);
        add(3, 1);
        final long before = read(0x0C, 4096).u64(0);
        rig.subsystem.anaState(5, AnaState.INACCESSIBLE);
        rig.turn();

        final Bytes ana = read(0x0C, 4096);
        assertThat(ana.u64(0)).isEqualTo(before + 1);
        assertThat(ana.u16(8)).isEqualTo(2);
        assertThat(ana.u32(16)).as("group").isEqualTo(1);
        assertThat(ana.u32(20)).as("namespaces").isEqualTo(2);
        assertThat(ana.u8(32)).as("state").isEqualTo(1);
        assertThat(ana.u32(48)).isEqualTo(1);
        assertThat(ana.u32(52)).isEqualTo(3);
        assertThat(ana.u32(56)).as("group").isEqualTo(5);
        assertThat(ana.u32(60)).isEqualTo(1);
        assertThat(ana.u8(72)).as("state").isEqualTo(3);
        assertThat(ana.u32(88)).isEqualTo(2);

        final Bytes groups =
                new Bytes(admin.send(SqeBuilder.logPage(0x0C, 80, 0).dword(10, 19L << 16 | 1 << 8 | 0x0C))
                        .bytes());
        assertThat(groups.u32(20)).isZero();
        assertThat(groups.u32(48)).isEqualTo(5);
    }
}
