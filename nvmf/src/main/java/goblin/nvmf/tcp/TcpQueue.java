// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.EventLoop;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Errno;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.QueueTransport;
import goblin.nvmf.target.Request;

/**
 * One connection: it is read as long as there is a place for what comes, what is produced in a turn leaves at the turn's
 * end. What becomes of commands is {@link CommandFlow}'s business.
 *
 * <p>The end comes in steps, at the end of a turn: the target is told, everything that is not at storage is given back,
 * what is still to be sent may go for a while, and when storage has given the rest back the connection is gone.
 */
final class TcpQueue implements ConnectionHandler, QueueTransport {
    /** How long what is left may take to be sent once the connection ends, and how long the host may take to notice. */
    static final long GRACE_NS = 2_000_000_000L;

    private enum State {
        RUNNING,
        /** The end is asked for; the target does not know yet. */
        ENDING,
        /** The target knows; nothing is received any more. */
        DETACHED,
        GONE
    }

    private final TcpLoop tcp;
    private final Connection connection;
    private final TcpCounters counters;
    private final TcpOutput output;
    private final CommandFlow flow;
    private final HostPdus pdus;
    private final PduReader reader;
    private final ReceiveVectors vectors;
    private final ExpectedData expected;
    private final QueuePair pair;

    /** Run when it is over. */
    final Runnable onGone;

    /** Its place in the loop's lists. */
    int index;

    boolean isDirty;
    boolean isResuming;

    private State state = State.RUNNING;
    private boolean opened;
    private boolean connectionDone;
    /** A termination request is the last that the host gets. */
    private boolean terminated;
    /** A fault of ours ended it. */
    private boolean broken;

    private final long sinceNs;
    private long endByNs;

    /** What could not be read yet because a command's data had no place. */
    private ReceiveSegment held;

    private int heldOffset;

    TcpQueue(final TcpLoop tcp, final Connection connection, final Runnable onGone) {
        this.tcp = tcp;
        this.connection = connection;
        this.onGone = onGone;
        counters = tcp.counters();
        sinceNs = tcp.loop().nowNs();
        output = new TcpOutput(this, tcp.records(), tcp.crc());
        vectors = new ReceiveVectors(tcp);
        expected = new ExpectedData(connection, tcp.options());
        pair = tcp.open(this);
        flow = new CommandFlow(tcp, this, output, vectors, expected, pair);
        pdus = new HostPdus(this, flow, vectors);
        reader = PduReader.ofController(pdus, new Crc32c(tcp.views()), tcp.largestCapsuleData(), tcp.largestData());
        reader.alignment(tcp.options().dataAlignment());
    }

    TcpLoop tcpLoop() {
        return tcp;
    }

    QueuePair pair() {
        return pair;
    }

