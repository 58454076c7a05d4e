// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.ScriptedPair;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hosts that keep memory without moving what it is for, and strangers: they lose it in bounded time. */
class HoarderTest {
    private static final int MIB = 1 << 20;

    private final ScriptedPair.Medium medium = new ScriptedPair.Medium(4 * MIB, 0);
    private final TcpOptions options = TargetRig.options(MIB, MIB, 8192, 0, MIB, MIB);

    @Test
    void shouldEndAHostThatDoesNotConnectInTime() {
        try (MemoryRig rig = rig(options)) {
            final MemoryNetwork.Wire stranger = rig.opened();
            rig.pass(Duration.ofSeconds(15));
            // Whatever it sends, it is not connected.
            stranger.arrive(flush(1));
            rig.pass(Duration.ofSeconds(14));
            assertThat(stranger.isOpen()).isTrue();
            rig.pass(Duration.ofSeconds(3));
            assertThat(stranger.isOpen()).isFalse();
            assertThat(rig.lines).anyMatch(line -> line.contains("did not connect its queue"));
        }
    }

    @Test
    void shouldGiveStrangersNothingOfWhatOthersNeed() {
        try (MemoryRig rig = rig(options)) {
            final SqeBuilder connect = SqeBuilder.connect(0, 31, 4, 0).sgl(SqeBuilder.TRANSPORT, 1024);
            MemoryNetwork.Wire stranger = null;
            for (int i = 0; i < 300; i++) {
                stranger = rig.opened();
                stranger.arrive(PduBuilder.capsule(connect.cid(7)).bytes());
                rig.turns(2);
                assertThat(MemoryRig.sent(stranger)).containsExactly(PduType.R2T);
            }
            assertThat(rig.tcp.usedBytes()).isZero();
            // One of them meant it.
            stranger.arrive(PduBuilder.h2cData(7, 1, 0, new ConnectData("nqn.2014-08.org.example:b").bytes())
                    .bytes());
            rig.turns(2);
            assertThat(MemoryRig.sent(stranger)).containsExactly(PduType.CAPSULE_RESP);
        }
    }

    @Test
    void shouldKeepNoSegmentsOfAStrangerWhoSendsByteByByte() {
        try (MemoryRig rig = rig(options)) {
            final MemoryNetwork.Wire stranger = rig.opened();
            final SqeBuilder connect = SqeBuilder.connect(0, 31, 4, 0).sgl(SqeBuilder.IN_CAPSULE, 1024);
            final byte[] capsule = PduBuilder.capsule(connect)
                    .data(new ConnectData("nqn.2014-08.org.example:b").bytes())
                    .bytes();
            for (final byte one : capsule) {
                assertThat(rig.network.lentBytes()).isZero();
                stranger.arrive(new byte[] {one});
                rig.turns(1);
            }
            rig.turns(2);
            assertThat(MemoryRig.sent(stranger)).containsExactly(PduType.CAPSULE_RESP);
        }
    }

    @Test
    void shouldAnswerShortAdminCommandsBesideLongLogsThatNobodyReads() {
        try (MemoryRig rig = rig(options)) {
            final MemoryNetwork.Wire hoarder = rig.connected(0);
            hoarder.room(0);
            hoarder.arrive(FairMemoryTest.read(1, MIB));
            rig.turns(3);
            assertThat(rig.tcp.usedBytes()).isEqualTo(MIB);
            final MemoryNetwork.Wire other = rig.connected(0);
            other.arrive(FairMemoryTest.read(1, 4096));
            rig.turns(3);
            assertThat(MemoryRig.sent(other)).contains(PduType.C2H_DATA);
            // A long log as well, when the hoarder has had his time.
            other.arrive(FairMemoryTest.read(2, MIB));
            rig.pass(Duration.ofSeconds(35));
            assertThat(MemoryRig.sent(other)).contains(PduType.C2H_DATA);
        }
    }

    @Test
    void shouldNotTakeOtherCommandsForTheDataThatAHostIsAskedFor() {
        try (MemoryRig rig = rig(options)) {
            final MemoryNetwork.Wire hoarder = rig.connected(1);
            hoarder.arrive(FairMemoryTest.write(1, MIB));
            rig.turns(2);
            final MemoryNetwork.Wire other = rig.connected(1);
            other.arrive(FairMemoryTest.read(1, MIB));
            for (int i = 0; i < 4; i++) {
                assertThat(rig.counter(TcpCounter.STALLED)).isZero();
                hoarder.arrive(flush(2));
                rig.pass(Duration.ofSeconds(8));
            }
            assertThat(rig.counter(TcpCounter.STALLED)).isEqualTo(1);
            assertThat(MemoryRig.sent(other)).contains(PduType.C2H_DATA);
        }
    }

