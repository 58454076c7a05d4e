// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.tcp.MemoryNetwork.Expected;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What a connection is told of its next bytes, and what that is good for. */
class ExpectedDataTest {
    private static final ReceiveOptions PLACED = ReceiveOptions.DEFAULT.withPath(ReceivePath.PLACED);
    private static final int LENGTH = 64 * 1024;

    private final Random random = new Random(11);

    private static PayloadRig rig(final boolean headerDigest, final boolean dataDigest) {
        return new PayloadRig(PLACED, VectorMemory.HEAP, PayloadRig.BLOCK, headerDigest, dataDigest);
    }

    @ParameterizedTest
    @CsvSource({"false, false, 24", "true, false, 28", "false, true, 24", "true, true, 28"})
    void shouldExpectWhatTheHostWasAskedFor(final boolean headerDigest, final boolean dataDigest, final int header) {
        try (PayloadRig rig = rig(headerDigest, dataDigest)) {
            rig.io().takeExpected();
            final PayloadRig.Wanted wanted = rig.ask(0, LENGTH);
            assertThat(rig.io().takeExpected()).isNotEmpty().containsOnly(new Expected(header, LENGTH));

            final byte[] pdu = rig.data(wanted, bytes(LENGTH));
            rig.send(Arrays.copyOf(pdu, 10));
            rig.turns(2);
            rig.send(Arrays.copyOfRange(pdu, 10, 5000));
            rig.turns(2);
            assertThat(rig.io().takeExpected()).as("it knows that already").isEmpty();
            rig.send(Arrays.copyOfRange(pdu, 5000, pdu.length));
            rig.awaitAnswers(1);
            assertThat(rig.io().takeExpected()).as("nothing is to come").isEmpty();
        }
    }

    @Test
    void shouldExpectTheNextAfterTheDigest() {
        try (PayloadRig rig = rig(true, true)) {
            final PayloadRig.Wanted first = rig.ask(0, 4096);
            final int firstCid = rig.lastCid();
            rig.io().takeExpected();
            final PayloadRig.Wanted second = rig.ask(16, 8192);
            final int secondCid = rig.lastCid();
            assertThat(rig.io().takeExpected()).as("the older").containsOnly(new Expected(28, 4096));

            final byte[] pdu = rig.data(firstCid, first, bytes(4096));
            rig.send(Arrays.copyOf(pdu, pdu.length - 3));
            rig.turns(2);
            assertThat(rig.io().takeExpected()).containsOnly(new Expected(3 + 28, 8192));
            rig.send(Arrays.copyOfRange(pdu, pdu.length - 3, pdu.length));
            rig.turns(2);
            assertThat(rig.io().takeExpected()).containsOnly(new Expected(28, 8192));
            rig.send(rig.data(secondCid, second, bytes(8192)));
            rig.awaitAnswers(2);
            assertThat(rig.io().takeExpected()).isEmpty();
        }
    }

