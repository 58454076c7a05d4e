// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.raw;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * One queue over one connection, blocking. It answers R2Ts by itself and holds the target to the rules of the transport:
 * data in order and inside its command, SUCCESS only with LAST, R2Ts that rise without gaps, one completion a command. The
 * connection beneath stays open for what breaks rules. Not thread-safe.
 */
public final class RawQueue implements AutoCloseable {
    private final RawConnection connection;
    private final RawOptions options;
    private final long maxH2cData;
    private final int inCapsuleBytes;
    private final Map<Integer, Command> commands = new HashMap<>();
    private int nextCid = 1;
    private int r2ts;

    private RawQueue(final RawConnection connection, final RawOptions options, final RawPdu icResp, final int capsule) {
        this.connection = connection;
        this.options = options;
        maxH2cData = icResp.u32(12);
        inCapsuleBytes = capsule;
    }

    /**
     * Connects and exchanges ICReq and ICResp, nothing more.
     *
     * @param inCapsuleBytes up to which length {@link #command} puts data into the capsule
     */
    public static RawQueue open(final InetSocketAddress target, final RawOptions options, final int inCapsuleBytes) {
        final RawConnection connection = RawConnection.open(target, options.receiveBufferBytes());
        connection.sendBytes(PduBuilder.icReq(options.headerDigest(), options.dataDigest())
                .u32(12, options.maxR2t())
                .bytes());
        final RawPdu icResp = connection.receive();
        assertThat(icResp).as("ICResp").isNotNull();
        assertThat(icResp.type()).as(icResp.toString()).isEqualTo(RawPdu.IC_RESP);
        assertThat(icResp.header()).hasSize(128);
        assertThat(icResp.data()).isEmpty();
        assertThat(icResp.u16(8)).as("PFV").isZero();
        assertThat(icResp.u8(11))
                .as("DGST")
                .isEqualTo((options.headerDigest() ? 1 : 0) | (options.dataDigest() ? 2 : 0));
        assertThat(icResp.u32(12)).as("MAXH2CDATA").isGreaterThanOrEqualTo(4096);
        assertThat(icResp.u32(12) % 4).as("MAXH2CDATA % 4").isZero();
        connection.digests(options.headerDigest(), options.dataDigest());
        return new RawQueue(connection, options, icResp, inCapsuleBytes);
    }

    /** The connection beneath, for whatever is not a well-formed command. */
    public RawConnection wire() {
        return connection;
    }

    /** MAXH2CDATA of the ICResp. */
    public long maxH2cData() {
        return maxH2cData;
    }

    /** How many R2Ts came so far. */
    public int r2ts() {
        return r2ts;
    }

    /** How long an answer may take before it fails the test. */
    public RawQueue patience(final Duration most) {
        connection.patience(most);
        return this;
    }

    /** An identifier that no command under way has. */
    public int newCid() {
        while (commands.containsKey(nextCid)) {
            nextCid = nextCid % 0xFFFE + 1;
        }
        final int cid = nextCid;
        nextCid = nextCid % 0xFFFE + 1;
        return cid;
    }

    /** Sends Connect; queue 0 with the Keep Alive time of the options. */
    public RawAnswer connect(final int qid, final int sqSize, final ConnectData data) {
        final int attributes = options.flowControl() ? 0 : 4;
        return command(
                SqeBuilder.connect(qid, sqSize, attributes, qid == 0 ? options.keepAliveMs() : 0)
                        .sgl(SqeBuilder.IN_CAPSULE, 1024),
                data.bytes());
    }

    /** Runs a command that needs no data, or whose SGL asks for data from the controller. */
    public RawAnswer command(final SqeBuilder sqe) {
        return await(submit(sqe, null));
    }

    /** Runs a command with data to the controller. */
    public RawAnswer command(final SqeBuilder sqe, final byte[] data) {
        return await(submit(sqe, data));
    }

    /**
     * Sends a command with an identifier of its own. With data it gets the SGL that fits, unless it has one.
     *
     * @param data to the controller; null when it takes none
     * @return its identifier, for {@link #await}
     */
    public int submit(final SqeBuilder sqe, final byte[] data) {
        final int cid = newCid();
        return submitAs(cid, sqe, data);
    }

    /** Sends a command with this identifier, which may be in use. */
    public int submitAs(final int cid, final SqeBuilder sqe, final byte[] data) {
        sqe.cid(cid);
        if (data != null && sqe.sglType() == 0) {
            sqe.sgl(data.length <= inCapsuleBytes ? SqeBuilder.IN_CAPSULE : SqeBuilder.TRANSPORT, data.length);
        }
        final PduBuilder capsule = PduBuilder.capsule(sqe);
        final boolean inCapsule = data != null && sqe.sglType() == SqeBuilder.IN_CAPSULE;
        if (inCapsule) {
            capsule.data(data);
        }
        commands.put(cid, new Command(data, data == null ? (int) Math.min(sqe.sglLength(), 64 << 20) : 0));
        connection.send(capsule);
        return cid;
    }

