// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * A queue from its connection's first command on: which commands are outstanding, whom they belong to, when it may go.
 * Commands are run by {@link FabricsCommands}, {@link AdminCommands} and those of I/O, which end each by {@link #complete}.
 */
final class TargetQueue implements QueuePair {
    /** Before Connect there is nothing but Connect. */
    private static final int DEPTH_BEFORE_CONNECT = 1;

    private static final int ANY_SIZE = 65536;
    private static final int NO_FLOW_CONTROL_HEAD = 0xFFFF;

    private final Target target;
    private final QueueTransport transport;
    private Outstanding commands = new Outstanding(DEPTH_BEFORE_CONNECT);
    private int depth = DEPTH_BEFORE_CONNECT;
    private int size = ANY_SIZE;
    private int head;
    private int outstanding;
    private int running;
    private Controller controller;
    private int qid;
    private boolean flowControlDisabled;
    private boolean connectAnswered = true;
    private boolean disconnecting;
    private boolean closed;
    private boolean left;
    private Request lastCommand;
    /** Null on admin queues, and before Connect. */
    private IoCommands io;

    private IoCounters counters;
    /** While the queue is drained: commands that will not start, and that the host will send again elsewhere. */
    private List<Request> withheld;

    /** Set by any thread: nothing is taken and nothing starts any more. */
    private volatile boolean fenced;

    TargetQueue(final Target target, final QueueTransport transport) {
        this.target = target;
        this.transport = transport;
    }

    @Override
    public boolean begin(final Request request) {
        request.reset(this);
        if (outstanding == depth) {
            return overflow(request);
        }
        outstanding++;
        request.counted = true;
        if (!commands.add(request.cid(), request)) {
            target.counters().add(TargetCounter.DUPLICATE_CIDS);
            return refuseEarly(request, Status.COMMAND_ID_CONFLICT | Status.DO_NOT_RETRY);
        }
        request.holdsCid = true;
        if (fenced) {
            return refuseEarly(request, Status.ABORTED_SQ_DELETION);
        }
        if (controller != null) {
            controller.keepAlive().touch(transport.loop().nowNs());
        }
        if (Sqe.opcode(request.sqe()) == Opcode.FABRICS) {
            if (io != null) {
                io.interrupted();
            }
            return FabricsCommands.begin(this, request);
        }
        if (controller == null) {
            return refuse(request, Status.SEQUENCE_ERROR | Status.DO_NOT_RETRY);
        }
        return qid == 0 ? AdminCommands.begin(this, request) : io.begin(request);
    }

    private boolean refuseEarly(final Request request, final int status) {
        if (io != null && Sqe.opcode(request.sqe()) == Opcode.FABRICS) {
            io.interrupted();
        } else if (io != null) {
            io.refused(request, status);
        }
        return refuse(request, status);
    }

    @Override
    public void execute(final Request request) {
        if (withheld != null && Sqe.opcode(request.sqe()) != Opcode.FABRICS) {
            withheld.add(request);
            return;
        }
        request.running = true;
        running++;
        try {
            run(request);
        } catch (final RuntimeException thrown) {
            broken(request, thrown);
        }
    }

    private void run(final Request request) {
        if (request.status == Status.SUCCESS && fenced) {
            request.fail(Status.ABORTED_SQ_DELETION);
        }
        if (io != null && Sqe.opcode(request.sqe()) != Opcode.FABRICS) {
            // Failed ones too: the other half of a fused pair must hear of it.
            io.execute(request);
        } else if (request.status != Status.SUCCESS) {
            complete(request);
        } else if (Sqe.opcode(request.sqe()) == Opcode.FABRICS) {
            FabricsCommands.execute(this, request);
        } else {
            AdminCommands.execute(this, request);
        }
    }

    @Override
    public int retire(final Request request) {
        if (request.status != Status.SUCCESS && controller != null) {
            noteFailure(request);
        }
        if (request.holdsCid) {
            request.holdsCid = false;
            commands.remove(request.cid());
        }
        if (request.counted) {
            request.counted = false;
            outstanding--;
            head = head + 1 == size ? 0 : head + 1;
        }
        if (lastCommand != null && outstanding == 1) {
            // The present command's completion must be with the transport first.
            later(this::completeLastIfAlone);
        }
        if (!flowControlDisabled) {
            return head;
        }
        if (connectAnswered) {
            return 0;
        }
        connectAnswered = true;
        return NO_FLOW_CONTROL_HEAD;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public boolean flowControlDisabled() {
        return flowControlDisabled;
    }

    @Override
    public boolean isAdmin() {
        return qid == 0;
    }

    @Override
    public boolean isConnected() {
        return controller != null;
    }

    @Override
    public String name() {
        return controller == null
                ? "unconnected queue from " + transport.peerName()
                : "qid " + qid + " of " + controller.name();
    }

    @Override
    public void closed() {
        if (closed) {
            return;
        }
        closed = true;
        fenced = true;
        commands = new Outstanding(DEPTH_BEFORE_CONNECT);
        if (lastCommand != null) {
            completeLast();
        }
        if (controller != null && qid == 0) {
            controller.keepAlive().stop();
            controller.end("the admin connection is closed", false);
            controller.events().reset();
        }
        if (io != null) {
            io.closed();
        }
        if (withheld != null) {
            withheld.forEach(request -> complete(request, Status.ABORTED_SQ_DELETION));
            withheld.clear();
        }
        leaveIfDone();
    }

    @Override
    public String toString() {
        return name();
    }

    // What the commands use.

    Target target() {
        return target;
    }

    QueueTransport transport() {
        return transport;
    }

    String peerName() {
        return transport.peerName();
    }

    /** Null before Connect. */
    Controller controller() {
        return controller;
    }

    int qid() {
        return qid;
    }

    /** Whether operations of this queue may not start any more. Any thread. */
    boolean isFenced() {
        return fenced;
    }

    /** Fails a command that has not been asked for its data; to be returned by {@code begin}. */
    static boolean refuse(final Request request, final int status) {
        request.fail(status);
        return false;
    }

    /** Takes a command without data. */
    static boolean take(final Request request) {
        return true;
    }

    /** Takes a command with data, if it has an SGL that is long enough. */
    static boolean take(final Request request, final Transfer transfer, final int length) {
        final int psdt = Sqe.psdt(request.sqe());
        if (psdt != 1 && psdt != 2) {
            return refuse(request, Status.INVALID_FIELD | Status.DO_NOT_RETRY);
        }
        if (Sqe.sglLength(request.sqe()) < length) {
            return refuse(request, Status.DATA_SGL_LENGTH_INVALID | Status.DO_NOT_RETRY);
        }
        request.transfer = transfer;
        request.dataLength = length;
        return true;
    }

    void complete(final Request request, final int status) {
        request.fail(status);
        complete(request);
    }

    /** Ends a command that was executed, or withdrawn. The last that the target does with it. */
    void complete(final Request request) {
        if (request.running) {
            request.running = false;
            running--;
        }
        if (controller != null) {
            controller.keepAlive().touch(transport.loop().nowNs());
        }
        transport.complete(request);
        if (closed) {
            leaveIfDone();
        } else if (withheld != null) {
            tellIfQuiet();
        }
    }

    /** A command met a fault of ours: it fails, rather than being outstanding for ever, and the fault is reported. */
    void broken(final Request request, final RuntimeException thrown) {
        later(() -> {
            throw thrown;
        });
        if (request.running) {
            if (io != null) {
                io.withdrawn(request);
            }
            complete(request, Status.INTERNAL_ERROR);
        }
    }

    /** Becomes a controller's queue. */
    void connected(final Controller to, final int identifier, final int queueSize, final boolean noFlowControl) {
        controller = to;
        qid = identifier;
        size = queueSize;
        // Connect is the queue's first entry, whatever was refused before there was a queue.
        head = 0;
        depth = queueSize - 1;
        flowControlDisabled = noFlowControl;
        connectAnswered = false;
        if (qid != 0) {
            final ConnectedIo connected = new ConnectedIo(this, to);
            counters = connected.counters();
            io = new IoCommands(connected);
        }
        final Outstanding larger = new Outstanding(depth);
        commands.copyTo(larger);
        commands = larger;
    }

    /** The host disconnects the queue: when all else is completed, so is this. */
    void disconnectAfter(final Request request) {
        fenced = true;
        lastCommand = request;
        if (outstanding == 1) {
            completeLast();
        }
    }

    /** Gives up a command that waits for memory or credit; whether it did, and then it is to be completed. */
    boolean withdraw(final Request request) {
        return !request.running && transport.withdraw(request);
    }

    /** Aborts a command that waits for memory or credit; whether it did. On the queue's loop. */
    boolean abort(final int cid) {
        final Request request = commands.find(cid);
        if (request == null || !withdraw(request)) {
            return false;
        }
        if (io != null) {
            io.withdrawn(request);
        }
        complete(request, Status.ABORTED_BY_REQUEST);
        return true;
    }

    /** Takes and starts nothing any more. Any thread. */
    void fence() {
        fenced = true;
    }

    /** An I/O queue starts nothing any more, and its controller is told when what runs is completed. Any thread. */
    void drain() {
        try {
            transport.loop().execute(() -> {
                if (withheld == null) {
                    withheld = new ArrayList<>();
                    tellIfQuiet();
                }
            });
        } catch (final RejectedExecutionException ended) {
            controller.quiet(this);
        }
    }

    private void tellIfQuiet() {
        if (running == 0) {
            controller.quiet(this);
        }
    }

    /** Takes and starts nothing any more and closes the connection; the log was told why. Any thread. */
    void shut() {
        fenced = true;
        later(this::disconnect);
    }

    private void later(final Runnable what) {
        try {
            transport.loop().execute(what);
        } catch (final RejectedExecutionException ended) {
            // The loop has closed its connections.
        }
    }

    private void disconnect() {
        if (!closed && !disconnecting) {
            disconnecting = true;
            transport.disconnect(null);
        }
    }

    private void noteFailure(final Request request) {
        final long sqe = request.sqe();
        final int opcode = Sqe.opcode(sqe);
        final boolean onBlocks = qid != 0 && opcode != Opcode.FABRICS && opcode != Opcode.FLUSH;
        controller
                .errors()
                .add(
                        qid,
                        request.cid(),
                        request.status,
                        onBlocks && opcode != Opcode.DATASET_MANAGEMENT ? Sqe.firstBlock(sqe) : 0,
                        opcode == Opcode.FABRICS ? 0 : Sqe.nsid(sqe));
    }

    private boolean overflow(final Request request) {
        final String reason = "more than " + depth + " commands outstanding on " + name();
        target.counters().add(TargetCounter.QUEUE_OVERFLOWS);
        fenced = true;
        if (controller == null) {
            target.log().line("overflow", reason, System.nanoTime());
        } else {
            controller.end(reason, true);
        }
        disconnect();
        return refuse(request, Status.INTERNAL_ERROR);
    }

    private void completeLastIfAlone() {
        if (lastCommand != null && outstanding == 1 && !closed) {
            completeLast();
        }
    }

    private void completeLast() {
        final Request request = lastCommand;
        lastCommand = null;
        complete(request);
        // What was completed is sent before the end; the queue's identifier is free with it.
        disconnect();
    }

    private void leaveIfDone() {
        if (running == 0 && controller != null && !left) {
            left = true;
            if (counters != null) {
                controller.subsystem().smart().close(counters);
            }
            controller.detach(this);
        }
    }
}
