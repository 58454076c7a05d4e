// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.ScriptedPair;
import goblin.nvmf.target.SubsystemOptions;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetOptions;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

/** A host that sends commands and reads no answer: a legal one never has more unread than its queue has entries. */
class UnreadAnswersTest {
    private static final int MIB = 1 << 20;
    private static final int BATCH = 500;

    private final TcpOptions options = TargetRig.options(MIB, MIB, 8192, 0, MIB, MIB);

    @Test
    void shouldEndAHostThatNeverConnectsAndReadsNothing() {
        final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
        target.addSubsystem(SubsystemOptions.named("nqn.2014-08.org.example:s").withAnyHost());
        try (MemoryRig rig = new MemoryRig(options, target::open)) {
            final MemoryNetwork.Wire wire = rig.opened();
            wire.room(0);
            wire.arrive(flushes(BATCH));
            rig.turns(4);
            wire.arrive(flushes(BATCH));
            rig.turns(4);
            assertThat(rig.counter(TcpCounter.COMMANDS)).isLessThan(50);
            assertThat(rig.lines).anyMatch(line -> line.contains("more commands"));
        }
    }

    @Test
    void shouldEndAHostThatReadsEachAnswerButNeverConnects() {
        final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
        try (MemoryRig rig = new MemoryRig(options, target::open)) {
            final MemoryNetwork.Wire wire = rig.opened();
            for (int i = 0; i < 50; i++) {
                wire.arrive(flushes(1));
                rig.turns(2);
            }
            assertThat(rig.counter(TcpCounter.COMMANDS)).isLessThan(50);
            assertThat(rig.lines).anyMatch(line -> line.contains("without being connected"));
            assertThat(wire.isOpen()).isFalse();
        }
    }

    @Test
    void shouldEndAConnectedHostWithMoreUnreadAnswersThanItsQueueHasEntries() {
        final ScriptedPair.Medium medium = new ScriptedPair.Medium(MIB, 0);
        medium.depth(31);
        try (MemoryRig rig = new MemoryRig(options, side -> new ScriptedPair(side, medium))) {
            final MemoryNetwork.Wire other = rig.connected(1);
            final MemoryNetwork.Wire wire = rig.connected(1);
            wire.room(0);
            for (int i = 0; i < 10; i++) {
                wire.arrive(flushes(BATCH));
                rig.turns(4);
            }
            assertThat(rig.counter(TcpCounter.COMMANDS)).isLessThan(50);
            assertThat(rig.lines).anyMatch(line -> line.contains("more commands than the queue has entries"));

            other.arrive(flushes(1));
            rig.turns(3);
            assertThat(MemoryRig.sent(other)).hasSize(1);
        }
    }

    @Test
    void shouldKeepAHostThatReadsLateButLegally() {
        final ScriptedPair.Medium medium = new ScriptedPair.Medium(MIB, 0);
        medium.depth(31);
        try (MemoryRig rig = new MemoryRig(options, side -> new ScriptedPair(side, medium))) {
            final MemoryNetwork.Wire wire = rig.connected(1);
            for (int i = 0; i < 10; i++) {
                wire.room(0);
                wire.arrive(flushes(31));
                rig.turns(4);
                wire.room(Long.MAX_VALUE);
                rig.turns(4);
                assertThat(MemoryRig.sent(wire)).hasSize(31);
            }
        }
    }

    private static byte[] flushes(final int count) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            bytes.writeBytes(
                    PduBuilder.capsule(SqeBuilder.opcode(Opcode.FLUSH).nsid(1).cid(i + 1))
                            .bytes());
        }
        return bytes.toByteArray();
    }
}
