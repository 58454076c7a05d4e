// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.SqeBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** N33, N40, N55: the log that tells hosts where to go. */
class DiscoveryLogTest {
    private final Rig rig = new Rig();
    private final MemoryTransport discovery = rig.admin(Nqn.DISCOVERY, 0);

    @BeforeEach
    void listen() {
        rig.target.portals().addListener(new Portal("0.0.0.0", 4420));
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private SentCommand log(final int length, final long offset) {
        return discovery.send(SqeBuilder.logPage(0x70, length, offset));
    }

    private Bytes read(final int length, final long offset) {
        final SentCommand sent = log(length, offset);
        assertThat(sent.status()).isZero();
        return new Bytes(sent.bytes());
    }

    private static String padded(final Bytes bytes, final int offset, final int length) {
        return bytes.text(offset, length).replace('\0', ' ').stripTrailing();
    }

    @Test
    void n40_shouldTellTheAddressTheHostCameToWhereTheListenerHasAWildcard() {
        final Bytes log = read(2048, 0);
        assertThat(log.u64(8)).as("NUMREC").isEqualTo(1);
        assertThat(log.u16(16)).as("RECFMT").isZero();
        assertThat(log.u8(1024)).as("TRTYPE").isEqualTo(3);
        assertThat(log.u8(1025)).as("ADRFAM").isEqualTo(1);
        assertThat(log.u8(1026)).as("SUBTYPE").isEqualTo(2);
        assertThat(log.u16(1030)).as("CNTLID").isEqualTo(0xFFFF);
        assertThat(log.u16(1032)).as("ASQSZ").isEqualTo(128);
        assertThat(log.text(1024 + 32, 32)).as("TRSVCID").isEqualTo("4420" + " ".repeat(28));
        assertThat(padded(log, 1024 + 256, 256)).isEqualTo(Rig.NQN);
        assertThat(log.text(1024 + 512, 256)).as("TRADDR").isEqualTo("192.0.2.1" + " ".repeat(247));
    }

    @Test
    void n55_shouldNeitherAskForNorOfferSecureChannels() {
        final Bytes log = read(2048, 0);
        assertThat(log.u8(1027)).as("TREQ").isZero();
        assertThat(log.isZero(1024 + 768, 256)).as("TSAS").isTrue();
    }

    @Test
    void n40_shouldGiveWholeRecordsAndASteadyHeaderInPieces() {
        for (int i = 0; i < 9; i++) {
            rig.target.addSubsystem(SubsystemOptions.named(Rig.NQN + i).withAnyHost());
        }
        final Bytes header = read(16, 0);
        assertThat(header.u64(8)).isEqualTo(10);
        final List<String> names = new ArrayList<>();
        for (int at = 1024; at < 11 * 1024; at += 4096) {
            final Bytes piece = read(4096, at);
            for (int record = 0; record < 4 && at + record * 1024 < 11 * 1024; record++) {
                names.add(padded(piece, record * 1024 + 256, 256));
            }
        }
        assertThat(names).hasSize(10).doesNotHaveDuplicates();
        assertThat(padded(read(1024, 4096), 256, 256)).isEqualTo(names.get(3));
        assertThat(padded(read(1024, 8192), 256, 256)).isEqualTo(names.get(7));
        final Bytes again = read(1024, 0);
        assertThat(again.u64(0)).isEqualTo(header.u64(0));
        assertThat(again.u64(8)).isEqualTo(10);
        assertThat(log(1024, 11 * 1024).status()).isZero();
        assertThat(log(1024, 11 * 1024 + 4).status()).isEqualTo(Status.INVALID_FIELD | Status.DO_NOT_RETRY);
    }

    @Test
    void n40_shouldCountGenerations() {
        final long before = read(16, 0).u64(0);
        rig.target.portals().addReferral(new Portal("192.0.2.9", 8009));
        final Bytes log = read(3072, 0);
        assertThat(log.u64(0)).isGreaterThan(before);
        assertThat(log.u64(8)).isEqualTo(2);
        assertThat(log.u8(2048 + 2)).as("SUBTYPE").isEqualTo(1);
        assertThat(padded(log, 2048 + 256, 256)).isEqualTo(Nqn.DISCOVERY);
        assertThat(padded(log, 2048 + 512, 256)).isEqualTo("192.0.2.9");
        assertThat(padded(log, 2048 + 32, 32)).isEqualTo("8009");
    }

    @Test
    void shouldShowAHostOnlyWhatItMayConnectTo() {
        rig.target.addSubsystem(SubsystemOptions.named("nqn.2026-01.io.example:closed")
                .withHosts(Set.of("nqn.2026-01.io.example:somebody-else")));
        assertThat(read(16, 0).u64(8)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0,192.0.2.1:4420,192.0.2.1",
        "0.0.0.0,[2001:db8::1]:4420,",
        "::,[2001:db8::1]:4420,2001:db8::1",
        "::,[::ffff:192.0.2.1]:4420,192.0.2.1",
        "::,[::1]:4420,::1",
        "::,not connected,",
        "198.51.100.4,192.0.2.1:4420,198.51.100.4",
        "198.51.100.4,127.0.0.1:4420,198.51.100.4",
        "127.0.0.9,192.0.2.1:4420,",
        "127.0.0.9,not connected,",
        "127.0.0.9,127.0.0.1:4420,127.0.0.9",
        "127.0.0.9,[::ffff:127.0.0.1]:4420,127.0.0.9",
        "::1,[2001:db8::1]:4420,",
        "::1,127.0.0.1:4420,::1"
    })
    void n40_shouldReplaceWildcardsAndHideLoopbackFromOthers(
            final String listener, final String asked, final String told) {
        final Portal seen = new Portal(listener, 8009).seenFrom(Portal.parse(asked));
        assertThat(seen).isEqualTo(told == null ? null : new Portal(told, 8009));
    }

    @Test
    void n33_shouldServeAPersistentControllerForHours() {
        final MemoryTransport persistent = rig.admin(Nqn.DISCOVERY, 30_000);
        for (int minutes = 0; minutes < 180; minutes++) {
            for (int i = 0; i < 3; i++) {
                rig.advanceMs(20_000);
                assertThat(persistent.send(SqeBuilder.opcode(Opcode.KEEP_ALIVE)).status())
                        .isZero();
            }
        }
        assertThat(persistent.send(SqeBuilder.logPage(0x70, 1024, 0)).status()).isZero();
    }
}
