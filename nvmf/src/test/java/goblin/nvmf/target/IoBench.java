// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.namespace.Namespace;
import java.util.ArrayList;
import java.util.List;

/** A queue for I/O commands without a connection: keeps what was completed, in order. */
final class IoBench implements IoQueue, AutoCloseable {
    final IoCommands io = new IoCommands(this);
    final List<IoRequest> completed = new ArrayList<>();
    final IoCounters counters = new IoCounters();
    boolean writesThrough;
    int maxIoBytes = 128 << 10;
    /** What was put off to a later turn. */
    final List<Runnable> later = new ArrayList<>();

    /** Commands that wait for memory, as a test says. */
    final List<Request> waiting = new ArrayList<>();

    private final List<IoRequest> all = new ArrayList<>();
    private final AnaGroup group = new AnaGroup(1);
    private NamespaceTable table = NamespaceTable.EMPTY;

    IoBench with(final int nsid, final Namespace medium) {
        table = table.with(new NamespaceEntry(nsid, medium, group));
        return this;
    }

    void path(final AnaState state) {
        group.state(state);
    }

    IoRequest request(final int opcode, final int cid) {
        final IoRequest request = IoRequest.of(opcode, cid);
        all.add(request);
        return request;
    }

    /** Begins a command; what a transport does with one that fails is part of it. */
    boolean begin(final IoRequest request) {
        final boolean good = io.begin(request);
        if (!good) {
            completed.add(request);
        }
        return good;
    }

    /** Begins a command and executes it when that went well; its status if it is complete then, -1 otherwise. */
    int run(final IoRequest request) {
        if (begin(request)) {
            io.execute(request);
        }
        return completed.contains(request) ? request.status() : -1;
    }

    @Override
    public NamespaceTable namespaces() {
        return table;
    }

    @Override
    public CompletionInbox inbox() {
        return null;
    }

    @Override
    public int maxIoBytes() {
        return maxIoBytes;
    }

    @Override
    public boolean writesThrough() {
        return writesThrough;
    }

    @Override
    public IoCounters counters() {
        return counters;
    }

    @Override
    public void later(final Runnable what) {
        later.add(what);
    }

    @Override
    public boolean withdraw(final Request request) {
        return waiting.remove(request);
    }

    @Override
    public void complete(final Request request) {
        if (completed.contains(request)) {
            throw new IllegalStateException("completed twice: " + request.cid());
        }
        completed.add((IoRequest) request);
    }

    @Override
    public void close() {
        io.closed();
        all.forEach(IoRequest::close);
    }
}
