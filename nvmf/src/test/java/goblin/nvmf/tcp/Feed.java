// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Feeds streams to a reader, cut in whatever way. */
final class Feed {
    /** As in our target: the capsule bound lies above every limit a queue announces. */
    static final long MAX_CAPSULE_DATA = 64 * 1024;

    static final long MAX_DATA = 1 << 20;

    private static final int RANDOM_CUTS = 20;

    private final Function<EventLog, PduReader> maker;
    private boolean headerDigest;
    private boolean dataDigest;
    private int alignment;
    private int waits;

    private Feed(final Function<EventLog, PduReader> maker) {
        this.maker = maker;
    }

    static Feed toController() {
        return new Feed(log -> PduReader.ofController(log, new Crc32c(), MAX_CAPSULE_DATA, MAX_DATA));
    }

    static Feed toHost() {
        return new Feed(log -> PduReader.ofHost(log, new Crc32c(), MAX_DATA));
    }

    /** What is agreed at the first PDU. */
    Feed agreeing(final boolean headerDigests, final boolean dataDigests, final int dataAlignment) {
        headerDigest = headerDigests;
        dataDigest = dataDigests;
        alignment = dataAlignment;
        return this;
    }

    /** How often each header is told to wait. */
    Feed waiting(final int times) {
        waits = times;
        return this;
    }

    List<String> events(final byte[] stream, final int... cuts) {
        return events(stream, state -> {}, cuts);
    }

    /** Events of a stream cut at some rising places; sees the reader's state after every step. */
    List<String> events(final byte[] stream, final Consumer<PduReader.State> states, final int... cuts) {
        final EventLog log = new EventLog(headerDigest, dataDigest, alignment, waits);
        try (PduReader reader = maker.apply(log)) {
            log.reader(reader);
            int from = 0;
            for (int i = 0; i <= cuts.length; i++) {
                final int to = i == cuts.length ? stream.length : cuts[i];
                if (to > from) {
                    readAll(reader, new NativeSegment(stream, from, to), states);
                }
                from = to;
            }
        }
        return log.events();
    }

    /** Feeds a stream whole, cut at each place, byte by byte, and in random pieces; returns the common events. */
    List<String> everywhere(final byte[] stream) {
        final List<String> expected = events(stream);
        for (int cut = 1; cut < stream.length; cut++) {
            shouldFind(expected, stream, cut);
        }
        shouldFind(expected, stream, IntStream.range(1, stream.length).toArray());
        final Random random = new Random(stream.length);
        for (int i = 0; i < RANDOM_CUTS && stream.length > 2; i++) {
            shouldFind(
                    expected,
                    stream,
                    random.ints(3, 1, stream.length).sorted().distinct().toArray());
        }
        return expected;
    }

    private void shouldFind(final List<String> expected, final byte[] stream, final int... cuts) {
        final List<String> actual = events(stream, cuts);
        // Asked so often that the assertion's own cost would count.
        if (!actual.equals(expected)) {
            assertThat(actual).as("cut at %s", Arrays.toString(cuts)).isEqualTo(expected);
        }
    }

    private static void readAll(
            final PduReader reader, final NativeSegment segment, final Consumer<PduReader.State> states) {
        int offset = 0;
        while (offset < segment.length() && reader.state() != PduReader.State.FAILED) {
            offset += reader.read(segment, offset);
            states.accept(reader.state());
        }
        segment.release();
        while (reader.state() == PduReader.State.OFFERED) {
            reader.resume();
            states.accept(reader.state());
        }
    }
}
