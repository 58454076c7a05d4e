// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

import goblin.net.linux.Memory;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.Sqe;
import goblin.nvmf.target.Transfer;

/**
 * One of a queue's commands, used again and again: taken from {@link HostQueue#take}, described, submitted, completed, then
 * submitted anew or given back. Its data is memory of the caller, which stays untouched between submission and completion.
 * Owned by the queue's loop.
 */
public final class HostCommand {
    private static final int SGL_FLAGS = 0x40;
    private static final int NSID = 4;
    private static final int DWORDS = 4;
    private static final int FIRST_BLOCK = 40;
    private static final int BLOCK_COUNT = 48;

    /** Next of the queue's free ones. */
    HostCommand next;

    boolean active;
    Transfer transfer = Transfer.NONE;
    long data;
    int length;
    /** Bytes of data that came, and bytes that the target asked for. */
    long received;

    long asked;
    boolean last;
    boolean damaged;
    int status;
    long result;

    private final HostQueue queue;
    private final int cid;
    private final long sqe;
    private CommandHandler handler;
    private long startedNs;
    private long tag;

    HostCommand(final HostQueue queue, final int cid, final long sqe) {
        this.queue = queue;
        this.cid = cid;
        this.sqe = sqe;
    }

    /**
     * Describes a command anew: all but the opcode is zero, there is no data.
     *
     * @param opcode see {@link Opcode}
     * @param nsid   the namespace, 0 for none
     * @return this
     */
    public HostCommand describe(final int opcode, final int nsid) {
        Memory.fill(sqe, Sqe.BYTES, (byte) 0);
        Memory.putByte(sqe, (byte) opcode);
        Memory.putByte(sqe + 1, (byte) SGL_FLAGS);
        Memory.putShort(sqe + 2, (short) cid);
        Memory.putInt(sqe + NSID, nsid);
        transfer = Transfer.NONE;
        data = 0;
        length = 0;
        return this;
    }

    /**
     * Describes a read, a write or another command of a range of blocks; the data follows with {@link #fromHost} or
     * {@link #toHost}.
     *
     * @param opcode     see {@link Opcode}
     * @param nsid       the namespace
     * @param firstBlock unsigned
     * @param blocks     1 to 65536
     * @return this
     */
    public HostCommand describe(final int opcode, final int nsid, final long firstBlock, final int blocks) {
        describe(opcode, nsid);
        Memory.putLong(sqe + FIRST_BLOCK, firstBlock);
        Memory.putShort(sqe + BLOCK_COUNT, (short) (blocks - 1));
        return this;
    }

    /**
     * Sets a dword of the command.
     *
     * @param dword 10 to 15
     * @param value its bits
     * @return this
     */
    public HostCommand dword(final int dword, final int value) {
        Memory.putInt(sqe + (long) DWORDS * dword, value);
        return this;
    }

    /**
     * The data to send.
     *
     * @param address first byte
     * @param bytes   1 or more
     * @return this
     */
    public HostCommand fromHost(final long address, final int bytes) {
        transfer = Transfer.FROM_HOST;
        data = address;
        length = bytes;
        return this;
    }

    /**
     * Where data from the target goes.
     *
     * @param address first byte
     * @param bytes   1 or more
     * @return this
     */
    public HostCommand toHost(final long address, final int bytes) {
        transfer = Transfer.TO_HOST;
        data = address;
        length = bytes;
        return this;
    }

    /**
     * Who is told of the end.
     *
     * @param told kept until another is named
     * @return this
     */
    public HostCommand whenDone(final CommandHandler told) {
        handler = told;
        return this;
    }

    /**
     * Something of the caller's.
     *
     * @param value any
     */
    public void tag(final long value) {
        tag = value;
    }

    /**
     * What the caller said with {@link #tag(long)}.
     *
     * @return 0 in the beginning
     */
    public long tag() {
        return tag;
    }

    /**
     * Keeps the time of the submission, for the caller.
     *
     * @param nowNs any clock
     */
    public void startedNs(final long nowNs) {
        startedNs = nowNs;
    }

    /**
     * What the caller said with {@link #startedNs(long)}.
     *
     * @return 0 in the beginning
     */
    public long startedNs() {
        return startedNs;
    }

    /**
     * The submission entry, for what has no method here.
     *
     * @return its address; see {@link Sqe}
     */
    public long sqe() {
        return sqe;
    }

    /**
     * The command's identifier, constant.
     *
     * @return 0 to the queue's depth - 1
     */
    public int cid() {
        return cid;
    }

    /**
     * The queue.
     *
     * @return constant
     */
    public HostQueue queue() {
        return queue;
    }

    /**
     * The data's place.
     *
     * @return as described
     */
    public long data() {
        return data;
    }

    /**
     * How long its data is.
     *
     * @return bytes
     */
    public int dataLength() {
        return length;
    }

    /**
     * How the command ended.
     *
     * @return see {@link goblin.nvmf.target.Status}; {@link HostQueue#HOST_PATH_ERROR} when the connection was lost
     */
    public int status() {
        return status;
    }

    /**
     * Dwords 0 and 1 of the completion.
     *
     * @return dword 0 in the lower half
     */
    public long result() {
        return result;
    }

    /**
     * How much data came.
     *
     * @return bytes
     */
    public long received() {
        return received;
    }

    void begin() {
        active = true;
        received = 0;
        asked = 0;
        last = false;
        damaged = false;
        status = 0;
        result = 0;
    }

    void finish(final int how, final long dwords) {
        active = false;
        status = how;
        result = dwords;
        handler.completed(this);
    }
}
