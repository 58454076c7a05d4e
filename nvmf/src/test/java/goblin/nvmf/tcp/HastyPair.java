// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.EventLoop;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.QueueTransport;
import goblin.nvmf.target.Request;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;

/** A target that gives requests back as soon as their connection ends, although storage still has them: wrong on purpose. */
final class HastyPair implements QueuePair, QueueTransport {
    private final QueueTransport transport;
    private final QueuePair pair;
    private final Set<Request> executing = new LinkedHashSet<>();
    private boolean pairIsOver;

    HastyPair(final QueueTransport transport, final Function<QueueTransport, QueuePair> opener) {
        this.transport = transport;
        pair = opener.apply(this);
    }

    @Override
    public void execute(final Request request) {
        executing.add(request);
        pair.execute(request);
    }

    @Override
    public void complete(final Request request) {
        if (executing.remove(request) || !pairIsOver) {
            transport.complete(request);
        }
    }

    @Override
    public void closed() {
        pair.closed();
        pairIsOver = true;
        Set.copyOf(executing).forEach(transport::complete);
        executing.clear();
    }

    @Override
    public boolean begin(final Request request) {
        return pair.begin(request);
    }

    @Override
    public int retire(final Request request) {
        return pair.retire(request);
    }

    @Override
    public int depth() {
        return pair.depth();
    }

    @Override
    public boolean flowControlDisabled() {
        return pair.flowControlDisabled();
    }

    @Override
    public boolean isAdmin() {
        return pair.isAdmin();
    }

    @Override
    public boolean isConnected() {
        return pair.isConnected();
    }

    @Override
    public String name() {
        return pair.name();
    }

    @Override
    public EventLoop loop() {
        return transport.loop();
    }

    @Override
    public CompletionInbox inbox() {
        return transport.inbox();
    }

    @Override
    public String peerName() {
        return transport.peerName();
    }

    @Override
    public String localName() {
        return transport.localName();
    }

    @Override
    public boolean withdraw(final Request request) {
        return transport.withdraw(request);
    }

    @Override
    public void disconnect(final String reason) {
        transport.disconnect(reason);
    }
}
