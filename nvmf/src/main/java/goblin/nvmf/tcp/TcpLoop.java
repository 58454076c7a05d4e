// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.EventLoop;
import goblin.net.Timer;
import goblin.net.linux.ByteViews;
import goblin.net.linux.Errno;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.QueueTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the connections of one loop share: memory, counters, and the work at the end of each turn, when memory that came
 * back is given to those who wait for it and everything that was produced is sent.
 */
final class TcpLoop implements AcceptHandler {
    /** In which time a host must take or send half of its data while others wait for memory. */
    static final long STALL_NS = 30_000_000_000L;

    /** How long a host may take to open its connection and to connect its queue. */
    static final long OPENING_NS = 30_000_000_000L;

    private static final long SMALL_ARENA_BYTES = 256 * 1024;
    private static final long SWEEP_NS = 1_000_000_000L;
    private static final long LOG_INTERVAL_NS = 1_000_000_000L;
    private static final int LOG_LINES = 10;
    /** A PDU with as much data has an absurd length; up to that it is more than we announce, which is another fault. */
    private static final long ABSURD_BYTES = 1L << 30;

    private final EventLoop loop;
    private final TcpOptions options;
    private final Function<QueueTransport, QueuePair> opener;
    private final ConnectionLimit limit;
    private final GrownVectors grown;
    private final EntryCounts entries = new EntryCounts();
    private final Consumer<String> log;
    private final CompletionInbox inbox;
    private final TcpCounters counters = new TcpCounters();
    private final ByteViews views = new ByteViews();
    private final Crc32c crc = new Crc32c(views);
    private final SendRecords records = new SendRecords();
    private final TransferArena arena;
    private final TransferArena adminArena;
    private final TransferArena smallArena;
    private final TransferArena fusedArena;
    private final CreditQueue credit;
    private final CreditQueue adminCredit;
    private final CreditQueue smallCredit;
    private final ReceiveBudget budget;
    private final Timer sweep;

    private final QueueList queues = new QueueList();
    private final QueueList dirty = new QueueList();
    private final QueueList resuming = new QueueList();
    private final QueueList ending = new QueueList();
    private int paused;
    private boolean memoryCameBack;
    private boolean refusing;
    private boolean ended;
    private long logSinceNs;
    private long logLines;

    /**
     * Makes it for a loop that does not run yet.
     *
     * @param loop         whose transport has {@link TcpOptions#receiveBytes} of segments
     * @param options      how
     * @param limit        shared by all loops
     * @param opener       asked for the other side of each new connection
     * @param vectorMemory where larger vectors come from
     * @param log          takes lines for people
     */
    TcpLoop(
            final EventLoop loop,
            final TcpOptions options,
            final ConnectionLimit limit,
            final Function<QueueTransport, QueuePair> opener,
            final VectorMemory vectorMemory,
            final Consumer<String> log) {
        this.loop = loop;
        this.options = options;
        this.limit = limit;
        this.opener = opener;
        grown = new GrownVectors(vectorMemory, counters, options.receive(), options.receiveBytes() / 8);
        this.log = log;
        logSinceNs = loop.nowNs();
        inbox = options.files().inbox(loop);
        arena = new TransferArena(options.transferBytes(), options.maxIoBytes(), options.checking());
        adminArena = new TransferArena(options.maxIoBytes(), options.maxIoBytes(), options.checking());
        smallArena = new TransferArena(SMALL_ARENA_BYTES, QueueMemory.SMALL_BYTES, options.checking());
        fusedArena = new TransferArena(options.maxIoBytes(), options.maxIoBytes(), options.checking());
        credit = new CreditQueue(arena, fusedArena);
        adminCredit = new CreditQueue(adminArena, fusedArena);
        smallCredit = new CreditQueue(smallArena, fusedArena);
        budget = ReceiveBudget.of(options);
        counters.set(
                TcpCounter.ARENA_BYTES, arena.bytes() + adminArena.bytes() + smallArena.bytes() + fusedArena.bytes());
        counters.set(
                TcpCounter.ARENA_LOCKED_BYTES,
                lockedBytes(arena) + lockedBytes(adminArena) + lockedBytes(smallArena) + lockedBytes(fusedArena));
        sweep = loop.newTimer(this::sweep);
        loop.atTurnEnd(this::turnEnd);
    }

