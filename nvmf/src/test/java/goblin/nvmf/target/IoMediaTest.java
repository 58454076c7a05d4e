// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.FaultReporter;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.namespace.StorageWorkers;
import goblin.nvmf.raw.SqeBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** I/O commands of two connected queues against media that keep what they are given, and an array that says what that is. */
class IoMediaTest {
    private static final int BLOCK = 512;
    private static final int BLOCKS = 64;
    private static final int HELD = 1;
    private static final int NOTHING = 2;

    /** What a host does: {@code kind}, where, with which bytes. */
    record Step(int kind, int first, int count, int filler, boolean otherQueue, int pieces) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 7),
                        Arbitraries.integers().between(0, BLOCKS - 1),
                        Arbitraries.integers().between(1, 8),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(1, 33))
                .as(Step::new)
                .list()
                .ofMaxSize(40);
    }

    @Property(tries = 150)
    void shouldKeepWhatAnArrayWouldKeep(@ForAll("steps") final List<Step> steps) throws NamespaceException {
        try (Bench bench = new Bench()) {
            for (final Step step : steps) {
                bench.run(step);
            }
            assertThat(bench.read(bench.first, 0, BLOCKS)).isEqualTo(bench.model);
        }
    }

    @Property(tries = 2000)
    void shouldAnswerEveryCommandOnceWhateverItsBits(
            @ForAll @Size(64) final byte[] noise, @ForAll @IntRange(max = 3) final int keep) throws NamespaceException {
        try (Bench bench = new Bench()) {
            // Some bits right, so that commands get further.
            final SqeBuilder sqe = SqeBuilder.opcode(0);
            final byte[] bytes = sqe.bytes();
            System.arraycopy(noise, 0, bytes, 0, noise.length);
            if (bytes[0] == Opcode.FABRICS) {
                bytes[0] = Opcode.WRITE;
            }
            if ((keep & 1) != 0) {
                sqe.u8(1, 0x40 | (noise[1] & 3)).nsid(HELD).u8(0, noise[0] & 15);
            }
            if ((keep & 2) != 0) {
                sqe.dword(10, noise[40] & 63).dword(11, noise[44] & 4).u16(48, noise[48] & 7);
                sqe.sgl(SqeBuilder.TRANSPORT, ((noise[48] & 7) + 1L) * BLOCK);
            }
            final SentCommand sent = bench.first.send(sqe, new byte[1 << 20]);
            bench.first.send(SqeBuilder.opcode(Opcode.FLUSH).nsid(HELD));
            assertThat(sent.isReturned()).isTrue();
            assertThat(sent.transfer() == Transfer.NONE || sent.dataLength() > 0)
                    .isTrue();
        }
    }

    @Test
    void shouldReadZerosFromAMediumThatKeepsNothing() throws NamespaceException {
        try (Bench bench = new Bench()) {
            bench.first.send(
                    SqeBuilder.io(Opcode.WRITE, NOTHING, 0, 1).sgl(SqeBuilder.TRANSPORT, BLOCK), bench.filled(1, 7));
            final SentCommand read =
                    bench.first.send(SqeBuilder.io(Opcode.READ, NOTHING, 0, 1).sgl(SqeBuilder.TRANSPORT, BLOCK));
            assertThat(read.status()).isZero();
            assertThat(read.bytes()).containsOnly(0).hasSize(BLOCK);
        }
    }

    @Test
    void n59_shouldAnswerThatANamespaceIsGone() throws NamespaceException {
        try (Bench bench = new Bench()) {
            bench.first.holdCredit();
            final SentCommand write = bench.first.send(
                    SqeBuilder.io(Opcode.WRITE, HELD, 0, 1).sgl(SqeBuilder.TRANSPORT, BLOCK), bench.filled(1, 7));
            bench.rig.subsystem.removeNamespace(HELD);
            bench.first.grant();
            assertThat(write.status()).isEqualTo(Status.INVALID_NAMESPACE | Status.DO_NOT_RETRY);
            final SentCommand later =
                    bench.first.send(SqeBuilder.io(Opcode.READ, HELD, 0, 1).sgl(SqeBuilder.TRANSPORT, BLOCK));
            assertThat(later.status()).isEqualTo(Status.INVALID_NAMESPACE | Status.DO_NOT_RETRY);
        }
    }

    @Test
    void shouldFindThatBlocksAreGoneWhenANamespaceShrinksMeanwhile() throws NamespaceException {
        try (Bench bench = new Bench()) {
            bench.first.holdCredit();
            final SentCommand write = bench.first.send(
                    SqeBuilder.io(Opcode.WRITE, HELD, BLOCKS - 1, 1).sgl(SqeBuilder.TRANSPORT, BLOCK),
                    bench.filled(1, 7));
            bench.rig.subsystem.resizeNamespace(HELD, 8);
            bench.first.grant();
            assertThat(write.status()).isEqualTo(Status.LBA_OUT_OF_RANGE | Status.DO_NOT_RETRY);
        }
    }

    private static final class Bench implements AutoCloseable {
        final Rig rig = new Rig();
        final byte[] model = new byte[BLOCKS * BLOCK];
        final MemoryTransport first;
        private final MemoryTransport second;
        private final StorageWorkers workers = new StorageWorkers(1, FaultReporter.STANDARD_ERROR);
        private final Namespace held = open("mem:32K");
        private final Namespace nothing = open("null:32K");

        Bench() throws NamespaceException {
            rig.subsystem.addNamespace(HELD, held, 1);
            rig.subsystem.addNamespace(NOTHING, nothing, 1);
            final Controller controller = Rig.controller(rig.admin());
            first = rig.io(rig.loop, controller, 1);
            second = rig.io(rig.other, controller, 2);
        }

        private Namespace open(final String spec) throws NamespaceException {
            return Namespaces.open(NamespaceSpec.parse(spec), BLOCK, Rig.NQN, 1, workers);
        }

        byte[] filled(final int count, final int filler) {
            final byte[] bytes = new byte[count * BLOCK];
            // Not the same in all blocks, so that a block in the wrong place is seen.
            final RandomGenerator random = RandomGeneratorFactory.getDefault().create(filler);
            random.nextBytes(bytes);
            return bytes;
        }

        byte[] read(final MemoryTransport on, final int at, final int count) {
            final SentCommand read = on.send(io(Opcode.READ, at, count));
            assertThat(read.status()).isZero();
            return read.bytes();
        }

        void run(final Step step) {
            final MemoryTransport on = step.otherQueue() ? second : first;
            on.cutInto(step.pieces());
            final int count = Math.min(step.count(), BLOCKS - step.first());
            final int from = step.first() * BLOCK;
            final int to = from + count * BLOCK;
            final byte[] data = filled(count, step.filler());
            final boolean same = Arrays.equals(model, from, to, data, 0, data.length);
            switch (step.kind()) {
                case 0 -> {
                    assertThat(on.send(io(Opcode.WRITE, step.first(), count), data)
                                    .status())
                            .isZero();
                    System.arraycopy(data, 0, model, from, data.length);
                }
                case 1 -> assertThat(read(on, step.first(), count)).isEqualTo(Arrays.copyOfRange(model, from, to));
                case 2 ->
                    assertThat(on.send(io(Opcode.COMPARE, step.first(), count), data)
                                    .status())
                            .isEqualTo(same ? 0 : Status.COMPARE_FAILURE);
                case 3 -> {
                    assertThat(on.send(SqeBuilder.io(Opcode.WRITE_ZEROES, HELD, step.first(), count))
                                    .status())
                            .isZero();
                    Arrays.fill(model, from, to, (byte) 0);
                }
                case 4 -> {
                    final byte[] ranges = ByteBuffer.allocate(32)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt(4, count)
                            .putLong(8, step.first())
                            .putInt(20, 1)
                            .putLong(24, 0)
                            .array();
                    final SqeBuilder dataset = SqeBuilder.opcode(Opcode.DATASET_MANAGEMENT)
                            .nsid(HELD)
                            .dword(10, 1)
                            .dword(11, 4)
                            .sgl(SqeBuilder.TRANSPORT, 32);
                    assertThat(on.send(dataset, ranges).status()).isZero();
                    Arrays.fill(model, from, to, (byte) 0);
                    Arrays.fill(model, 0, BLOCK, (byte) 0);
                }
                case 5, 6 -> {
                    final byte[] next = filled(count, step.filler() + 1);
                    final byte[] expected = step.kind() == 5 ? Arrays.copyOfRange(model, from, to) : data;
                    final boolean equal = step.kind() == 5 || same;
                    final SentCommand compare =
                            on.send(io(Opcode.COMPARE, step.first(), count).u8(1, 0x41), expected);
                    final SentCommand write =
                            on.send(io(Opcode.WRITE, step.first(), count).u8(1, 0x42), next);
                    assertThat(compare.status()).isEqualTo(equal ? 0 : Status.COMPARE_FAILURE);
                    assertThat(write.status()).isEqualTo(equal ? 0 : Status.ABORTED_FAILED_FUSED);
                    if (equal) {
                        System.arraycopy(next, 0, model, from, next.length);
                    }
                }
                default ->
                    assertThat(on.send(SqeBuilder.opcode(Opcode.FLUSH).nsid(0xFFFFFFFF))
                                    .status())
                            .isZero();
            }
        }

        private static SqeBuilder io(final int opcode, final int at, final int count) {
            return SqeBuilder.io(opcode, HELD, at, count).sgl(SqeBuilder.TRANSPORT, count * (long) BLOCK);
        }

        @Override
        public void close() {
            rig.close();
            held.close();
            nothing.close();
            workers.close();
        }
    }
}
