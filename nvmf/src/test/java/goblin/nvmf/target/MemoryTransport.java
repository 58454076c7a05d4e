// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.EventLoop;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.raw.SqeBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * A transport without a network: what a test sends is begun at once, its data is there at once unless credit is held back,
 * and the answer can be looked at. Requests have the inline vector only. The test is on the loop's thread.
 */
final class MemoryTransport implements QueueTransport, AutoCloseable {
    private final EventLoop loop;
    private final CompletionInbox inbox;
    private final List<SentCommand> all = new ArrayList<>();
    private final List<SentCommand> waiting = new ArrayList<>();
    private final QueuePair queue;
    private int nextCid;
    private int pieces = 1;
    private boolean creditHeld;
    private RuntimeException withdrawalFault;
    private boolean disconnected;
    private volatile boolean closed;

    /** What was answered, in the order in which it would leave. */
    final List<SentCommand> answers = new ArrayList<>();

    MemoryTransport(final Target target, final HandLoop on) {
        this(target, on.loop, on.inbox);
    }

    MemoryTransport(final Target target, final EventLoop loop, final CompletionInbox inbox) {
        this.loop = loop;
        this.inbox = inbox;
        queue = target.open(this);
    }

    /** Cuts the memory of the commands that follow into so many pieces, up to 33. */
    void cutInto(final int count) {
        pieces = count;
    }

    /** Lets commands that need credit wait, from now on, until {@link #grant}. */
    void holdCredit() {
        creditHeld = true;
    }

    /** Runs the commands that wait for credit. */
    void grant() {
        creditHeld = false;
        final List<SentCommand> granted = List.copyOf(waiting);
        waiting.clear();
        granted.forEach(sent -> queue.execute(sent));
    }

    /** Sends a command without data, with an identifier of its own. */
    SentCommand send(final SqeBuilder sqe) {
        return sendAs(nextCid++ & 0xFFFF, sqe, null);
    }

    /** Sends a command with data, with an identifier of its own. */
    SentCommand send(final SqeBuilder sqe, final byte[] data) {
        return sendAs(nextCid++ & 0xFFFF, sqe, data);
    }

    /** Sends a command; data, if there is any, goes in the capsule unless the SGL says otherwise. */
    SentCommand sendAs(final int cid, final SqeBuilder sqe, final byte[] data) {
        final SentCommand sent = new SentCommand(sqe.cid(cid).bytes());
        all.add(sent);
        if (!queue.begin(sent)) {
            answer(sent);
        } else if (sent.transfer() == Transfer.FROM_HOST && creditHeld) {
            sent.data = data;
            waiting.add(sent);
        } else {
            sent.provide(pieces, data);
            queue.execute(sent);
        }
        return sent;
    }

    /** The host closes the connection. */
    void lose() {
        if (!closed) {
            closed = true;
            waiting.clear();
            queue.closed();
        }
    }

    /** Whether the target ended the connection. */
    boolean isDisconnected() {
        return disconnected;
    }

    boolean isClosed() {
        return closed;
    }

    QueuePair queue() {
        return queue;
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public CompletionInbox inbox() {
        return inbox;
    }

    @Override
    public String peerName() {
        return "192.0.2.7:40000";
    }

    @Override
    public String localName() {
        return "192.0.2.1:4420";
    }

    @Override
    public void complete(final Request request) {
        answer((SentCommand) request);
    }

    /** Has taking back commands that wait fail, until null is given. */
    void failWithdrawals(final RuntimeException fault) {
        withdrawalFault = fault;
    }

    @Override
    public boolean withdraw(final Request request) {
        if (withdrawalFault != null) {
            throw withdrawalFault;
        }
        return waiting.remove(request);
    }

    @Override
    public void disconnect(final String reason) {
        if (!disconnected) {
            disconnected = true;
            loop.execute(this::lose);
        }
    }

    /** Gives the native memory back. */
    @Override
    public void close() {
        all.forEach(SentCommand::free);
        all.clear();
    }

    private void answer(final SentCommand sent) {
        sent.answered(queue.retire(sent), closed);
        answers.add(sent);
    }
}
