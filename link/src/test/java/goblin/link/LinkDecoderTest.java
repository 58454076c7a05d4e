// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LinkDecoderTest {
    private static final byte ZERO = 0;
    private static final byte ONES = (byte) 0xFF;

    private long allocatedBefore;

    @BeforeEach
    void noteMemory() {
        allocatedBefore = Memory.allocatedBytes();
    }

    @AfterEach
    void shouldLeaveNoMemoryBehind() {
        assertThat(Memory.allocatedBytes()).isEqualTo(allocatedBefore);
    }

    @Test
    void shouldHandOverEachMessageWithItsFields() {
        assertThat(Messages.transcript(Messages.oneOfEach(), ZERO))
                .containsExactly(
                        "registerEdge 18446744073709551614 77 PUBLISHER 0.1.0+x",
                        "registered 7 77 0.1.0+x",
                        "setInterest 1 PATTERN 4294967295 707269636573",
                        "interestAcknowledged 1",
                        "publish 2 SHARD 707269636573 7061796c6f6164",
                        "published 2 41",
                        "delivery CHANNEL 707269636573 ",
                        "fence 3",
                        "fenced 3",
                        "error EDGE_ID_IN_USE edge 7 lives",
                        "heartbeat 123");
    }

    @Test
    void shouldCarryNamesOfEveryLength() {
        final String interest = "setInterest 1 CHANNEL 1 ";
        for (final int length : new int[] {0, 1, 511, 512, 513, 2048, 70_000}) {
            final List<String> messages = Messages.transcript(Messages.named(length), ZERO);
            final String name = messages.getFirst().substring(interest.length());
            assertThat(name).startsWith(length < 2 ? "6e".repeat(length) : length + " bytes");
            assertThat(messages)
                    .containsExactly(
                            interest + name,
                            "publish 2 CHANNEL " + name + " 6e6e6e",
                            "delivery SHARD " + name + " 6e6e");
        }
    }

    @Test
    void shouldGiveTheSameMessagesForEverySplitInTwo() {
        final byte[] stream = Messages.oneOfEach();
        final List<String> whole = Messages.transcript(stream, ZERO);

        for (int cut = 0; cut <= stream.length; cut++) {
            assertThat(Messages.transcript(stream, ONES, cut))
                    .as("cut at %d", cut)
                    .isEqualTo(whole);
        }
    }

    @Test
    void shouldGiveTheSameMessagesByteByByte() {
        final byte[] stream = Messages.oneOfEach();

        assertThat(Messages.transcript(
                        stream, ONES, IntStream.range(0, stream.length).toArray()))
                .isEqualTo(Messages.transcript(stream, ZERO));
    }

    @Property(tries = 200)
    void shouldGiveTheSameMessagesForRandomStreamsAndSplits(
            @ForAll final long seed, @ForAll @IntRange(max = 12) final int cuts) {
        final Random random = new Random(seed);
        final byte[] stream = Messages.random(seed, 1 + random.nextInt(20), random.nextInt(20) == 0 ? 200_000 : 40);

        assertThat(Messages.transcript(stream, ONES, array(Messages.cuts(random, stream.length, cuts))))
                .isEqualTo(Messages.transcript(stream, ZERO));
    }

    @Property(tries = 2_000)
    void shouldNeitherFailNorReadOutsideItsBytesWhateverIsFlipped(
            @ForAll final long seed, @ForAll @IntRange(min = 1, max = 6) final int flips) {
        final Random random = new Random(seed);
        final byte[] stream = Messages.random(seed, 1 + random.nextInt(6), 30);
        for (int i = 0; i < flips; i++) {
            stream[random.nextInt(stream.length)] = (byte) (random.nextBoolean() ? random.nextInt() : ONES);
        }
        final List<String> whole = Messages.transcript(stream, ZERO);

        assertThat(Messages.transcript(stream, ONES)).isEqualTo(whole);
        assertThat(Messages.transcript(stream, ONES, array(Messages.cuts(random, stream.length, 4))))
                .isEqualTo(whole);
    }

    @Test
    void shouldFinishAMessageLargerThanTheReusedBuffer() {
        final byte[] stream = largeDelivery(3_000_000);
        final List<String> whole = Messages.transcript(stream, ZERO);

        assertThat(whole).singleElement().asString().startsWith("delivery CHANNEL 63 3000000 bytes");
        assertThat(Messages.transcript(
                        stream,
                        ONES,
                        IntStream.range(0, 46).map(i -> i * 65_536).toArray()))
                .isEqualTo(whole);
    }

    @Test
    void shouldHoldALargeMessageOnlyUntilItsEnd() {
        final byte[] stream = largeDelivery(1_000_000);
        final Transcript transcript = new Transcript();
        try (LinkDecoder decoder = new LinkDecoder(LinkLimits.MAX_FRAME_BYTES)) {
            Messages.feed(decoder, transcript, stream, 0, stream.length - 1, ZERO);
            assertThat(decoder.heldBytes()).isEqualTo(stream.length - 1L);
            Messages.feed(decoder, transcript, stream, stream.length - 1, stream.length, ZERO);

            assertThat(decoder.heldBytes()).isZero();
            assertThat(Memory.allocatedBytes() - allocatedBefore).isLessThan(100_000);
        }
    }

    @Test
    void shouldPauseAfterTheMessageAndKeepTheRestUntilResumed() {
        final byte[] stream = Messages.oneOfEach();
        for (int cut = 0; cut <= stream.length; cut += 7) {
            final Transcript transcript = new Transcript();
            transcript.pauseAtEach = true;
            try (LinkDecoder decoder = new LinkDecoder(LinkLimits.MAX_FRAME_BYTES)) {
                Messages.feed(decoder, transcript, stream, 0, cut, ONES);
                final int before = transcript.lines.size();
                assertThat(before).isLessThanOrEqualTo(1);
                assertThat(Messages.feed(decoder, transcript, stream, cut, stream.length, ONES))
                        .isFalse();
                assertThat(transcript.lines).hasSize(1);
                while (decoder.paused()) {
                    decoder.resume(transcript);
                }
                assertThat(decoder.resume(transcript)).isTrue();
            }
            assertThat(transcript.lines).isEqualTo(Messages.transcript(stream, ZERO));
        }
    }

    @Test
    void shouldStopInsideTheCallbackThatClosesIt() {
        final byte[] stream = Messages.oneOfEach();
        for (final int cut : new int[] {0, 20, stream.length}) {
            final Transcript transcript = new Transcript();
            final LinkDecoder decoder = new LinkDecoder(LinkLimits.MAX_FRAME_BYTES);
            transcript.onLine = decoder::close;
            Messages.feed(decoder, transcript, stream, 0, cut, ONES);

            assertThat(Messages.feed(decoder, transcript, stream, cut, stream.length, ONES))
                    .isFalse();
            assertThat(decoder.stopped()).isTrue();
            assertThat(transcript.lines).hasSize(1);
            assertThat(decoder.heldBytes()).isZero();
        }
    }

    @Test
    void shouldNameTheUnknownMessageType() {
        assertThat(Messages.transcript(message(8, 99, 6379, 1), ZERO))
                .containsExactly("malformed message type 99 is unknown");
    }

    @Test
    void shouldRefuseAnotherSchemaOrVersion() {
        assertThat(Messages.transcript(message(8, 8, 1, 1), ZERO)).containsExactly("malformed schema 1 is not 6379");
        assertThat(Messages.transcript(message(8, 8, 6379, 2), ZERO))
                .containsExactly("malformed schema version 2 is not 1");
    }

    @Test
    void shouldRefuseLengthsThatCannotBe() {
        assertThat(Messages.transcript(prefix(7), ZERO))
                .containsExactly("malformed a message of 7 bytes is shorter than its header");
        assertThat(Messages.transcript(prefix(-1), ZERO))
                .containsExactly("malformed a message of 4294967295 bytes is longer than the limit of 1073807360");
        assertThat(Messages.transcript(prefix(LinkLimits.MAX_FRAME_BYTES + 1), ZERO, 1, 2, 3))
                .containsExactly("malformed a message of 1073807361 bytes is longer than the limit of 1073807360");
    }

    @Test
    void shouldRefuseDataFieldsThatReachOutOfTheMessage() {
        for (final int length : new int[] {8, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
            final byte[] stream = largeDelivery(3);
            ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN).putInt(18, length);

            assertThat(Messages.transcript(stream, ZERO))
                    .singleElement()
                    .asString()
                    .startsWith("malformed a data field of " + Integer.toUnsignedString(length) + " bytes");
        }
    }

    @Test
    void shouldRefuseBytesLeftOverInAMessage() {
        final byte[] stream = Arrays.copyOf(largeDelivery(3), largeDelivery(3).length + 1);
        ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN).putInt(0, stream.length - 4);

        assertThat(Messages.transcript(stream, ZERO))
                .containsExactly("malformed 1 bytes are left over in message type 7");
    }

    @Test
    void shouldAcceptAMessageOfExactlyItsBoundAndNoLarger() {
        final byte[] stream = largeDelivery(1_000);
        final List<String> lines = new ArrayList<>();
        for (final long bound : new long[] {stream.length - 4, stream.length - 5}) {
            final Transcript transcript = new Transcript();
            try (LinkDecoder decoder = new LinkDecoder(bound)) {
                Messages.feed(decoder, transcript, stream, 0, stream.length, ZERO);
            }
            lines.addAll(transcript.lines);
        }

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("delivery");
        assertThat(lines.get(1)).startsWith("malformed a message of");
    }

    private static byte[] largeDelivery(final int payloadLength) {
        final ByteBuffer stream =
                ByteBuffer.allocate(4 + 8 + 1 + 4 + 1 + 4 + payloadLength).order(ByteOrder.LITTLE_ENDIAN);
        stream.putInt(stream.capacity() - 4).put(header(1, 7, 6379, 1)).put((byte) 1);
        stream.putInt(1).put((byte) 'c').putInt(payloadLength);
        for (int i = 0; stream.hasRemaining(); i++) {
            stream.put((byte) i);
        }
        return stream.array();
    }

    private static byte[] message(final int block, final int template, final int schema, final int version) {
        final ByteBuffer stream = ByteBuffer.allocate(4 + 8 + block).order(ByteOrder.LITTLE_ENDIAN);
        stream.putInt(8 + block).put(header(block, template, schema, version));
        return stream.array();
    }

    private static byte[] header(final int block, final int template, final int schema, final int version) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) block)
                .putShort((short) template)
                .putShort((short) schema)
                .putShort((short) version)
                .array();
    }

    private static byte[] prefix(final int length) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(length)
                .array();
    }

    private static int[] array(final List<Integer> cuts) {
        return cuts.stream().mapToInt(Integer::intValue).toArray();
    }
}