    @Test
    void shouldNotTakeAFewBytesForTheDataThatAHostIsAskedFor() {
        try (MemoryRig rig = rig(options)) {
            final MemoryNetwork.Wire hoarder = rig.connected(1);
            hoarder.arrive(FairMemoryTest.write(1, MIB));
            rig.turns(2);
            final byte[] data = PduBuilder.h2cData(1, 1, 0, new byte[MIB]).bytes();
            final MemoryNetwork.Wire other = rig.connected(1);
            other.arrive(FairMemoryTest.read(1, MIB));
            for (int i = 0; i < 4; i++) {
                assertThat(rig.counter(TcpCounter.STALLED)).isZero();
                hoarder.arrive(Arrays.copyOfRange(data, i * 1000, i * 1000 + 1000));
                rig.pass(Duration.ofSeconds(8));
            }
            assertThat(rig.counter(TcpCounter.STALLED)).isEqualTo(1);
        }
    }

    @Test
    void shouldNotTakeAFewBytesForReading() {
        try (MemoryRig rig = rig(options)) {
            final MemoryNetwork.Wire hoarder = rig.connected(1);
            hoarder.room(1);
            hoarder.arrive(FairMemoryTest.read(1, MIB));
            rig.turns(2);
            final MemoryNetwork.Wire other = rig.connected(1);
            other.arrive(FairMemoryTest.read(1, MIB));
            rig.pass(Duration.ofSeconds(29));
            assertThat(rig.counter(TcpCounter.STALLED)).isZero();
            rig.pass(Duration.ofSeconds(3));
            assertThat(rig.counter(TcpCounter.STALLED)).isEqualTo(1);
            assertThat(MemoryRig.sent(other)).contains(PduType.C2H_DATA);
        }
    }

    @Test
    void shouldEndAHostThatLeavesOneOfItsWritesAloneWhileOthersWait() {
        try (MemoryRig rig = rig(options)) {
            final MemoryNetwork.Wire hoarder = rig.connected(1);
            hoarder.arrive(FairMemoryTest.write(1, MIB / 4));
            rig.turns(2);
            for (int i = 0; i < 5; i++) {
                rig.pass(Duration.ofSeconds(10));
                hoarder.arrive(FairMemoryTest.write(2, MIB / 4));
                rig.turns(2);
                hoarder.arrive(PduBuilder.h2cData(2, 2, 0, new byte[MIB / 4]).bytes());
                rig.turns(2);
                assertThat(MemoryRig.sent(hoarder)).contains(PduType.CAPSULE_RESP);
            }
            final MemoryNetwork.Wire other = rig.connected(1);
            other.arrive(FairMemoryTest.read(1, MIB));
            rig.pass(Duration.ofSeconds(9));
            assertThat(rig.counter(TcpCounter.STALLED)).isZero();
            rig.pass(Duration.ofSeconds(3));
            assertThat(rig.counter(TcpCounter.STALLED)).isEqualTo(1);
            assertThat(MemoryRig.sent(other)).contains(PduType.C2H_DATA);
        }
    }

    @Test
    void shouldReadDataBehindACapsuleThatHasNoPlaceForLong() {
        try (MemoryRig rig = rig(TargetRig.copied(options))) {
            final MemoryNetwork.Wire wire = rig.connected(1);
            wire.arrive(FairMemoryTest.write(1, MIB));
            rig.turns(2);
            assertThat(MemoryRig.sent(wire)).containsExactly(PduType.R2T);
            medium.delay(Duration.ofSeconds(20).toNanos());
            wire.arrive(FairMemoryTest.capsule(2, 8192));
            rig.turns(2);
            medium.delay(0);
            wire.arrive(FairMemoryTest.capsule(3, 8192));
            wire.arrive(FairMemoryTest.capsule(4, 8192));
            wire.arrive(PduBuilder.h2cData(1, 1, 0, new byte[MIB]).bytes());
            rig.pass(Duration.ofSeconds(4));
            assertThat(MemoryRig.sent(wire)).isEmpty();
            rig.pass(Duration.ofSeconds(3));
            // Both capsules are to be tried again, the write is done.
            assertThat(MemoryRig.sent(wire))
                    .containsExactly(PduType.CAPSULE_RESP, PduType.CAPSULE_RESP, PduType.CAPSULE_RESP);
            assertThat(rig.counter(TcpCounter.CAPSULES_GIVEN_UP)).isEqualTo(2);
            rig.pass(Duration.ofSeconds(20));
        }
    }

