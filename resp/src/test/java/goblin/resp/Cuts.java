// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** The one helper of every decoder's test: whatever the cuts, the outcome is that of the uncut stream. */
final class Cuts {
    private static final int RANDOM_CUTS = 20;

    private Cuts() {}

    /** Feeds a stream whole, cut at each place, byte by byte, and in random pieces; returns the common outcome. */
    static List<String> everywhere(final byte[] stream, final BiFunction<byte[], int[], List<String>> feed) {
        final List<String> expected = feed.apply(stream, new int[0]);
        for (int cut = 1; cut < stream.length; cut++) {
            shouldBeTheSame(feed, stream, expected, cut);
        }
        final int[] everyByte = IntStream.range(1, Math.max(1, stream.length)).toArray();
        shouldBeTheSame(feed, stream, expected, everyByte);
        final Random random = new Random(stream.length);
        for (int i = 0; i < RANDOM_CUTS && stream.length > 2; i++) {
            final int[] cuts =
                    random.ints(3, 1, stream.length).sorted().distinct().toArray();
            assertThat(feed.apply(stream, cuts)).as("cut at %s", cuts).isEqualTo(expected);
        }
        return expected;
    }

    private static void shouldBeTheSame(
            final BiFunction<byte[], int[], List<String>> feed,
            final byte[] stream,
            final List<String> expected,
            final int... cuts) {
        final List<String> actual = feed.apply(stream, cuts);
        // Asked so often that the assertion's own cost would count.
        if (!actual.equals(expected)) {
            assertThat(actual).as("cut at %s", Arrays.toString(cuts)).isEqualTo(expected);
        }
    }
}
