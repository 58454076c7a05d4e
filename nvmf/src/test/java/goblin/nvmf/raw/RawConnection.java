// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.raw;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;

/**
 * Bytes out and PDUs in over a blocking socket, written from the specification alone and sharing nothing with the code
 * under test. Digests of what arrives are checked as agreed; a wrong one fails the test. Not thread-safe.
 */
public final class RawConnection implements AutoCloseable {
    private static final int LARGEST_PDU = 64 << 20;

    private final Socket socket;
    private boolean headerDigest;
    private boolean dataDigest;

    private RawConnection(final Socket socket) {
        this.socket = socket;
    }

    /**
     * Connects.
     *
     * @param receiveBufferBytes SO_RCVBUF, 0 for the kernel's own choice
     */
    public static RawConnection open(final InetSocketAddress target, final int receiveBufferBytes) {
        try {
            final Socket socket = new Socket();
            socket.setTcpNoDelay(true);
            if (receiveBufferBytes > 0) {
                socket.setReceiveBufferSize(receiveBufferBytes);
            }
            socket.connect(target, 5_000);
            final RawConnection connection = new RawConnection(socket);
            connection.patience(Duration.ofSeconds(10));
            return connection;
        } catch (final IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    /** How long a receive waits before it fails the test. */
    public void patience(final Duration most) {
        try {
            socket.setSoTimeout((int) most.toMillis());
        } catch (final SocketException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    /** What an ICResp agreed to: checked and added from now on. */
    public void digests(final boolean ofHeader, final boolean ofData) {
        headerDigest = ofHeader;
        dataDigest = ofData;
    }

    boolean headerDigest() {
        return headerDigest;
    }

    boolean dataDigest() {
        return dataDigest;
    }

    /** Sends a PDU with the digests agreed on. */
    public void send(final PduBuilder pdu) {
        sendBytes(pdu.digests(headerDigest, dataDigest).bytes());
    }

    /** Sends any bytes. */
    public void sendBytes(final byte... bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (final IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    /** Sends any bytes, or notices that the target has gone. */
    public boolean trySendBytes(final byte... bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (final IOException gone) {
            return false;
        }
    }

    /** The next PDU; null at the end of the stream between PDUs. */
    public RawPdu receive() {
        final byte[] common = new byte[8];
        if (!read(common, 0, 8)) {
            return null;
        }
        final int type = common[0] & 0xFF;
        final int headerBytes = common[2] & 0xFF;
        final int begin = common[3] & 0xFF;
        final long total = RawPdu.little(common).getInt(4) & 0xFFFF_FFFFL;
        assertThat(total).as("PLEN of type " + type).isBetween((long) headerBytes, (long) LARGEST_PDU);

        final byte[] wire = new byte[(int) total];
        System.arraycopy(common, 0, wire, 0, 8);
        assertThat(read(wire, 8, wire.length - 8))
                .as("whole PDU of type " + type)
                .isTrue();
        final boolean digests = type == RawPdu.RESPONSE || type == RawPdu.C2H_DATA || type == RawPdu.R2T;
        final byte[] data =
                digests ? checkedData(wire, headerBytes, begin) : copy(wire, headerBytes, wire.length - headerBytes);
        return new RawPdu(copy(wire, 0, headerBytes), data);
    }

    private byte[] checkedData(final byte[] wire, final int headerBytes, final int begin) {
        final int flags = wire[1];
        assertThat((flags & RawPdu.FLAG_HEADER_DIGEST) != 0).as("HDGSTF").isEqualTo(headerDigest);
        int afterHeader = headerBytes;
        if (headerDigest) {
            assertThat(RawPdu.little(wire).getInt(headerBytes))
                    .as("header digest")
                    .isEqualTo(PduBuilder.crc(wire, 0, headerBytes));
            afterHeader += 4;
        }
        if (wire.length == afterHeader) {
            assertThat(flags & RawPdu.FLAG_DATA_DIGEST)
                    .as("DDGSTF without data")
                    .isZero();
            return new byte[0];
        }
        assertThat((flags & RawPdu.FLAG_DATA_DIGEST) != 0).as("DDGSTF").isEqualTo(dataDigest);
        assertThat(begin).as("PDO").isGreaterThanOrEqualTo(afterHeader);
        final int length = wire.length - begin - (dataDigest ? 4 : 0);
        if (dataDigest) {
            assertThat(RawPdu.little(wire).getInt(begin + length))
                    .as("data digest")
                    .isEqualTo(PduBuilder.crc(wire, begin, length));
        }
        return copy(wire, begin, length);
    }

    private static byte[] copy(final byte[] from, final int offset, final int length) {
        final byte[] part = new byte[length];
        System.arraycopy(from, offset, part, 0, length);
        return part;
    }

    /** Reads so many bytes; false when the stream ended before the first or by a reset. */
    private boolean read(final byte[] into, final int offset, final int length) {
        try {
            int done = 0;
            while (done < length) {
                final int n = socket.getInputStream().read(into, offset + done, length - done);
                if (n < 0) {
                    assertThat(done).as("bytes before the end of the stream").isZero();
                    return false;
                }
                done += n;
            }
            return true;
        } catch (final SocketException reset) {
            return false;
        } catch (final IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    /** Expects the target to end the stream, whatever it still sends before. */
    public void expectClosed() {
        while (receive() != null) {
            Thread.onSpinWait();
        }
    }

    /** Expects a request to terminate with this status and information, then the end of the stream. */
    public RawPdu expectTerm(final int status, final long information) {
        final RawPdu pdu = nextBesidesAnswers();
        assertThat(pdu).as("C2HTermReq %d/%d", status, information).isNotNull();
        assertThat(pdu.type()).as(pdu.toString()).isEqualTo(RawPdu.C2H_TERM);
        assertThat(pdu.u16(8)).as("FES").isEqualTo(status);
        if (information >= 0) {
            assertThat(pdu.u32(10)).as("FEI").isEqualTo(information);
        }
        assertThat(pdu.header()).hasSize(24);
        assertThat(pdu.data().length).isLessThanOrEqualTo(128);
        expectClosed();
        return pdu;
    }

    private RawPdu nextBesidesAnswers() {
        RawPdu pdu = receive();
        while (pdu != null && pdu.type() != RawPdu.C2H_TERM) {
            assertThat(pdu.type()).as(pdu.toString()).isIn(RawPdu.RESPONSE, RawPdu.C2H_DATA, RawPdu.R2T);
            pdu = receive();
        }
        return pdu;
    }

    /** Ends our side; what comes can still be received. */
    public void shutdownSend() {
        try {
            socket.shutdownOutput();
        } catch (final IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    /** Ends the connection by a reset. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (final IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (final IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }
}
