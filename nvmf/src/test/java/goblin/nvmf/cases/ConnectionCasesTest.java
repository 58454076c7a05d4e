// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.RawConnection;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawPdu;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Opening a connection: cases N01, N03, N04. */
class ConnectionCasesTest {
    private static LiveTarget target;

    @BeforeAll
    static void start() {
        target = LiveTarget.small();
    }

    @AfterAll
    static void stop() {
        target.awaitNothingLeft();
        target.close();
    }

    private static RawConnection connection() {
        return RawConnection.open(target.address(), 0);
    }

    @Test
    @DisplayName("N01: should end a connection whose first PDU is a command")
    void shouldEndAConnectionWhoseFirstPduIsACommand() {
        try (RawConnection connection = connection()) {
            connection.send(PduBuilder.capsule(SqeBuilder.opcode(0x7F)));
            connection.expectTerm(2, -1);
        }
    }

    @ParameterizedTest
    @DisplayName("N01: should name the wrong field of an ICReq")
    @CsvSource({"2, 0x7F, 1, 2", "4, 129, 1, 4", "8, 1, 1, 8"})
    void shouldNameTheWrongFieldOfAnIcReq(final int at, final String value, final int fes, final int fei) {
        try (RawConnection connection = connection()) {
            connection.sendBytes(
                    PduBuilder.icReq(false, false).u8(at, Integer.decode(value)).bytes());
            connection.expectTerm(fes, fei);
        }
    }

    @Test
    @DisplayName("N01: should close in silence when the host leaves after three bytes")
    void shouldCloseInSilenceWhenTheHostLeavesAfterThreeBytes() {
        try (RawConnection connection = connection()) {
            connection.sendBytes((byte) 0, (byte) 0, (byte) 0x80);
            connection.shutdownSend();
            assertThat(connection.receive()).isNull();
        }
    }

    @ParameterizedTest
    @DisplayName("N03: should answer with exactly the digests asked for and no alignment of its own")
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void shouldAgreeToExactlyTheDigestsAskedFor(final boolean header, final boolean data) {
        try (RawConnection connection = connection()) {
            connection.sendBytes(PduBuilder.icReq(header, data).bytes());
            final RawPdu answer = connection.receive();

            assertThat(answer.type()).isEqualTo(1);
            assertThat(answer.header()).hasSize(128);
            assertThat(answer.u16(8)).as("PFV").isZero();
            assertThat(answer.u8(10)).as("CPDA").isZero();
            assertThat(answer.u8(11)).as("DGST").isEqualTo((header ? 1 : 0) | (data ? 2 : 0));
            assertThat(answer.u32(12)).as("MAXH2CDATA").isEqualTo(1 << 20);
        }
    }

    @ParameterizedTest
    @DisplayName("N03: should keep CPDA 0 whatever the host's own alignment is")
    @CsvSource({"0", "1", "31"})
    void shouldNotEchoTheHostsAlignment(final int alignment) {
        try (RawConnection connection = connection()) {
            connection.sendBytes(
                    PduBuilder.icReq(false, false).u8(10, alignment).bytes());
            assertThat(connection.receive().u8(10)).isZero();
        }
    }

    @Test
    @DisplayName("N04: should lose nothing to hosts that disappear during set-up, beside a host that works")
    void shouldLoseNothingToHostsThatDisappearDuringSetUp() {
        final byte[] start = new byte[200];
        System.arraycopy(PduBuilder.icReq(true, true).bytes(), 0, start, 0, 128);
        try (RawInitiator good = target.raw(RawOptions.DIGESTS)) {
            final RawQueue queue = good.queue(1, 32);
            final byte[] data = Blocks.random(4096, 4);
            for (int i = 0; i < 400; i++) {
                final RawConnection bad = connection();
                bad.trySendBytes(Arrays.copyOf(start, new int[] {0, 64, 128, 200}[i % 4]));
                bad.reset();
                RawInitiator.write(queue, 1, i, 8, data);
                assertThat(RawInitiator.read(queue, 1, i, 8, 512)).isEqualTo(data);
            }
        }
        target.awaitNothingLeft();
    }
}
