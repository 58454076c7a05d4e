// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.linux.Memory;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.tcp.CommonHeader;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostReaderTest {
    private static final int RESPONSE = 0x05;
    private static final int C2H_DATA = 0x07;
    private static final int R2T = 0x09;

    /** Writes down what a reader tells. */
    private static final class Notes implements HostReader.Sink {
        private final StringBuilder text = new StringBuilder();
        private final ByteArrayOutputStream data = new ByteArrayOutputStream();

        @Override
        public void onHeader(final long header, final long dataLength) {
            text.append(CommonHeader.type(header))
                    .append(':')
                    .append(dataLength)
                    .append(' ');
        }

        @Override
        public void onData(final long address, final int length) {
            data.writeBytes(Memory.toBytes(address, length));
        }

        @Override
        public void onEnd(final boolean intact) {
            text.append(intact ? "ok " : "damaged ");
        }
    }

    private static byte[] stream(final boolean headerDigest, final boolean dataDigest, final byte[] data) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(
                PduBuilder.pdu(RESPONSE, 24).digests(headerDigest, dataDigest).bytes());
        bytes.writeBytes(PduBuilder.pdu(C2H_DATA, 24)
                .data(data)
                .dataAt(64)
                .digests(headerDigest, dataDigest)
                .bytes());
        bytes.writeBytes(
                PduBuilder.pdu(R2T, 24).digests(headerDigest, dataDigest).bytes());
        return bytes.toByteArray();
    }

    private static Notes read(
            final byte[] stream, final boolean headerDigest, final boolean dataDigest, final int mostPiece) {
        final Notes notes = new Notes();
        final Random random = new Random(mostPiece);
        final long memory = Memory.allocate(stream.length);
        Memory.copyIn(stream, 0, memory, stream.length);
        try (HostReader reader = new HostReader(notes)) {
            reader.digests(headerDigest, dataDigest);
            int done = 0;
            while (done < stream.length) {
                final int part = Math.min(stream.length - done, 1 + random.nextInt(mostPiece));
                reader.read(memory + done, part);
                done += part;
            }
        } finally {
            Memory.free(memory);
        }
        return notes;
    }

    @Property(tries = 200)
    void shouldReadTheSameWhateverTheCuts(
            @ForAll final boolean headerDigest,
            @ForAll final boolean dataDigest,
            @ForAll @IntRange(min = 1, max = 300) final int mostPiece,
            @ForAll @IntRange(min = 1, max = 600) final int dataLength) {
        final byte[] data = new byte[dataLength];
        new Random(dataLength).nextBytes(data);

        final Notes notes = read(stream(headerDigest, dataDigest, data), headerDigest, dataDigest, mostPiece);

        assertThat(notes.text).hasToString("5:0 ok 7:" + dataLength + " ok 9:0 ok ");
        assertThat(notes.data.toByteArray()).isEqualTo(data);
    }

    @Test
    void shouldTellThatDataIsDamagedAndGoOn() {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(PduBuilder.pdu(C2H_DATA, 24)
                .data(new byte[64])
                .digests(false, true)
                .damageDataDigest(1 << 30)
                .bytes());
        bytes.writeBytes(PduBuilder.pdu(RESPONSE, 24).bytes());

        assertThat(read(bytes.toByteArray(), false, true, 7).text).hasToString("7:64 damaged 5:0 ok ");
    }

    @Test
    void shouldRefuseAWrongHeaderDigest() {
        final byte[] bytes = PduBuilder.pdu(RESPONSE, 24)
                .digests(true, false)
                .damageHeaderDigest(1)
                .bytes();

        assertThatThrownBy(() -> read(bytes, true, false, 100))
                .isInstanceOf(InitiatorException.class)
                .hasMessageContaining("CapsuleResp has a wrong header digest");
    }

    @ParameterizedTest
    @CsvSource({
        "4, 24, 24", // a capsule from the target
        "5, 23, 24",
        "5, 24, 28",
        "7, 24, 23",
        "7, 24, 24",
        "9, 32, 32",
        "200, 24, 24",
    })
    void shouldRefuseHeadersThatBreakTheRules(final int type, final int headerLength, final long total) {
        final byte[] bytes =
                PduBuilder.pdu(type, 24).u8(2, headerLength).plen(total).bytes();

        assertThatThrownBy(() -> read(bytes, false, false, 100)).isInstanceOf(InitiatorException.class);
    }
}