    private static long lockedBytes(final TransferArena arena) {
        return arena.isLocked() ? arena.bytes() : 0;
    }

    // ---- shared

    EventLoop loop() {
        return loop;
    }

    TcpOptions options() {
        return options;
    }

    TcpCounters counters() {
        return counters;
    }

    CompletionInbox inbox() {
        return inbox;
    }

    GrownVectors grown() {
        return grown;
    }

    /** In how many entries requests had their data. */
    EntryCounts entries() {
        return entries;
    }

    SendRecords records() {
        return records;
    }

    ByteViews views() {
        return views;
    }

    /** For what is sent; each stream received has its own. */
    Crc32c crc() {
        return crc;
    }

    CreditQueue credit() {
        return credit;
    }

    CreditQueue adminCredit() {
        return adminCredit;
    }

    /** For admin data that is short, which long data cannot keep waiting. */
    CreditQueue smallCredit() {
        return smallCredit;
    }

    QueuePair open(final TcpQueue queue) {
        return opener.apply(queue);
    }

    /** Tells people, but not more than a few times a second. */
    void log(final String text) {
        if (loop.nowNs() - logSinceNs >= LOG_INTERVAL_NS) {
            if (logLines > LOG_LINES) {
                log.accept((logLines - LOG_LINES) + " more lines about connections were left out");
            }
            logSinceNs = loop.nowNs();
            logLines = 0;
        }
        if (logLines++ < LOG_LINES) {
            log.accept(text);
        }
    }

    /** Whether so much receive memory is retained that further payload had better be copied. */
    boolean isPinnedTooMuch() {
        return loop.transport().lentBytes() > budget.watermark();
    }

    /** The most memory of data that a host may hold that takes none of it now. */
    long mostHeldForBlocked() {
        return Math.max(options.maxIoBytes(), arena.bytes() / 4);
    }

    int roomBytes() {
        return Math.max(options.inCapsuleBytes(), TcpOptions.DEFAULT_IN_CAPSULE_BYTES);
    }

    long largestCapsuleData() {
        return Math.max(ABSURD_BYTES, roomBytes());
    }

    long largestData() {
        return Math.max(ABSURD_BYTES, options.maxDataBytes());
    }

    void countTermination(final int status) {
        final TcpCounter counter = switch (status) {
            case TermReq.INVALID_HEADER_FIELD -> TcpCounter.TERMINATED_HEADER;
            case TermReq.SEQUENCE_ERROR -> TcpCounter.TERMINATED_SEQUENCE;
            case TermReq.DATA_OUT_OF_RANGE -> TcpCounter.TERMINATED_RANGE;
            case TermReq.LIMIT_EXCEEDED -> TcpCounter.TERMINATED_LIMIT;
            case TermReq.UNSUPPORTED_PARAMETER -> TcpCounter.TERMINATED_PARAMETER;
            // Counted as header digest errors.
            default -> null;
        };
        if (counter != null) {
            counters.add(counter, 1);
        }
    }

    // ---- connections

    @Override
    public ConnectionHandler onAccept(final Connection connection) {
        return accept(connection, () -> {});
    }

    /** Takes a connection, or null when there is no place for it; {@code onGone} is run when it is over. */
    TcpQueue accept(final Connection connection, final Runnable onGone) {
        if (ended) {
            return null;
        }
        if (!limit.take()) {
            counters.add(TcpCounter.REFUSED, 1);
            if (!refusing) {
                refusing = true;
                log("connections are refused: there are " + options.maxConnections() + " already");
            }
            return null;
        }
        refusing = false;
        counters.add(TcpCounter.ACCEPTED, 1);
        counters.add(TcpCounter.CONNECTIONS, 1);
        final TcpQueue queue = new TcpQueue(this, connection, onGone);
        queue.index = queues.size();
        queues.add(queue);
        if (!sweep.isArmed()) {
            sweep.arm(loop.nowNs() + SWEEP_NS);
        }
        return queue;
    }

    @Override
    public void onAcceptError(final int errno) {
        log("cannot accept connections: " + Errno.name(errno));
    }

    /** An accepted connection came that cannot be served, because of an errno. */
    void notServed(final int negatedErrno) {
        counters.add(TcpCounter.REFUSED, 1);
        if (!ended) {
            log("a connection cannot be served: " + Errno.name(-negatedErrno));
        }
    }

