// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * One history of writes, durable writes, clearings and flushes, several at once, that ends with a power cut; then every
 * block must hold what was promised last or something written after it. Each write stamps its blocks with a number of its
 * own.
 */
final class PowerCutHistory {
    private static final int BLOCK = PowerCutFile.SECTOR;
    private static final int BLOCKS = 32;
    private static final int BATCHES = 40;
    private static final int MAX_IN_BATCH = 5;

    private final Random random;
    private final MediumRig rig;
    private final PowerCutFile file;
    private final Namespace namespace;

    // For each block: what was written, in order; up to where completed, and up to where promised.
    private final List<List<Long>> written = new ArrayList<>();
    private final int[] completed = new int[BLOCKS];
    private final int[] promised = new int[BLOCKS];
    private long stamp;

    /** One operation under way; a flush has no blocks. */
    private record Step(TestOperation operation, int first, int count) {}

    private PowerCutHistory(final long seed, final UnaryOperator<BackingFile> mutation, final MediumRig rig) {
        random = new Random(seed);
        this.rig = rig;
        final int cut = 1 + random.nextInt(60);
        final int failure = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : Integer.MAX_VALUE;
        final int noRoom = random.nextInt(4) == 0 ? 1 + random.nextInt(40) : Integer.MAX_VALUE;
        file = new PowerCutFile(BLOCKS, cut, failure, noRoom, random);
        namespace = ArrayFile.over(mutation.apply(file), BLOCK, rig);
        for (int i = 0; i < BLOCKS; i++) {
            written.add(new ArrayList<>(List.of(0L)));
        }
    }

    /** Plays the history of a seed on a file seen through {@code mutation}; what is broken, or null. */
    static String play(final long seed, final UnaryOperator<BackingFile> mutation, final MediumRig rig) {
        final PowerCutHistory history = new PowerCutHistory(seed, mutation, rig);
        for (int i = 0; i < BATCHES && !history.file.isOff(); i++) {
            history.batch();
        }
        final String broken = history.check(history.file.afterwards());
        history.namespace.close();
        return broken;
    }

    private void batch() {
        final boolean[] used = new boolean[BLOCKS];
        final List<Step> steps = new ArrayList<>();
        final int count = 1 + random.nextInt(MAX_IN_BATCH);
        for (int i = 0; i < count; i++) {
            if (random.nextInt(5) == 0) {
                steps.add(new Step(TestOperation.flush(), 0, 0));
                continue;
            }
            final int first = random.nextInt(BLOCKS);
            final int blocks = 1 + random.nextInt(Math.min(4, BLOCKS - first));
            // Two writes of one block at once may end in either order: nothing would be promised.
            if (isFree(used, first, blocks)) {
                Arrays.fill(used, first, first + blocks, true);
                steps.add(new Step(change(first, blocks), first, blocks));
            }
        }
        // A flush answers for what had completed when it was asked.
        final int[] covered = completed.clone();
        for (final Step step : steps) {
            rig.submit(namespace, step.operation);
        }
        for (final Step step : steps) {
            if (step.operation.await() == BlockOutcome.DONE) {
                done(step, covered);
            }
            step.operation.close();
        }
    }

    private TestOperation change(final int first, final int blocks) {
        final boolean zeros = random.nextInt(6) == 0;
        final long value = zeros ? 0 : ++stamp;
        for (int i = 0; i < blocks; i++) {
            written.get(first + i).add(value);
        }
        final TestOperation operation = zeros
                ? TestOperation.plain(BlockCommand.WRITE_ZEROES, (long) first * BLOCK, (long) blocks * BLOCK)
                : TestOperation.write((long) first * BLOCK, stamped(value, blocks))
                        .cut(BLOCK);
        return random.nextInt(3) == 0 ? operation.durably() : operation;
    }

    private void done(final Step step, final int[] covered) {
        if (step.count == 0) {
            for (int i = 0; i < BLOCKS; i++) {
                promised[i] = Math.max(promised[i], covered[i]);
            }
            return;
        }
        for (int i = step.first; i < step.first + step.count; i++) {
            completed[i] = written.get(i).size() - 1;
            if (step.operation.durable()) {
                promised[i] = completed[i];
            }
        }
    }

    private String check(final byte[][] image) {
        for (int i = 0; i < BLOCKS; i++) {
            final ByteBuffer block = ByteBuffer.wrap(image[i]).order(ByteOrder.LITTLE_ENDIAN);
            final long holds = block.getLong(0);
            if (!Arrays.equals(image[i], stamped(holds, 1))) {
                return "block " + i + " is torn";
            }
            final List<Long> allowed =
                    written.get(i).subList(promised[i], written.get(i).size());
            if (!allowed.contains(holds)) {
                return "block " + i + " holds " + holds + " and not one of " + allowed;
            }
        }
        return null;
    }

    private static boolean isFree(final boolean[] used, final int first, final int blocks) {
        for (int i = first; i < first + blocks; i++) {
            if (used[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] stamped(final long value, final int blocks) {
        final ByteBuffer data = ByteBuffer.allocate(blocks * BLOCK).order(ByteOrder.LITTLE_ENDIAN);
        while (data.hasRemaining()) {
            data.putLong(value);
        }
        return data.array();
    }
}