    @Test
    void shouldExpectTheOldestAlsoWhenAnotherIsAnsweredFirst() {
        try (PayloadRig rig = rig(false, false)) {
            final PayloadRig.Wanted first = rig.ask(0, 4096);
            final int firstCid = rig.lastCid();
            final PayloadRig.Wanted second = rig.ask(16, 8192);
            final int secondCid = rig.lastCid();
            final PayloadRig.Wanted third = rig.ask(48, 12288);
            final int thirdCid = rig.lastCid();
            rig.io().takeExpected();
            rig.send(rig.data(thirdCid, third, bytes(12288)));
            rig.turns(2);
            assertThat(rig.io().takeExpected()).containsOnly(new Expected(24, 4096));
            rig.send(rig.data(firstCid, first, bytes(4096)));
            rig.turns(2);
            assertThat(rig.io().takeExpected()).containsOnly(new Expected(24, 8192));
            final byte[] half =
                    Pdus.with(rig.data(secondCid, new PayloadRig.Wanted(second.tag(), 0, 0), bytes(4096)), 1, 0);
            rig.send(half);
            rig.turns(2);
            assertThat(rig.io().takeExpected()).as("the rest").containsOnly(new Expected(24, 4096));
            rig.send(rig.data(secondCid, new PayloadRig.Wanted(second.tag(), 4096, 0), bytes(4096)));
            rig.awaitAnswers(3);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "PLACED")
    void shouldSayNothingOnOtherPaths(final ReceivePath path) {
        try (PayloadRig rig = new PayloadRig(PLACED.withPath(path), VectorMemory.HEAP, 1, true, true)) {
            rig.send(rig.data(rig.ask(0, 4096), bytes(4096)));
            rig.awaitAnswers(1);
            assertThat(rig.io().takeExpected()).isEmpty();
        }
    }

    @Property(tries = 100)
    void shouldWriteInPlaceWhatIsPlaced(
            @ForAll final boolean headerDigest,
            @ForAll final boolean dataDigest,
            @ForAll @IntRange(min = 1, max = 2048) final int blocks,
            @ForAll @IntRange(min = 1, max = 65_536) final int piece) {
        final int length = blocks * PayloadRig.BLOCK;
        // Not in more pieces than a vector holds references.
        final int each = Math.max(piece, length / 200 + 1);
        try (PayloadRig rig = rig(headerDigest, dataDigest)) {
            rig.network.place();
            for (int command = 0; command < 3; command++) {
                final byte[] data = bytes(length);
                final byte[] pdu = rig.data(rig.ask(0, length), data);
                for (int from = 0; from < pdu.length; from += each) {
                    rig.send(Arrays.copyOfRange(pdu, from, Math.min(from + each, pdu.length)));
                }
                rig.awaitAnswers(1);
                assertThat(rig.medium.written())
                        .as("one piece")
                        .singleElement()
                        .matches(it -> it.address() % 4096 == 0 && it.length() == length);
                assertThat(rig.stored(0, length)).isEqualTo(data);
            }
            assertThat(rig.counter(TcpCounter.IN_PLACE_BYTES)).isEqualTo(3L * length);
        }
    }

    @Property(tries = 300)
    void shouldWriteRightWhateverIsPlaced(
            @ForAll final boolean headerDigest,
            @ForAll final boolean dataDigest,
            @ForAll final boolean inCapsule,
            @ForAll @IntRange(min = 1, max = 64) final int blocks,
            @ForAll @IntRange(min = 1, max = 9000) final int piece,
            @ForAll final Random any) {
        final int length = (inCapsule ? 1 + blocks % 16 : blocks) * PayloadRig.BLOCK;
        try (PayloadRig rig = rig(headerDigest, dataDigest)) {
            rig.network.place();
            for (int command = 0; command < 4; command++) {
                final byte[] data = bytes(length);
                final byte[] write = inCapsule ? rig.writeInCapsule(0, data) : rig.data(rig.ask(0, length), data);
                final byte[] stream = Pdus.join(write, rig.read(0, length));
                int to;
                for (int from = 0; from < stream.length; from = to) {
                    to = Math.min(stream.length, from + 1 + any.nextInt(piece));
                    rig.send(Arrays.copyOfRange(stream, from, to));
                    // Now and then too much is pinned.
                    rig.network.pretendLent(any.nextInt(6) == 0 ? 1L << 40 : 0);
                    if (any.nextBoolean()) {
                        rig.turns(1);
                    }
                }
                rig.network.pretendLent(0);
                assertThat(rig.awaitAnswers(2)).isEqualTo(data);
                assertThat(rig.medium.written())
                        .allMatch(each -> (each.address() | each.length()) % PayloadRig.BLOCK == 0);
                assertThat(rig.medium.written().stream()
                                .mapToLong(WatchedNamespace.Piece::length)
                                .sum())
                        .isEqualTo(length);
            }
        }
    }

    private byte[] bytes(final int length) {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