    /** Takes no more connections; those that are handed over from now on are closed at once. */
    void end() {
        ended = true;
    }

    /** Ends all connections. */
    void endAll(final String reason) {
        for (int i = 0; i < queues.size(); i++) {
            queues.get(i).end(reason);
        }
    }

    QueueList queues() {
        return queues;
    }

    /** The connections, for people. */
    List<TcpTarget.ConnectionInfo> describe() {
        final List<TcpTarget.ConnectionInfo> all = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            final TcpQueue queue = queues.get(i);
            all.add(new TcpTarget.ConnectionInfo(
                    queue.peerName(), queue.localName(), queue.pair().name(), loop.toString()));
        }
        return all;
    }

    void gone(final TcpQueue queue) {
        queues.removeAt(queue.index);
        counters.add(TcpCounter.CONNECTIONS, -1);
        limit.giveBack();
        queue.onGone.run();
    }

    // ---- the end of a turn

    void hasOutput(final TcpQueue queue) {
        if (!queue.isDirty) {
            queue.isDirty = true;
            dirty.add(queue);
        }
    }

    /** Whether one more connection may keep what it does not read. */
    boolean mayPause() {
        return paused < budget.mostPaused();
    }

    void countPaused(final int change) {
        paused += change;
    }

    /** What a connection waited for to be read may be there now. */
    void resumes(final TcpQueue queue) {
        if (!queue.isResuming) {
            queue.isResuming = true;
            resuming.add(queue);
        }
    }

    void ends(final TcpQueue queue) {
        ending.add(queue);
    }

    void memoryCameBack() {
        memoryCameBack = true;
    }

    /** Requests that wait for memory. */
    int waiting() {
        return credit.waiting() + adminCredit.waiting() + smallCredit.waiting();
    }

    private void turnEnd() {
        do {
            if (memoryCameBack || isAnyStale()) {
                memoryCameBack = false;
                smallCredit.grant();
                adminCredit.grant();
                credit.grant();
            }
            for (int i = 0; i < resuming.size(); i++) {
                resume(resuming.get(i));
            }
            resuming.clear();
            for (int i = 0; i < dirty.size(); i++) {
                flush(dirty.get(i));
            }
            dirty.clear();
            for (int i = 0; i < ending.size(); i++) {
                goOnEnding(ending.get(i));
            }
            ending.clear();
        } while (memoryCameBack || isAnyStale() || resuming.size() > 0 || dirty.size() > 0 || ending.size() > 0);
        counters.set(TcpCounter.WAITING, waiting());
        counters.set(TcpCounter.ARENA_USED_BYTES, usedBytes());
    }

    private void resume(final TcpQueue queue) {
        try {
            queue.resume();
        } catch (final RuntimeException thrown) {
            broken(queue, thrown);
        }
    }

    private void flush(final TcpQueue queue) {
        queue.isDirty = false;
        try {
            queue.flush();
        } catch (final RuntimeException thrown) {
            broken(queue, thrown);
        }
    }

    private void goOnEnding(final TcpQueue queue) {
        try {
            queue.goOnEnding();
        } catch (final RuntimeException thrown) {
            broken(queue, thrown);
        }
    }

    /** A fault with one connection ends that one and is reported; the others go on. */
    void broken(final TcpQueue queue, final RuntimeException thrown) {
        loop.execute(() -> {
            throw thrown;
        });
        queue.broken();
    }

    private boolean isAnyStale() {
        return credit.isStale() || adminCredit.isStale() || smallCredit.isStale();
    }

    /** Memory for transfers in use. */
    long usedBytes() {
        return usedBytes(arena) + usedBytes(adminArena) + usedBytes(smallArena) + usedBytes(fusedArena);
    }

    private static long usedBytes(final TransferArena arena) {
        return arena.bytes() - arena.freeBytes();
    }

    private void sweep() {
        final boolean decays = grown.decays();
        for (int i = 0; i < queues.size(); i++) {
            queues.get(i).sweep(loop.nowNs());
            if (decays) {
                queues.get(i).decay();
            }
        }
        if (queues.size() > 0) {
            sweep.arm(loop.nowNs() + SWEEP_NS);
        }
    }

    /** Gives all memory back; the loop has ended and no connection is left. */
    void destroy() {
        arena.close();
        adminArena.close();
        smallArena.close();
        fusedArena.close();
        records.destroy();
    }
}
