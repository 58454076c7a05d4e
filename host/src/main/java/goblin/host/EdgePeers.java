// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.host.command.PubSub;
import goblin.link.LinkEncoder;
import goblin.link.LinkError;
import goblin.link.LinkRole;
import goblin.net.ChunkPool;
import goblin.net.Connection;
import goblin.net.EventLoop;
import goblin.net.Timer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The edges of this host ("The SBE link" in the edge's specification): who is registered under which id, who is asking
 * to be, their heartbeats and their end. Belongs to the loop's thread.
 */
final class EdgePeers implements Flushable, AutoCloseable {
    private static final long TICK_NS = 100_000_000L;
    /** A gap between two ticks that means that the loop itself stood still. */
    private static final long OWN_PAUSE_NS = 500_000_000L;

    private final EventLoop loop;
    private final ChunkPool chunks;
    private final PubSub pubSub;
    private final EdgeOptions options;
    private final Consumer<Flushable> turnEnd;
    private final Consumer<String> log;
    private final LinkEncoder encoder = new LinkEncoder();
    private final Map<Long, EdgePeer> byId = new LinkedHashMap<>();
    private final Map<Long, Challenge> challenges = new LinkedHashMap<>();
    private final List<EdgeLink> links = new ArrayList<>();
    private final List<EdgeLink> dirty = new ArrayList<>();
    private final Timer tick;
    private long lastTickNs;
    private boolean closed;

    /** A registration that waits for an answer of the edge that holds its id. */
    private record Challenge(EdgeLink challenger, EdgePeer holder, long instance, long deadlineNs) {}

    EdgePeers(
            final EventLoop loop,
            final ChunkPool chunks,
            final PubSub pubSub,
            final EdgeOptions options,
            final Consumer<Flushable> turnEnd,
            final Consumer<String> log) {
        this.loop = loop;
        this.chunks = chunks;
        this.pubSub = pubSub;
        this.options = options;
        this.turnEnd = turnEnd;
        this.log = log;
        tick = loop.newTimer(this::tick);
    }

    /** Takes a connection whose preamble was read; the caller passes all its events on to the link. */
    EdgeLink accept(final Connection connection) {
        final EdgeLink link = new EdgeLink(this, connection);
        if (links.isEmpty()) {
            lastTickNs = nowNs();
            tick.arm(lastTickNs + TICK_NS);
        }
        links.add(link);
        return link;
    }

    /** Tells a connection whose preamble was read why no link is taken there, and closes it. */
    void reject(final Connection connection, final String why) {
        final EdgeLink link = new EdgeLink(this, connection);
        link.finish(LinkError.NOT_ALLOWED, why);
        log.accept("link from " + connection.peerName() + " refused: " + why);
    }

    /** Decides a registration: accepts it, refuses it, or asks the edge that holds the id first. */
    void register(final EdgeLink link, final long id, final long instance, final LinkRole role, final String release) {
        if (id == 0) {
            refuse(link, LinkError.MALFORMED, "edge id 0 is not legal");
        } else if (!release.equals(options.release())) {
            refuse(
                    link,
                    LinkError.RELEASE_MISMATCH,
                    "the host is release " + options.release() + ", the edge is release " + release);
        } else if (role == LinkRole.PUBLISHER) {
            registerPublisher(link, id, instance);
        } else {
            registerAggregate(link, id, instance);
        }
    }

    private void registerPublisher(final EdgeLink link, final long id, final long instance) {
        final EdgePeer peer = byId.get(id);
        if (peer == null || peer.instance() != instance) {
            refuse(
                    link,
                    LinkError.NO_AGGREGATE,
                    "edge " + Long.toUnsignedString(id) + " has no aggregate link of this instance");
        } else if (peer.publisher() != null) {
            refuse(
                    link,
                    LinkError.EDGE_ID_IN_USE,
                    "edge " + Long.toUnsignedString(id) + " has a publisher link already");
        } else {
            peer.setPublisher(link);
            link.registered(peer);
        }
    }

    private void registerAggregate(final EdgeLink link, final long id, final long instance) {
        final EdgePeer holder = byId.get(id);
        if (holder == null) {
            accept(link, id, instance);
        } else if (challenges.containsKey(id)) {
            refuseInUse(link, holder);
        } else {
            challenges.put(id, new Challenge(link, holder, instance, nowNs() + EdgeOptions.PING_NS));
            holder.aggregate().beat(nowNs(), true);
            link.await();
        }
    }

    private void accept(final EdgeLink link, final long id, final long instance) {
        final EdgePeer peer = new EdgePeer(this, id, instance, link);
        byId.put(id, peer);
        link.registered(peer);
        log.accept(peer + " registered");
    }

    private void refuseInUse(final EdgeLink link, final EdgePeer holder) {
        refuse(
                link,
                LinkError.EDGE_ID_IN_USE,
                "edge id " + Long.toUnsignedString(holder.id()) + " is in use by the live edge at "
                        + holder.aggregate().peerName());
    }

    /** Bytes of an edge came on its aggregate link: if its id is asked for, it keeps it. */
    void onAlive(final EdgePeer peer) {
        if (!challenges.isEmpty()) {
            final Challenge challenge = challenges.get(peer.id());
            // What came in the very turn of the ping was sent before it.
            if (challenge != null && challenge.deadlineNs() - nowNs() < EdgeOptions.PING_NS) {
                challenges.remove(peer.id());
                refuseInUse(challenge.challenger(), peer);
            }
        }
    }

    /** Ends a link, telling its peer why; a registered one takes the other link of its edge with it. */
    void refuse(final EdgeLink link, final LinkError error, final String why) {
        if (!link.closed()) {
            log.accept(name(link) + (link.peer() == null ? " refused: " : " ended: ") + why);
            link.finish(error, why);
            forget(link, error, why);
        }
    }

    /** Ends a link that its peer has left or that is dead; a registered one takes its edge with it. */
    void end(final EdgeLink link, final String why) {
        if (!link.closed()) {
            log.accept(name(link) + " " + why);
            link.close();
            forget(link, LinkError.NO_AGGREGATE, why);
        }
    }

    /** Ends an edge for which too much is queued, after what runs now. */
    void cutSoon(final EdgePeer peer) {
        execute(() -> refuse(
                peer.aggregate(),
                LinkError.OVERFLOW,
                "more than " + options.hardLimitBytes() + " bytes were queued, which the edge did not take"));
    }

    private void forget(final EdgeLink link, final LinkError error, final String why) {
        links.remove(link);
        challenges.values().removeIf(challenge -> challenge.challenger() == link);
        final EdgePeer peer = link.peer();
        if (peer == null || peer.ended()) {
            return;
        }
        byId.remove(peer.id(), peer);
        // The reason may be stuck behind what the first link did not take: the second tells it as well.
        closeOther(peer.aggregate(), error, "the publisher link of this edge " + why);
        closeOther(peer.publisher(), error, "the aggregate link of this edge " + why);
        peer.end();
        final Challenge challenge = challenges.remove(peer.id());
        if (challenge != null) {
            accept(challenge.challenger(), peer.id(), challenge.instance());
        }
    }

    private void closeOther(final EdgeLink link, final LinkError error, final String why) {
        if (link != null && !link.closed()) {
            link.finish(error, why);
            links.remove(link);
        }
    }

    private void tick() {
        final long nowNs = nowNs();
        if (nowNs - lastTickNs > OWN_PAUSE_NS) {
            askAgain(nowNs);
        }
        lastTickNs = nowNs;
        decideChallenges(nowNs);
        for (int i = links.size() - 1; i >= 0; i--) {
            // Ending one link may take others out of the list.
            if (i < links.size()) {
                tick(links.get(i), nowNs);
            }
        }
        if (!links.isEmpty()) {
            tick.arm(nowNs + TICK_NS);
        }
    }

    private void tick(final EdgeLink link, final long nowNs) {
        link.beat(nowNs, false);
        if (link.dead(nowNs)) {
            end(link, "was silent for too long");
        } else if (link.peer() != null
                && link.role() == LinkRole.AGGREGATE
                && link.peer().stalled(nowNs)) {
            refuse(
                    link,
                    LinkError.OVERFLOW,
                    "took none of the " + link.queue().bytes() + " bytes queued for it in 5 s");
        }
    }

    /** The loop stood still, in a script for example, and heard no answer: holders of an id get their second anew. */
    private void askAgain(final long nowNs) {
        challenges.replaceAll(
                (_, old) -> new Challenge(old.challenger(), old.holder(), old.instance(), nowNs + EdgeOptions.PING_NS));
        for (final Challenge challenge : challenges.values()) {
            challenge.holder().aggregate().beat(nowNs, true);
        }
    }

    private void decideChallenges(final long nowNs) {
        for (final Challenge challenge : List.copyOf(challenges.values())) {
            if (nowNs - challenge.deadlineNs() >= 0 && !challenge.challenger().closed()) {
                refuse(
                        challenge.holder().aggregate(),
                        LinkError.EDGE_ID_IN_USE,
                        "did not answer a ping in 1 s and is replaced by the edge at "
                                + challenge.challenger().peerName());
            }
        }
    }

    /** A script keeps the loop from turning: heartbeats that are due are queued, so that edges keep believing. */
    void duringScript(final long nowNs) {
        for (int i = 0; i < links.size(); i++) {
            links.get(i).beat(nowNs, false);
        }
    }

    /** Sends what this turn queued: aggregate links first, so that deliveries are on their way before any answer. */
    @Override
    public void flush() {
        for (int i = 0; i < dirty.size(); i++) {
            if (dirty.get(i).role() == LinkRole.AGGREGATE) {
                dirty.get(i).flush();
            }
        }
        for (int i = 0; i < dirty.size(); i++) {
            if (dirty.get(i).isDirty()) {
                dirty.get(i).flush();
            }
        }
        dirty.clear();
    }

    /** Tells whether so much is queued for an edge that those who publish to it must wait. */
    boolean anyCongested() {
        for (int i = 0; i < links.size(); i++) {
            final EdgePeer peer = links.get(i).peer();
            if (peer != null && peer.isCongested()) {
                return true;
            }
        }
        return false;
    }

    /** Tells whether something queued for an edge is not sent yet, for an orderly end. */
    boolean unsent() {
        for (int i = 0; i < links.size(); i++) {
            if (!links.get(i).queue().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The lines of {@code INFO edges}, without the heading. */
    void appendInfo(final StringBuilder into) {
        into.append("edges:").append(byId.size()).append("\r\n");
        int number = 0;
        for (final EdgePeer peer : byId.values()) {
            peer.appendInfo(into, number, nowNs());
            number++;
        }
    }

    /** Says goodbye to all edges and closes their links. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            for (final EdgeLink link : List.copyOf(links)) {
                if (!link.closed()) {
                    link.finish(LinkError.SHUTTING_DOWN, "the host is shutting down");
                }
            }
            links.clear();
            byId.values().forEach(EdgePeer::end);
            byId.clear();
            challenges.clear();
            encoder.close();
        }
    }

    void dirty(final EdgeLink link) {
        if (dirty.isEmpty()) {
            turnEnd.accept(this);
        }
        dirty.add(link);
    }

    void execute(final Runnable task) {
        loop.execute(task);
    }

    long nowNs() {
        return loop.nowNs();
    }

    EdgeOptions options() {
        return options;
    }

    ChunkPool chunks() {
        return chunks;
    }

    PubSub pubSub() {
        return pubSub;
    }

    LinkEncoder encoder() {
        return encoder;
    }

    private static String name(final EdgeLink link) {
        return link.peer() == null
                ? "link from " + link.peerName()
                : link.peer() + " (" + (link.role() == LinkRole.AGGREGATE ? "aggregate" : "publisher") + " link)";
    }
}
