// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.edge.exchange.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the loops of one edge have in common. The first loop is the home: it alone has links to the host. All loops are
 * added before the first one runs; everything else may be called on any thread.
 */
final class EdgeLoops {
    private final EdgeContext context;
    private final EdgeLog log;
    private final Authentication authentication;
    private final EdgeLife life;
    private final long mostClients;
    private final long instance = ThreadLocalRandom.current().nextLong();
    private final RequestMemory requestMemory;
    private final AtomicLong lastClientId = new AtomicLong();
    private final AtomicLong clients = new AtomicLong();
    private final List<Edge> loops = new ArrayList<>();
    private final Exchange<ClientSession, ReplySlot> exchange;

    /**
     * Makes it without loops.
     *
     * @param mostClients how many clients all loops may have together
     */
    EdgeLoops(
            final EdgeContext context,
            final EdgeLog log,
            final Authentication authentication,
            final EdgeLife life,
            final long mostClients) {
        this.context = context;
        this.log = log;
        this.authentication = authentication;
        this.life = life;
        this.mostClients = mostClients;
        requestMemory = new RequestMemory(context.maxRequestMemory());
        exchange = context.loops() == 1 ? null : new Exchange<>(context.loops());
    }

    void add(final Edge loop) {
        loops.add(loop);
    }

    /** The loops, the home first. */
    List<Edge> all() {
        return loops;
    }

    Edge home() {
        return loops.getFirst();
    }

    /** What connects the loops; null when there is one. */
    Exchange<ClientSession, ReplySlot> exchange() {
        return exchange;
    }

    /** Gives back what the loops share. When all have ended. */
    void close() {
        if (exchange != null) {
            exchange.close();
        }
    }

    /** Counts one client more; false when there are as many as there may be. */
    boolean admit() {
        if (clients.incrementAndGet() <= mostClients) {
            return true;
        }
        clients.decrementAndGet();
        return false;
    }

    /** How many clients there are, of all loops. */
    long clients() {
        return clients.get();
    }

    /** A client that was admitted is gone. */
    void left() {
        clients.decrementAndGet();
    }

    /** An id that no other client has or had, larger than those before. */
    long nextClientId() {
        return lastClientId.incrementAndGet();
    }

    EdgeContext context() {
        return context;
    }

    EdgeLog log() {
        return log;
    }

    Authentication authentication() {
        return authentication;
    }

    EdgeLife life() {
        return life;
    }

    /** A random number that tells this process from an earlier one with the same edge id. */
    long instance() {
        return instance;
    }

    RequestMemory requestMemory() {
        return requestMemory;
    }
}
