// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.Timer;
import goblin.net.linux.Memory;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The other side of a transport under test: takes every Connect, writes into and reads from an array of blocks of 512
 * bytes, at once or after a delay. What it was told can be asked for on its loop's thread.
 */
public final class ScriptedPair implements QueuePair {
    /** Bytes of a block. */
    public static final int BLOCK_BYTES = 512;

    /** What all pairs of a test share. */
    public static final class Medium {
        private final byte[] bytes;
        private volatile long delayNs;
        private volatile int depth = 128;
        private final AtomicInteger executed = new AtomicInteger();
        private final AtomicInteger atStorage = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();

        /** Makes blocks of zeros, at storage for {@code delayNs}. */
        public Medium(final int bytes, final long delayNs) {
            this.bytes = new byte[bytes];
            this.delayNs = delayNs;
        }

        /** The contents; only while nothing is written. */
        public byte[] bytes() {
            return bytes;
        }

        /** Says how long commands are at storage from now on. */
        public void delay(final long ns) {
            delayNs = ns;
        }

        /** Says how many commands a queue takes. */
        public void depth(final int commands) {
            depth = commands;
        }

        /** Commands that ran. */
        public int executed() {
            return executed.get();
        }

        /** Commands under way. */
        public int atStorage() {
            return atStorage.get();
        }

        /** Queues that were told their end. */
        public int closed() {
            return closed.get();
        }
    }

    private final QueueTransport transport;
    private final Medium medium;
    private final Set<Integer> live = new HashSet<>();
    private final ArrayDeque<Request> delayed = new ArrayDeque<>();
    private final ArrayDeque<Long> due = new ArrayDeque<>();
    private Timer timer;
    private boolean admin = true;
    private boolean connected;
    private boolean noFlowControl;
    private int sqHead;
    private boolean closed;

    /** Makes one side. */
    public ScriptedPair(final QueueTransport transport, final Medium medium) {
        this.transport = transport;
        this.medium = medium;
    }

    @Override
    public boolean begin(final Request request) {
        request.transfer = Transfer.NONE;
        request.dataLength = 0;
        request.status = Status.SUCCESS;
        request.result = 0;
        final long sqe = request.sqe();
        if (!live.add(request.cid())) {
            request.status = Status.COMMAND_ID_CONFLICT | Status.DO_NOT_RETRY;
            return false;
        }
        switch (Sqe.opcode(sqe)) {
            case Opcode.FABRICS -> {
                if (Sqe.fabricsType(sqe) == Opcode.FABRICS_CONNECT) {
                    request.transfer = Transfer.FROM_HOST;
                    request.dataLength = 1024;
                }
            }
            case Opcode.WRITE -> request.transfer = Transfer.FROM_HOST;
            case Opcode.READ -> request.transfer = Transfer.TO_HOST;
            default -> {}
        }
        if (Sqe.opcode(sqe) == Opcode.WRITE || Sqe.opcode(sqe) == Opcode.READ) {
            request.dataLength = Sqe.blockCount(sqe) * BLOCK_BYTES;
            if (Sqe.firstBlock(sqe) * BLOCK_BYTES + request.dataLength > medium.bytes.length) {
                request.status = Status.LBA_OUT_OF_RANGE | Status.DO_NOT_RETRY;
                return false;
            }
        }
        if (request.dataLength > Sqe.sglLength(sqe)) {
            request.status = Status.DATA_SGL_LENGTH_INVALID | Status.DO_NOT_RETRY;
            return false;
        }
        return true;
    }

    @Override
    public void execute(final Request request) {
        medium.atStorage.incrementAndGet();
        if (medium.delayNs == 0) {
            run(request);
            return;
        }
        delayed.add(request);
        due.add(transport.loop().nowNs() + medium.delayNs);
        if (timer == null) {
            timer = transport.loop().newTimer(this::runDue);
        }
        if (!timer.isArmed()) {
            timer.arm(due.peek());
        }
    }

    private void runDue() {
        while (!delayed.isEmpty() && due.peek() - transport.loop().nowNs() <= 0) {
            due.poll();
            run(delayed.poll());
        }
        if (!delayed.isEmpty()) {
            timer.arm(due.peek());
        }
    }

    private void run(final Request request) {
        medium.atStorage.decrementAndGet();
        if (request.status == Status.SUCCESS && !closed) {
            move(request);
        }
        transport.complete(request);
    }

    private void move(final Request request) {
        medium.executed.incrementAndGet();
        final long sqe = request.sqe();
        if (Sqe.opcode(sqe) == Opcode.FABRICS) {
            if (Sqe.fabricsType(sqe) == Opcode.FABRICS_CONNECT) {
                connected = true;
                admin = (Memory.getShort(sqe + 42) & 0xFFFF) == 0;
                noFlowControl = (Memory.getByte(sqe + 46) & 4) != 0;
            }
            return;
        }
        if (request.transfer == Transfer.NONE) {
            return;
        }
        final RequestVector vector = request.vector();
        if (vector.bytes() != request.dataLength) {
            throw new IllegalStateException(vector.bytes() + " bytes instead of " + request.dataLength);
        }
        int at = (int) Sqe.firstBlock(sqe) * BLOCK_BYTES;
        for (int i = 0; i < vector.count(); i++) {
            final int length = (int) vector.length(i);
            if (request.transfer == Transfer.FROM_HOST) {
                Memory.copyOut(vector.address(i), medium.bytes, at, length);
            } else {
                Memory.copyIn(medium.bytes, at, vector.address(i), length);
            }
            at += length;
        }
    }

    @Override
    public int retire(final Request request) {
        if (request.status != (Status.COMMAND_ID_CONFLICT | Status.DO_NOT_RETRY)) {
            live.remove(request.cid());
        }
        sqHead = (sqHead + 1) & 0xFFFF;
        return sqHead;
    }

    @Override
    public int depth() {
        return medium.depth;
    }

    @Override
    public boolean flowControlDisabled() {
        return noFlowControl;
    }

    @Override
    public boolean isAdmin() {
        return admin;
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public String name() {
        return "scripted queue";
    }

    @Override
    public void closed() {
        if (closed) {
            throw new IllegalStateException("closed twice");
        }
        closed = true;
        medium.closed.incrementAndGet();
    }
}
