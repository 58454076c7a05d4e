// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.nvmf.target.Cqe;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.Sqe;
import goblin.nvmf.target.Status;
import goblin.nvmf.target.Transfer;
import goblin.nvmf.tcp.CapsuleCmd;
import goblin.nvmf.tcp.CapsuleResp;
import goblin.nvmf.tcp.CommonHeader;
import goblin.nvmf.tcp.Crc32c;
import goblin.nvmf.tcp.DataPdu;
import goblin.nvmf.tcp.IcReq;
import goblin.nvmf.tcp.IcResp;
import goblin.nvmf.tcp.PduType;
import goblin.nvmf.tcp.R2t;
import goblin.nvmf.tcp.TermReq;

/**
 * One queue over one connection, from ICReq on. Commands are submitted and leave with the next {@link #flush}; inside a
 * completion no flush is needed. Nothing is allocated for a command. When the connection is lost, or the target breaks a
 * rule of the transport, every command under way ends with {@link #HOST_PATH_ERROR} and {@link #failure} says why.
 *
 * <p>Everything runs on the loop's thread.
 */
public final class HostQueue {
    /** The status of commands whose connection was lost (Path Related Status, Host Pathing Error). */
    public static final int HOST_PATH_ERROR = 0x370;

    /** What a capsule on an admin queue, or one of a fabrics command, may always carry. */
    static final int FABRICS_IN_CAPSULE_BYTES = 8192;

    private static final int SGL_LENGTH = 32;
    private static final int SGL_TYPE = 39;

    private final EventLoop loop;
    private final InitiatorOptions options;
    private final QueueListener listener;
    private final Events events = new Events();
    private final HostReader reader = new HostReader(events);
    private final Crc32c crc = new Crc32c();
    private final SendRing sends;
    private final HostCommand[] commands;
    private final long entries;
    private final int qid;
    private Connection connection;
    private HostCommand free;
    private int active;
    private final int inCapsuleBytes;
    private int alignment;
    private long maxData;
    private boolean open;
    private boolean closed;
    private boolean receiving;
    private String failure;
    /** Whose data is arriving, and whether its PDU says that the command succeeded. */
    private HostCommand reading;

    private boolean succeeded;

    /** Told about a queue's connection. */
    interface QueueListener {
        /** ICResp came; commands may be submitted. */
        void onOpen(HostQueue queue);

        /** The connection is gone, by no wish of ours; commands under way have ended. */
        void onLost(HostQueue queue, String reason);
    }

    HostQueue(
            final EventLoop loop,
            final InitiatorOptions options,
            final int qid,
            final int depth,
            final int inCapsuleBytes,
            final QueueListener listener) {
        this.loop = loop;
        this.options = options;
        this.qid = qid;
        this.inCapsuleBytes = inCapsuleBytes;
        this.listener = listener;
        sends = new SendRing(2 * depth);
        commands = new HostCommand[depth];
        entries = Memory.allocate((long) depth * Sqe.BYTES);
        for (int cid = depth - 1; cid >= 0; cid--) {
            commands[cid] = new HostCommand(this, cid, entries + (long) cid * Sqe.BYTES);
            give(commands[cid]);
        }
    }

    void connect() {
        connection = loop.transport().connect(new Endpoint.Tcp(options.address(), options.port()), events);
    }

    // ---- commands

    /**
     * Takes a command.
     *
     * @return the caller's until he gives it back; null when all are taken
     */
    public HostCommand take() {
        final HostCommand command = free;
        if (command != null) {
            free = command.next;
            command.next = null;
        }
        return command;
    }

    /**
     * Gives a command back.
     *
     * @param command taken before and not under way
     */
    public void give(final HostCommand command) {
        if (command.active) {
            throw new IllegalStateException("command " + command.cid() + " is under way");
        }
        command.next = free;
        free = command;
    }

    /**
     * Queues a command to be sent by the next {@link #flush}.
     *
     * @param command described completely
     * @return false when the queue has lost its connection; the command is still the caller's and is not completed
     */
    public boolean submit(final HostCommand command) {
        if (!open) {
            return false;
        }
        command.begin();
        active++;
        final int limit = Sqe.opcode(command.sqe()) == Opcode.FABRICS ? FABRICS_IN_CAPSULE_BYTES : inCapsuleBytes;
        final boolean inCapsule = command.transfer == Transfer.FROM_HOST && command.length <= limit;
        if (command.transfer != Transfer.NONE) {
            Memory.putInt(command.sqe() + SGL_LENGTH, command.length);
            Memory.putByte(command.sqe() + SGL_TYPE, (byte) (inCapsule ? Sqe.SGL_IN_CAPSULE : Sqe.SGL_TRANSPORT));
        }
        final int dataLength = inCapsule ? command.length : 0;
        final long pdu = sends.header();
        final int padding = CapsuleCmd.putHeader(pdu, digestFlags(), alignment, dataLength);
        Memory.copy(command.sqe(), CapsuleCmd.sqe(pdu), Sqe.BYTES);
        commit(pdu, CapsuleCmd.BYTES, padding, command.data, dataLength);
        return true;
    }

