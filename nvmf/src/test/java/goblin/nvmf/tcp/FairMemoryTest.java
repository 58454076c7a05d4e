// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.ScriptedPair;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hosts that hold memory and do nothing about it, beside one that behaves. */
class FairMemoryTest {
    private static final int MIB = 1 << 20;

    private final ScriptedPair.Medium medium = new ScriptedPair.Medium(4 * MIB, 0);

    @Test
    void shouldServeOthersAtOnceBesideAHostThatReadsNothing() {
        try (MemoryRig rig = rig(8)) {
            final MemoryNetwork.Wire silent = rig.connected(1);
            silent.room(0);
            silent.arrive(join(Collections.nCopies(20, read(1, MIB)), true));
            rig.turns(3);
            assertThat(rig.tcp.credit().waiting()).isPositive();
            assertThat(rig.tcp.usedBytes()).isLessThan(8 * MIB);

            final MemoryNetwork.Wire other = rig.connected(1);
            other.arrive(read(1, MIB));
            rig.turns(3);
            assertThat(MemoryRig.sent(other)).contains(PduType.C2H_DATA);
            other.arrive(write(2, MIB));
            rig.turns(3);
            assertThat(MemoryRig.sent(other)).containsExactly(PduType.R2T);
        }
    }

    @Test
    void shouldLeaveMemoryWhenAllReadsComeAtOnce() {
        try (MemoryRig rig = rig(8)) {
            final MemoryNetwork.Wire silent = rig.connected(1);
            silent.room(0);
            silent.arrive(join(Collections.nCopies(30, read(1, MIB)), true));
            rig.turns(1);
            assertThat(rig.tcp.usedBytes()).isBetween(2L * MIB, 5L * MIB);
        }
    }

    @Test
    void shouldLetSeveralHoardersLeaveSomething() {
        try (MemoryRig rig = rig(16)) {
            for (int i = 0; i < 4; i++) {
                final MemoryNetwork.Wire silent = rig.connected(1);
                silent.room(0);
                silent.arrive(join(Collections.nCopies(30, read(1, MIB)), true));
                rig.turns(2);
            }
            final MemoryNetwork.Wire other = rig.connected(1);
            other.arrive(read(1, MIB));
            rig.turns(3);
            assertThat(MemoryRig.sent(other)).contains(PduType.C2H_DATA);
        }
    }

    @Test
    void shouldCopyCapsulesOfOthersBesideAHostThatReadsNothing() {
        try (MemoryRig rig = new MemoryRig(
                TargetRig.copied(TargetRig.options(MIB, MIB, 8192, 0, 8 * MIB, MIB)),
                side -> new ScriptedPair(side, medium))) {
            final MemoryNetwork.Wire silent = rig.connected(1);
            silent.room(0);
            silent.arrive(join(Collections.nCopies(20, read(1, MIB)), true));
            rig.turns(3);
            assertThat(rig.tcp.credit().waiting()).isPositive();

            final MemoryNetwork.Wire other = rig.connected(1);
            medium.delay(Duration.ofSeconds(1).toNanos());
            other.arrive(join(Collections.nCopies(20, capsule(1, 8192)), true));
            rig.turns(3);
            assertThat(rig.counter(TcpCounter.PAUSES)).isZero();
            rig.pass(Duration.ofSeconds(2));
            assertThat(MemoryRig.sent(other)).hasSize(20);
            medium.delay(0);
        }
    }

    @Test
    void shouldServeACapsuleThatHasNoPlaceInItsTurn() {
        medium.delay(Duration.ofSeconds(2).toNanos());
        try (MemoryRig rig = new MemoryRig(
                TargetRig.copied(TargetRig.options(MIB, MIB, 8192, 0, MIB, MIB)),
                side -> new ScriptedPair(side, medium))) {
            final MemoryNetwork.Wire hoarder = rig.connecting(1);
            final MemoryNetwork.Wire other = rig.connecting(1);
            rig.pass(Duration.ofSeconds(3));
            MemoryRig.sent(hoarder);
            MemoryRig.sent(other);
            hoarder.arrive(join(Collections.nCopies(20, read(1, MIB)), true));
            rig.turns(2);
            other.arrive(join(Collections.nCopies(4, capsule(1, 8192)), true));
            rig.turns(2);
            assertThat(rig.counter(TcpCounter.PAUSES)).isPositive();
            rig.pass(Duration.ofSeconds(8));
            assertThat(MemoryRig.sent(other)).hasSize(4);
            assertThat(rig.tcp.credit().waiting()).isPositive();
            medium.delay(0);
            rig.pass(Duration.ofSeconds(5));
        }
    }

    private MemoryRig rig(final int arenaMib) {
        return new MemoryRig(
                TargetRig.options(MIB, MIB, 8192, 0, (long) arenaMib * MIB, MIB),
                side -> new ScriptedPair(side, medium));
    }

    static byte[] read(final int cid, final int bytes) {
        return PduBuilder.capsule(
                        SqeBuilder.io(Opcode.READ, 1, 0, bytes / 512).cid(cid).sgl(SqeBuilder.TRANSPORT, bytes))
                .bytes();
    }

    static byte[] write(final int cid, final int bytes) {
        return PduBuilder.capsule(
                        SqeBuilder.io(Opcode.WRITE, 1, 0, bytes / 512).cid(cid).sgl(SqeBuilder.TRANSPORT, bytes))
                .bytes();
    }

    static byte[] capsule(final int cid, final int bytes) {
        return PduBuilder.capsule(
                        SqeBuilder.io(Opcode.WRITE, 1, 0, bytes / 512).cid(cid).sgl(SqeBuilder.IN_CAPSULE, bytes))
                .data(new byte[bytes])
                .bytes();
    }

    /** All in one piece; renumbered, each command gets an identifier of its own. */
    static byte[] join(final List<byte[]> pdus, final boolean renumbered) {
        final byte[] all = new byte[pdus.stream().mapToInt(pdu -> pdu.length).sum()];
        int at = 0;
        for (int i = 0; i < pdus.size(); i++) {
            final byte[] pdu = Arrays.copyOf(pdus.get(i), pdus.get(i).length);
            if (renumbered) {
                pdu[10] = (byte) (i + 1);
            }
            System.arraycopy(pdu, 0, all, at, pdu.length);
            at += pdu.length;
        }
        return all;
    }
}