    /** Takes what comes until this command has completed. */
    public RawAnswer await(final int cid) {
        final Command command = commands.get(cid);
        assertThat(command).as("command %d", cid).isNotNull();
        while (command.answer == null) {
            takeOne();
        }
        commands.remove(cid);
        return command.answer;
    }

    /** Takes the next PDU of the target as the answer to something submitted. */
    public void takeOne() {
        final RawPdu pdu = connection.receive();
        assertThat(pdu).as("an answer, not the end of the stream").isNotNull();
        switch (pdu.type()) {
            case RawPdu.RESPONSE -> onResponse(pdu);
            case RawPdu.C2H_DATA -> onData(pdu);
            case RawPdu.R2T -> onR2t(pdu);
            default -> throw new AssertionError(pdu + " FES " + pdu.u16(8) + " FEI " + pdu.u32(10));
        }
    }

    /** Waits for the R2T of a command that was sent without {@link #submit}. */
    public RawPdu expectR2t(final int cid) {
        final RawPdu pdu = connection.receive();
        assertThat(pdu).as("R2T").isNotNull();
        assertThat(pdu.type()).as(pdu.toString()).isEqualTo(RawPdu.R2T);
        assertThat(pdu.u16(8)).as("CCCID").isEqualTo(cid);
        return pdu;
    }

    /** Waits for the completion of a command that was sent without {@link #submit}. */
    public RawAnswer expectAnswer(final int cid) {
        final RawPdu pdu = connection.receive();
        assertThat(pdu).as("completion").isNotNull();
        assertThat(pdu.type()).as(pdu.toString()).isEqualTo(RawPdu.RESPONSE);
        assertThat(pdu.u16(20)).as("CID").isEqualTo(cid);
        return answer(pdu, new byte[0]);
    }

    /** Whether a command has its answer already. */
    public boolean answered(final int cid) {
        return commands.get(cid).answer != null;
    }

    private Command commandOf(final RawPdu pdu, final int cid) {
        final Command command = commands.get(cid);
        assertThat(command).as(pdu + " for command " + cid).isNotNull();
        assertThat(command.answer).as(pdu + " after the end of command " + cid).isNull();
        return command;
    }

    private static RawAnswer answer(final RawPdu pdu, final byte[] data) {
        return new RawAnswer(pdu.u16(22) >>> 1, pdu.u64(8), pdu.u16(16), data);
    }

    private void onResponse(final RawPdu pdu) {
        assertThat(pdu.header()).hasSize(24);
        assertThat(pdu.data()).isEmpty();
        final Command command = commandOf(pdu, pdu.u16(20));
        command.answer = answer(pdu, Arrays.copyOf(command.read, command.received));
    }

    private void onData(final RawPdu pdu) {
        final Command command = commandOf(pdu, pdu.u16(8));
        assertThat(pdu.header()).hasSize(24);
        assertThat(pdu.u32(12)).as("DATAO").isEqualTo(command.received);
        assertThat(pdu.u32(16)).as("DATAL").isEqualTo(pdu.data().length).isPositive();
        assertThat(command.received + pdu.data().length).as("bytes read").isLessThanOrEqualTo(command.read.length);
        assertThat(command.last).as("data after LAST").isFalse();
        System.arraycopy(pdu.data(), 0, command.read, command.received, pdu.data().length);
        command.received += pdu.data().length;
        command.last = pdu.last();
        if (pdu.success()) {
            assertThat(pdu.last()).as("LAST with SUCCESS").isTrue();
            assertThat(options.flowControl())
                    .as("SUCCESS although SQ flow control is on")
                    .isFalse();
            command.answer = new RawAnswer(0, 0, -1, Arrays.copyOf(command.read, command.received));
        }
    }

    private void onR2t(final RawPdu pdu) {
        final Command command = commandOf(pdu, pdu.u16(8));
        r2ts++;
        assertThat(pdu.header()).hasSize(24);
        assertThat(command.write).as("data for an R2T").isNotNull();
        final long offset = pdu.u32(12);
        final long length = pdu.u32(16);
        assertThat(offset).as("R2TO").isEqualTo(command.asked);
        assertThat(length).as("R2TL").isPositive();
        assertThat(offset + length).as("bytes asked for").isLessThanOrEqualTo(command.write.length);
        command.asked += (int) length;
        long done = 0;
        while (done < length) {
            final int part = (int) Math.min(maxH2cData, length - done);
            final int from = (int) (offset + done);
            done += part;
            connection.send(PduBuilder.h2cData(
                            pdu.u16(8), pdu.u16(10), from, Arrays.copyOfRange(command.write, from, from + part))
                    .flags(done == length ? RawPdu.FLAG_LAST : 0));
        }
    }

    @Override
    public void close() {
        connection.close();
    }

    /** A command under way. */
    private static final class Command {
        final byte[] write;
        final byte[] read;
        int received;
        int asked;
        boolean last;
        RawAnswer answer;

        Command(final byte[] write, final int readBytes) {
            this.write = write;
            read = new byte[readBytes];
        }
    }
}