    /** Sends what was submitted, as far as the stack takes it; the rest follows by itself. */
    public void flush() {
        if (!receiving && !closed && connection != null && !sends.flush(connection)) {
            // What happened is told by onClosed.
            open = false;
        }
    }

    private void commit(
            final long pdu, final int headerLength, final int padding, final long data, final int dataLength) {
        int end = headerLength;
        if (options.headerDigest()) {
            crc.seal(pdu, headerLength);
            end += CommonHeader.DIGEST_BYTES;
        }
        Memory.fill(pdu + end, padding, (byte) 0);
        final boolean digest = options.dataDigest() && dataLength > 0;
        sends.commit(end + padding, data, dataLength, digest, digest ? (int) crc.of(data, dataLength) : 0);
    }

    private int digestFlags() {
        return (options.headerDigest() ? CommonHeader.HEADER_DIGEST : 0)
                | (options.dataDigest() ? CommonHeader.DATA_DIGEST : 0);
    }

    // ---- the queue

    /**
     * The queue's number.
     *
     * @return 0 for the admin queue
     */
    public int qid() {
        return qid;
    }

    /**
     * How many commands there are.
     *
     * @return 1 or more
     */
    public int depth() {
        return commands.length;
    }

    /**
     * How many commands are under way.
     *
     * @return 0 to {@link #depth}
     */
    public int active() {
        return active;
    }

    /**
     * The most bytes of one H2CData, as the target wants it.
     *
     * @return bytes; 0 before ICResp
     */
    public long maxH2cData() {
        return maxData;
    }

    /**
     * Whether commands can be submitted.
     *
     * @return false before ICResp and after the connection's end
     */
    public boolean isOpen() {
        return open;
    }

    /**
     * Why the connection ended.
     *
     * @return one line, null when it did not end or was closed by us
     */
    public String failure() {
        return failure;
    }

    /** Closes the connection; commands under way end with {@link #HOST_PATH_ERROR}. Idempotent. */
    void close() {
        if (!closed) {
            closed = true;
            open = false;
            reading = null;
            if (connection != null) {
                connection.close();
            }
            for (final HostCommand command : commands) {
                if (command.active) {
                    end(command, HOST_PATH_ERROR, 0);
                }
            }
            // Not at once: its own events may be on the stack.
            loop.execute(this::freeMemory);
        }
    }

    private void freeMemory() {
        sends.close();
        reader.close();
        Memory.free(entries);
    }

    private void lose(final String reason) {
        if (!closed) {
            failure = "queue " + qid + ": " + reason;
            close();
            listener.onLost(this, failure);
        }
    }

    private void end(final HostCommand command, final int status, final long result) {
        active--;
        command.finish(status, result);
    }

    /** What the connection and the reader of its bytes tell. */
    private final class Events implements ConnectionHandler, HostReader.Sink {

        @Override
        public void onConnected(final Connection which) {
            final long pdu = sends.header();
            final int digests =
                    (options.headerDigest() ? IcReq.HEADER_DIGEST : 0) | (options.dataDigest() ? IcReq.DATA_DIGEST : 0);
            IcReq.put(pdu, 0, digests, options.maxR2t() - 1L);
            sends.commit(IcReq.BYTES, 0, 0, false, 0);
            flush();
        }

        @Override
        public void onReceive(final Connection which, final ReceiveSegment segment) {
            receiving = true;
            try {
                reader.read(segment.address(), segment.length());
            } catch (final InitiatorException broken) {
                lose(broken.getMessage());
            } finally {
                receiving = false;
            }
            flush();
        }

        @Override
        public void onEndOfStream(final Connection which) {
            lose("the target ended the connection");
        }

        @Override
        public void onWritable(final Connection which) {
            flush();
        }

        @Override
        public void onClosed(final Connection which, final int errno) {
            lose((open || maxData != 0 ? "connection lost: " : "cannot connect: ") + Errno.name(errno));
        }

        @Override
        public void onHeader(final long header, final long dataLength) {
            if (closed) {
                return;
            }
            final int type = CommonHeader.type(header);
            if ((type == PduType.IC_RESP) != (maxData == 0) && type != PduType.C2H_TERM_REQ) {
                throw new InitiatorException("the target sent " + PduType.name(type) + " out of turn");
            }
            switch (type) {
                case PduType.IC_RESP -> onIcResp(header);
                case PduType.CAPSULE_RESP -> onResponse(CapsuleResp.cqe(header));
                case PduType.C2H_DATA -> onDataHeader(header, dataLength);
                case PduType.R2T -> onR2t(header);
                default ->
                    throw new InitiatorException("the target terminates the connection: FES " + TermReq.status(header)
                            + ", FEI " + TermReq.information(header));
            }
        }