    /** Where the reader of the host's stream stands. */
    PduReader.State readerState() {
        return reader.state();
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    // ---- from the connection

    @Override
    public void onReceive(final Connection from, final ReceiveSegment segment) {
        if (isRunning()) {
            read(segment, 0);
        }
    }

    private void read(final ReceiveSegment segment, final int offset) {
        pdus.reading(segment, offset);
        final int next = offset + reader.read(segment, offset);
        if (next < segment.length() && isRunning()) {
            segment.retain();
            held = segment;
            heldOffset = next;
            connection.pauseReceive();
            tcp.countPaused(1);
            counters.add(TcpCounter.PAUSES, 1);
        } else if (isRunning()) {
            expected.tell(reader, pdus.current(), vectors.pduBytes());
        }
    }

    /** There may be a place now for what was not read. */
    void resume() {
        isResuming = false;
        if (held == null || !isRunning()) {
            return;
        }
        final ReceiveSegment segment = held;
        held = null;
        tcp.countPaused(-1);
        read(segment, heldOffset);
        segment.release();
        if (held == null && isRunning()) {
            // One segment less is pinned.
            tcp.memoryCameBack();
            connection.resumeReceive();
        }
    }

    @Override
    public void onWritable(final Connection to) {
        output.writable();
        // Its host may have more memory again.
        tcp.memoryCameBack();
        hasOutput();
    }

    @Override
    public void onEndOfStream(final Connection from) {
        lost(0);
    }

    @Override
    public void onPeerEndedWhilePaused(final Connection from) {
        lost(0);
    }

    @Override
    public void onClosed(final Connection from, final int errno) {
        connectionDone = true;
        lost(errno);
    }

    private void lost(final int errno) {
        // A host that goes says so; only what it did not mean is worth a line.
        end(errno == 0 || errno == Errno.ECONNRESET ? null : "the connection failed: " + Errno.name(errno));
        if (state == State.DETACHED) {
            tcp.ends(this);
        }
        if (!connectionDone) {
            connection.close();
            connectionDone = true;
        }
    }

    // ---- from the reader's sink

    void opened(final int digests, final int hostAlignment) {
        opened = true;
        final boolean headerDigest = (digests & IcReq.HEADER_DIGEST) != 0;
        final boolean dataDigest = (digests & IcReq.DATA_DIGEST) != 0;
        output.icResp(tcp.options().dataAlignment(), digests, tcp.options().maxDataBytes());
        output.agreed(headerDigest, dataDigest, hostAlignment);
        reader.digests(headerDigest, dataDigest);
        expected.headerDigest(headerDigest);
    }

    void fatal(final int status, final long information, final long header, final int headerLength) {
        if (!isRunning()) {
            return;
        }
        if (status == TermReq.QUIET) {
            end("a malformed termination request");
            return;
        }
        output.termReq(status, information, header, headerLength);
        terminated = true;
        tcp.countTermination(status);
        end("a PDU of " + PduType.name(CommonHeader.type(header)) + " was wrong: status " + status + ", information "
                + information);
    }

    // ---- from the target

    @Override
    public void complete(final Request request) {
        final TcpRequest done = (TcpRequest) request;
        try {
            flow.complete(done, state == State.DETACHED || terminated);
        } catch (final RuntimeException thrown) {
            // The target has done with it: nobody else would give it back.
            flow.abandon(done);
            tcp.broken(this, thrown);
        }
        if (state == State.DETACHED) {
            tcp.ends(this);
        }
    }

    @Override
    public boolean withdraw(final Request request) {
        return flow.withdraw((TcpRequest) request);
    }

    @Override
    public void disconnect(final String reason) {
        end(reason);
    }

    @Override
    public EventLoop loop() {
        return tcp.loop();
    }

    @Override
    public CompletionInbox inbox() {
        return tcp.inbox();
    }

    @Override
    public String peerName() {
        return connection.peerName();
    }

    @Override
    public String localName() {
        return connection.localName();
    }

    // ---- sending

    /** The stack has all of a request's data. */
    void sent(final TcpRequest request) {
        flow.sent(request);
    }

    void hasOutput() {
        tcp.hasOutput(this);
    }

    void flush() {
        if (connectionDone) {
            return;
        }
        if (!output.flush(connection)) {
            // onClosed follows.
            return;
        }
        if (state == State.DETACHED && output.isEmpty()) {
            tcp.ends(this);
        } else if (isRunning()) {
            expected.tell(reader, pdus.current(), vectors.pduBytes());
        }
    }

    // ---- the end

    /** Asks for the end, which comes at the end of the turn; {@code reason} is null when nobody wants to know. */
    void end(final String reason) {
        if (!isRunning()) {
            return;
        }
        if (reason != null) {
            tcp.log(pair.name() + " from " + connection.peerName() + ": " + reason);
        }
        state = State.ENDING;
        flow.stopWaiting();
        reader.close();
        tcp.ends(this);
    }

    /** Sending or ending met a fault of ours: what can be given back is, once. */
    void broken() {
        if (broken || state == State.GONE) {
            return;
        }
        broken = true;
        end("a fault of the target");
        if (!connectionDone) {
            connectionDone = true;
            connection.close();
        }
        tcp.ends(this);
    }

    /** Goes on with the end as far as it goes now. */
    void goOnEnding() {
        if (state == State.ENDING) {
            detach();
        }
        if (state != State.DETACHED) {
            return;
        }
        if (connectionDone) {
            output.clear();
        } else if (output.isEmpty()) {
            connectionDone = true;
            connection.finish(GRACE_NS);
        }
        if (connectionDone && flow.isIdle()) {
            destroy();
        }
    }

    private void detach() {
        state = State.DETACHED;
        endByNs = tcp.loop().nowNs() + GRACE_NS;
        pdus.forget();
        if (held != null) {
            held.release();
            held = null;
            tcp.countPaused(-1);
            // Nothing is to be kept of what it received before: it is dropped as it comes.
            connection.resumeReceive();
        }
        try {
            pair.closed();
        } finally {
            flow.detach();
        }
        if (!connectionDone) {
            flush();
        }
    }

    private void destroy() {
        state = State.GONE;
        flow.destroy();
        tcp.gone(this);
    }

    /** Lets vectors decay that were not needed for a while. */
    void decay() {
        if (state != State.GONE) {
            flow.decay();
        }
    }

    /** Looks for what has taken too long. */
    void sweep(final long nowNs) {
        if (state == State.DETACHED && !connectionDone && nowNs - endByNs > 0) {
            connectionDone = true;
            connection.close();
            tcp.ends(this);
        } else if (isRunning() && !pair.isConnected() && nowNs - sinceNs > TcpLoop.OPENING_NS) {
            end(opened ? "the host did not connect its queue" : "the host did not open the connection");
        } else if (isRunning() && flow.isStalled(nowNs)) {
            counters.add(TcpCounter.STALLED, 1);
            end("the host took or sent too little data while others waited for memory");
            connection.close();
            connectionDone = true;
        }
    }
}
