// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryNamespaceTest {
    private static final int BLOCK = 4096;

    private final MediumRig rig = new MediumRig();

    @AfterEach
    void stop() {
        rig.close();
        assertThat(rig.faults).isEmpty();
    }

    @Test
    void shouldCompleteBeforeSubmitReturns() {
        try (Namespace namespace = rig.open("mem:1M", BLOCK);
                TestOperation write = TestOperation.write(BLOCK, block(7))) {
            namespace.submit(write, rig.inbox);
            assertThat(write.isDone()).isTrue();
            assertThat(rig.read(namespace, 0, BLOCK)).containsOnly(0);
            assertThat(rig.read(namespace, BLOCK, BLOCK)).isEqualTo(block(7));
        }
    }

    @Test
    void shouldClearLargeRangesOnAWorkerWithoutTouchingTheirNeighbours() {
        try (Namespace namespace = rig.open("mem:40M", BLOCK)) {
            final long last = (40L << 20) - BLOCK;
            for (long at = 0; at <= last; at += 1 << 20) {
                rig.run(namespace, TestOperation.write(at, block(1)));
            }
            rig.run(namespace, TestOperation.write(last, block(2)));
            assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.DEALLOCATE, BLOCK, last - BLOCK)))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(rig.read(namespace, 0, BLOCK)).isEqualTo(block(1));
            assertThat(rig.read(namespace, last, BLOCK)).isEqualTo(block(2));
            for (long at = 1 << 20; at < last; at += 1 << 20) {
                assertThat(rig.read(namespace, at, BLOCK)).containsOnly(0);
            }
        }
    }

    @Test
    void shouldKeepContentsAndShowZerosWhenItShrinksAndGrows() throws NamespaceException {
        try (Namespace namespace = rig.open("mem:8M", BLOCK)) {
            rig.run(namespace, TestOperation.write(0, block(1)));
            rig.run(namespace, TestOperation.write((8 << 20) - BLOCK, block(2)));
            namespace.resize(256);
            assertThat(namespace.blocks()).isEqualTo(256);
            assertThat(rig.run(namespace, TestOperation.write((8 << 20) - BLOCK, block(3))))
                    .isEqualTo(BlockOutcome.OUT_OF_RANGE);
            namespace.resize(1 << 14);
            assertThat(rig.read(namespace, 0, BLOCK)).isEqualTo(block(1));
            assertThat(rig.read(namespace, (8 << 20) - BLOCK, BLOCK)).containsOnly(0);
            final long last = (64L << 20) - BLOCK;
            rig.run(namespace, TestOperation.write(last, block(4)));
            assertThat(rig.read(namespace, last, BLOCK)).isEqualTo(block(4));
        }
    }

    @Test
    void shouldTouchNothingForAFencedWriter() {
        try (Namespace namespace = rig.open("mem:1M", BLOCK)) {
            assertThat(rig.run(namespace, TestOperation.write(0, block(1)).fence()))
                    .isEqualTo(BlockOutcome.FENCED);
            assertThat(rig.run(
                            namespace,
                            TestOperation.compareAndWrite(0, block(0), block(1)).fence()))
                    .isEqualTo(BlockOutcome.FENCED);
            assertThat(rig.read(namespace, 0, BLOCK)).containsOnly(0);
        }
    }

    @Test
    void shouldTakeNothingOnceRetired() {
        final Namespace namespace = rig.open("mem:1M", BLOCK);
        namespace.retire();
        assertThat(rig.run(namespace, TestOperation.read(0, BLOCK))).isEqualTo(BlockOutcome.REMOVED);
        assertThatThrownBy(() -> namespace.resize(1)).isInstanceOf(NamespaceException.class);
        namespace.close();
        assertThat(rig.run(namespace, TestOperation.flush())).isEqualTo(BlockOutcome.REMOVED);
    }

    @Test
    void shouldBeSomebodyElseAfterEachStartUnlessNamed() {
        try (Namespace first = rig.open("mem:1M", BLOCK);
                Namespace second = rig.open("mem:1M", BLOCK);
                Namespace named = rig.open("null:1M,uuid=11111111-2222-3333-4444-555555555555", BLOCK)) {
            assertThat(first.identity()).isNotEqualTo(second.identity());
            assertThat(named.identity().uuid()).hasToString("11111111-2222-3333-4444-555555555555");
            assertThat(named.identity().nguidHigh()).isEqualTo(0x1111111122223333L);
        }
    }

    @Test
    void shouldNotPromiseMoreThanTheMachineHas() throws NamespaceException {
        final long all = MachineMemory.now().total();
        for (final String size : List.of("1000000T", "8191T", all + BLOCK + "")) {
            assertThatThrownBy(() -> rig.open("mem:" + size, BLOCK))
                    .hasRootCauseInstanceOf(NamespaceException.class)
                    .hasMessageContaining("there is no memory for ");
        }
        final long most = all / 4 * 3 / BLOCK * BLOCK;
        try (Namespace first = rig.open("mem:" + most, BLOCK)) {
            assertThatThrownBy(() -> rig.open("mem:" + most, BLOCK))
                    .hasMessageContaining("promised to namespaces already");
            assertThatThrownBy(() -> first.resize(1L << 50)).hasMessageContaining("there is no memory for ");
            assertThatThrownBy(() -> first.resize(2 * first.blocks())).hasMessageContaining("there is no memory for ");
            assertThat(rig.run(first, TestOperation.write(most - BLOCK, block(1))))
                    .isEqualTo(BlockOutcome.DONE);
        }
        try (Namespace again = rig.open("mem:" + most, BLOCK)) {
            again.resize(1);
            assertThatThrownBy(() -> rig.open("mem:" + most, BLOCK)).hasMessageContaining("promised");
        }
        assertThat(Namespaces.warning(NamespaceSpec.parse("mem:" + all))).isPresent();
        assertThat(Namespaces.warning(NamespaceSpec.parse("mem:1M"))).isEmpty();
        assertThat(Namespaces.warning(NamespaceSpec.parse("null:1000T"))).isEmpty();
    }

    @Test
    void shouldRoundItsSizeDownToBlocks() {
        try (Namespace namespace = rig.open("mem:10000", BLOCK)) {
            assertThat(namespace.blocks()).isEqualTo(2);
        }
        assertThatThrownBy(() -> rig.open("mem:4095", BLOCK)).hasMessageContaining("smaller than one block");
    }

    @Test
    void shouldReadZerosFromNothing() {
        try (Namespace namespace = rig.open("null:1T", BLOCK)) {
            assertThat(rig.run(namespace, TestOperation.write(0, block(9)))).isEqualTo(BlockOutcome.DONE);
            assertThat(rig.read(namespace, 0, 9 * BLOCK)).containsOnly(0);
            assertThat(rig.run(namespace, TestOperation.compare(0, new byte[9 * BLOCK])))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(rig.run(namespace, TestOperation.compare(0, block(9)))).isEqualTo(BlockOutcome.MISCOMPARE);
        }
    }

    private static byte[] block(final int value) {
        final byte[] block = new byte[BLOCK];
        Arrays.fill(block, (byte) value);
        return block;
    }
}