        @Override
        public void onData(final long address, final int length) {
            if (reading != null) {
                Memory.copy(address, reading.data + reading.received, length);
                reading.received += length;
            }
        }

        @Override
        public void onEnd(final boolean intact) {
            final HostCommand command = reading;
            if (command == null) {
                return;
            }
            reading = null;
            command.damaged |= !intact;
            if (succeeded) {
                succeeded = false;
                complete(command, Status.SUCCESS, 0);
            }
        }

        private void onIcResp(final long pdu) {
            final int wanted =
                    (options.headerDigest() ? IcReq.HEADER_DIGEST : 0) | (options.dataDigest() ? IcReq.DATA_DIGEST : 0);
            if (IcResp.formatVersion(pdu) != IcReq.FORMAT_VERSION
                    || IcResp.alignment(pdu) > IcReq.MAX_ALIGNMENT
                    || IcResp.maxData(pdu) < IcResp.MIN_MAX_DATA) {
                throw new InitiatorException("the target's ICResp has PFV " + IcResp.formatVersion(pdu) + ", CPDA "
                        + IcResp.alignment(pdu) + ", MAXH2CDATA " + IcResp.maxData(pdu));
            }
            if (IcResp.digests(pdu) != wanted) {
                throw new InitiatorException(
                        "digests " + wanted + " were asked for, the target has " + IcResp.digests(pdu));
            }
            alignment = IcResp.alignment(pdu);
            maxData = IcResp.maxData(pdu);
            reader.digests(options.headerDigest(), options.dataDigest());
            open = true;
            listener.onOpen(HostQueue.this);
        }

        private HostCommand command(final int cid, final String what) {
            if (cid >= commands.length || !commands[cid].active) {
                throw new InitiatorException(what + " for command " + cid + ", which is not under way");
            }
            return commands[cid];
        }

        private void onResponse(final long cqe) {
            complete(command(Cqe.cid(cqe), "a response"), Cqe.status(cqe), Cqe.result(cqe));
        }

        private void complete(final HostCommand command, final int status, final long result) {
            if (status == 0 && command.transfer == Transfer.TO_HOST && command.received != command.length) {
                throw new InitiatorException("the target calls command " + command.cid() + " a success after "
                        + command.received + " of its " + command.length + " bytes");
            }
            end(command, status == 0 && command.damaged ? Status.TRANSIENT_TRANSPORT_ERROR : status, result);
        }

        private void onDataHeader(final long pdu, final long dataLength) {
            final HostCommand command = command(DataPdu.cid(pdu), "data");
            final long length = DataPdu.length(pdu);
            if (command.transfer != Transfer.TO_HOST
                    || command.last
                    || length != dataLength
                    || DataPdu.offset(pdu) != command.received
                    || command.received + length > command.length) {
                throw new InitiatorException("data " + DataPdu.offset(pdu) + '+' + length + " (" + dataLength
                        + " in the PDU) for command " + command.cid() + " of " + command.length + " bytes, of which "
                        + command.received + " are there");
            }
            command.last = CommonHeader.has(pdu, CommonHeader.LAST);
            succeeded = CommonHeader.has(pdu, CommonHeader.SUCCESS);
            if (succeeded && (!command.last || options.flowControl())) {
                throw new InitiatorException("SUCCESS without LAST, or although SQ flow control is on");
            }
            reading = command;
        }

        private void onR2t(final long pdu) {
            final HostCommand command = command(R2t.cid(pdu), "an R2T");
            final long offset = R2t.offset(pdu);
            final long length = R2t.length(pdu);
            if (command.transfer != Transfer.FROM_HOST
                    || length == 0
                    || offset != command.asked
                    || offset + length > command.length) {
                throw new InitiatorException("an R2T for " + offset + '+' + length + " of command " + command.cid()
                        + ", which has " + command.length + " bytes, asked for up to " + command.asked);
            }
            command.asked += length;
            for (long done = 0; done < length; ) {
                final int part = (int) Math.min(maxData, length - done);
                sendData(command, R2t.tag(pdu), offset + done, part, done + part == length);
                done += part;
            }
        }

        private void sendData(
                final HostCommand command, final int tag, final long offset, final int length, final boolean last) {
            final long pdu = sends.header();
            final int flags = digestFlags() | (last ? CommonHeader.LAST : 0);
            final int padding =
                    DataPdu.put(pdu, PduType.H2C_DATA, flags, alignment, command.cid(), tag, offset, length);
            commit(pdu, DataPdu.BYTES, padding, command.data + offset, length);
        }
    }
}
