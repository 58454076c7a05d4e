// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Legal streams, and streams of any bytes, whatever the cuts. */
final class PduStreamPropertyTest {

    @Property(tries = 300)
    void shouldFindWhatAHostSentWhateverTheCuts(
            @ForAll final boolean headerDigest,
            @ForAll final boolean dataDigest,
            @ForAll @IntRange(max = 5) final int alignmentShift,
            @ForAll @IntRange(max = 2) final int waits,
            @ForAll @Size(max = 12) final List<@IntRange(max = 2) Integer> kinds,
            @ForAll final Random random) {
        // Some others put the data of a capsule further away than PDO can say.
        final int alignment = (1 << alignmentShift) - 1;
        final Pdus pdus = new Pdus(headerDigest, dataDigest, alignment);
        final Expected expected = new Expected();
        expected.add(PduType.IC_REQ, Pdus.icReq(), IcReq.BYTES, new byte[0]);
        for (final int kind : kinds) {
            if (kind == 0) {
                final byte[] sqe = bytes(random, 64);
                final byte[] data = bytes(random, random.nextInt(5) * random.nextInt(100));
                expected.add(PduType.CAPSULE_CMD, pdus.capsule(sqe, data), CapsuleCmd.BYTES, data);
            } else if (kind == 1) {
                final byte[] data = bytes(random, 4 * (1 + random.nextInt(200)));
                final byte[] pdu = pdus.data(
                        PduType.H2C_DATA,
                        random.nextBoolean() ? CommonHeader.LAST : 0,
                        random.nextInt(1 << 16),
                        random.nextInt(1 << 16),
                        random.nextInt() & 0xFFFF_FFFCL,
                        data);
                expected.add(PduType.H2C_DATA, pdu, DataPdu.BYTES, data);
            } else {
                final byte[] sqe = bytes(random, 64);
                expected.add(PduType.CAPSULE_CMD, pdus.capsule(sqe, new byte[0]), CapsuleCmd.BYTES, new byte[0]);
            }
        }
        final byte[] stream = expected.stream.toByteArray();

        final List<String> found = Feed.toController()
                .agreeing(headerDigest, dataDigest, alignment)
                .waiting(waits)
                .events(stream, cuts(stream.length, random));

        assertThat(found).isEqualTo(expected.events);
    }

    @Property(tries = 300)
    void shouldFindWhatAControllerSentWhateverTheCuts(
            @ForAll final boolean headerDigest,
            @ForAll final boolean dataDigest,
            @ForAll @IntRange(max = 5) final int alignmentShift,
            @ForAll @Size(max = 12) final List<@IntRange(max = 2) Integer> kinds,
            @ForAll final Random random) {
        // Some others put the data of a capsule further away than PDO can say.
        final int alignment = (1 << alignmentShift) - 1;
        final Pdus pdus = new Pdus(headerDigest, dataDigest, alignment);
        final Expected expected = new Expected();
        expected.add(PduType.IC_RESP, Pdus.icResp(), IcResp.BYTES, new byte[0]);
        for (final int kind : kinds) {
            if (kind == 0) {
                final byte[] pdu = pdus.capsuleResp(bytes(random, 16));
                expected.add(PduType.CAPSULE_RESP, pdu, CapsuleResp.BYTES, new byte[0]);
            } else if (kind == 1) {
                final byte[] data = bytes(random, 4 * (1 + random.nextInt(200)));
                final byte[] pdu = pdus.data(PduType.C2H_DATA, CommonHeader.LAST, random.nextInt(1 << 16), 0, 0, data);
                expected.add(PduType.C2H_DATA, pdu, DataPdu.BYTES, data);
            } else {
                final byte[] pdu = pdus.r2t(random.nextInt(1 << 16), random.nextInt(1 << 16), 0, 4096);
                expected.add(PduType.R2T, pdu, R2t.BYTES, new byte[0]);
            }
        }
        final byte[] stream = expected.stream.toByteArray();

        final List<String> found =
                Feed.toHost().agreeing(headerDigest, dataDigest, alignment).events(stream, cuts(stream.length, random));

        assertThat(found).isEqualTo(expected.events);
    }

    @Property(tries = 500)
    void shouldFindTheSameInAnyBytesWhateverTheCuts(
            @ForAll final boolean headerDigest,
            @ForAll final boolean dataDigest,
            @ForAll @Size(max = 200) final byte[] noise,
            @ForAll final Random random) {
        final Pdus pdus = new Pdus(headerDigest, dataDigest, 0);
        final byte[] pdu = pdus.capsule(new byte[64], new byte[32]);
        for (int changes = random.nextInt(3); changes > 0; changes--) {
            pdu[random.nextInt(CommonHeader.BYTES)] = (byte) random.nextInt();
        }
        final byte[] stream = Pdus.join(Pdus.icReq(), pdu, noise, pdus.capsule(new byte[64], new byte[0]));
        final Feed feed = Feed.toController().agreeing(headerDigest, dataDigest, 0);

        assertThat(feed.events(stream, cuts(stream.length, random))).isEqualTo(feed.events(stream));
    }

    private static byte[] bytes(final Random random, final int length) {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static int[] cuts(final int length, final Random random) {
        final int most = random.nextBoolean() ? 4 : length;
        return random.ints(random.nextInt(most + 1), 1, length)
                .sorted()
                .distinct()
                .toArray();
    }

    /** What was sent, and what is to be found. */
    private static final class Expected {
        private final List<String> events = new ArrayList<>();
        private final ByteArrayOutputStream stream = new ByteArrayOutputStream();

        void add(final int type, final byte[] pdu, final int headerLength, final byte[] data) {
            stream.writeBytes(pdu);
            events.add(EventLog.header(type, Arrays.copyOf(pdu, headerLength), data.length));
            if (data.length > 0) {
                events.add(EventLog.payload(data));
            }
            events.add(EventLog.end(true));
        }
    }
}