    @Test
    void shouldLetFewConnectionsKeepSegmentsUnread() {
        medium.delay(Duration.ofSeconds(20).toNanos());
        try (MemoryRig rig = rig(TargetRig.copied(options))) {
            final MemoryNetwork.Wire hoarder = rig.connecting(1);
            final MemoryNetwork.Wire first = rig.connecting(1);
            final MemoryNetwork.Wire second = rig.connecting(1);
            rig.pass(Duration.ofSeconds(21));
            MemoryRig.sent(first);
            MemoryRig.sent(second);
            hoarder.arrive(FairMemoryTest.read(1, MIB));
            rig.turns(2);
            final byte[] two = FairMemoryTest.join(
                    List.of(FairMemoryTest.capsule(1, 8192), FairMemoryTest.capsule(2, 8192)), true);
            first.arrive(two);
            rig.turns(2);
            second.arrive(two);
            rig.turns(2);
            // 1 MiB of segments: one may be kept.
            assertThat(rig.counter(TcpCounter.PAUSES)).isEqualTo(1);
            assertThat(rig.counter(TcpCounter.CAPSULES_GIVEN_UP)).isEqualTo(1);
            medium.delay(0);
            rig.pass(Duration.ofSeconds(21));
            assertThat(MemoryRig.sent(first)).hasSize(2);
            assertThat(MemoryRig.sent(second)).hasSize(2);
        }
    }

    @Test
    void shouldGiveAFusedSecondMemoryThatAdminQueuesDoNotNeed() {
        try (MemoryRig rig = rig(options)) {
            final MemoryNetwork.Wire hoarder = rig.connected(1);
            hoarder.arrive(FairMemoryTest.write(1, MIB));
            final MemoryNetwork.Wire pair = rig.connected(1);
            pair.arrive(PduBuilder.capsule(SqeBuilder.io(Opcode.WRITE, 1, 0, MIB / 512)
                            .u8(1, 0x42)
                            .cid(2)
                            .sgl(SqeBuilder.TRANSPORT, MIB))
                    .bytes());
            rig.turns(3);
            assertThat(MemoryRig.sent(pair)).containsExactly(PduType.R2T);
            final MemoryNetwork.Wire admin = rig.connected(0);
            admin.arrive(FairMemoryTest.read(1, MIB));
            rig.turns(3);
            assertThat(MemoryRig.sent(admin)).contains(PduType.C2H_DATA);
        }
    }

    @Test
    void shouldEndAHostWhoseFusedSecondNeverComesWhileOthersWait() {
        try (MemoryRig rig = rig(options)) {
            final MemoryNetwork.Wire hoarder = rig.connected(1);
            final MemoryNetwork.Wire other = rig.connected(1);
            medium.delay(Duration.ofSeconds(100).toNanos());
            hoarder.arrive(PduBuilder.capsule(SqeBuilder.io(Opcode.READ, 1, 0, MIB / 512)
                            .u8(1, 0x41)
                            .cid(1)
                            .sgl(SqeBuilder.TRANSPORT, MIB))
                    .bytes());
            rig.turns(2);
            other.arrive(FairMemoryTest.read(1, MIB));
            rig.pass(Duration.ofSeconds(59));
            assertThat(rig.counter(TcpCounter.STALLED)).isZero();
            rig.pass(Duration.ofSeconds(3));
            assertThat(rig.counter(TcpCounter.STALLED)).isEqualTo(1);
            medium.delay(0);
            rig.pass(Duration.ofSeconds(50));
            assertThat(MemoryRig.sent(other)).contains(PduType.C2H_DATA);
        }
    }

    private MemoryRig rig(final TcpOptions how) {
        return new MemoryRig(how, side -> new ScriptedPair(side, medium));
    }

    private static byte[] flush(final int cid) {
        return PduBuilder.capsule(SqeBuilder.opcode(Opcode.FLUSH).nsid(1).cid(cid))
                .bytes();
    }
}
