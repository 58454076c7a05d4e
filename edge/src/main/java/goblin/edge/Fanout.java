// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.NativeBuffer;
import goblin.net.SharedBytes;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import goblin.pubsub.MessageFrames;
import goblin.pubsub.SubscriptionRegistry;
import goblin.pubsub.Topic;
import goblin.pubsub.TopicVisitor;
import java.util.function.Supplier;

/**
 * Delivers one publication to the local clients. A frame is encoded once for each matching name and serves RESP2 and
 * RESP3, which differ in the first byte only; the payload of a message that is large for a ring exists once for all.
 */
final class Fanout {
    private static final byte ARRAY = '*';
    private static final byte PUSH = '>';
    private static final int CRLF_BYTES = 2;
    /** A message of a quarter ring or more may fit the ring but not what is free of it: it goes by reference. */
    static final int LARGE_PART_OF_RING = 4;

    private final Edge edge;
    private final SubscriptionRegistry<ClientSession> registry;
    private final TopicVisitor<ClientSession> deliver = this::deliver;
    private final NativeBuffer frame = new NativeBuffer();

    private Kind kind;
    private long channel;
    private int channelLength;
    private long payload;
    private long payloadLength;
    private Supplier<SharedBytes> lender;
    private SharedBytes sharedPayload;
    private SharedBytes sharedFrame;
    private boolean large;
    /** What the edge wants of the present topic's name, looked up when a client asks. */
    private Interest interest;

    Fanout(final Edge edge, final SubscriptionRegistry<ClientSession> registry) {
        this.edge = edge;
        this.registry = registry;
    }

    /**
     * Attempts every delivery, without blocking. Follow with {@link #finish()}.
     *
     * @param kind CHANNEL or SHARD
     * @return deliveries attempted: the matches among this edge's clients
     */
    long publish(
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final long payloadLength) {
        begin(kind, channel, channelLength, payload, payloadLength, null);
        return attempt();
    }

    /**
     * Takes up a publication. Follow with {@link #attempt()}, or not, and {@link #finish()}.
     *
     * @param lender makes the payload with its line end shared bytes without a copy; null when it must be copied
     */
    void begin(
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final long payloadLength,
            final Supplier<SharedBytes> lender) {
        finish();
        this.kind = kind;
        this.channel = channel;
        this.channelLength = channelLength;
        this.payload = payload;
        this.payloadLength = payloadLength;
        this.lender = lender;
        large = payloadLength + CRLF_BYTES > edge.context().ringBytes() / LARGE_PART_OF_RING;
    }

    /** Attempts every delivery, without blocking; returns how many there were. */
    long attempt() {
        final long attempted = registry.forEachMatch(kind, channel, channelLength, deliver);
        edge.counters().add(EdgeCounter.DELIVERIES, attempted);
        edge.buryCondemned();
        return attempted;
    }

    /** The payload with its line end, when the message is large for a ring; valid until {@link #finish()}. */
    SharedBytes largePayload() {
        if (large && sharedPayload == null) {
            sharedPayload = lender == null ? copyOfPayload() : lender.get();
        }
        return large ? sharedPayload : null;
    }

    private SharedBytes copyOfPayload() {
        final SharedBytes copy = edge.shared().allocate(payloadLength + CRLF_BYTES);
        Memory.copy(payload, copy.address(), payloadLength);
        Memory.putByte(copy.address() + payloadLength, (byte) '\r');
        Memory.putByte(copy.address() + payloadLength + 1, (byte) '\n');
        return copy;
    }

    /** Gives back what the publication needed. */
    void finish() {
        if (sharedPayload != null) {
            sharedPayload.release();
            sharedPayload = null;
        }
    }

    /** Gives back what a rare large publication made of the frame's buffer. */
    void shrink(final long largestKept) {
        if (frame.capacity() > largestKept) {
            frame.free();
        }
    }

    private void deliver(final Topic<ClientSession> topic) {
        encode(topic);
        interest = null;
        for (int i = 0, size = topic.size(); i < size; i++) {
            deliver(topic, topic.subscriber(i));
        }
        if (sharedFrame != null) {
            sharedFrame.release();
            sharedFrame = null;
        }
    }

    private void encode(final Topic<ClientSession> topic) {
        frame.clear();
        if (topic.kind() == Kind.PATTERN) {
            MessageFrames.patternMessageHeader(
                    frame, 2, topic.name(), topic.nameLength(), channel, channelLength, payloadLength);
        } else {
            MessageFrames.messageHeader(frame, 2, kind, channel, channelLength, payloadLength);
        }
        if (!large) {
            frame.append(payload, payloadLength);
            MessageFrames.messageEnd(frame);
        }
    }

    private void deliver(final Topic<ClientSession> topic, final ClientSession client) {
        if (client.isCondemned()) {
            return;
        }
        final byte firstByte = client.protocol() == 2 ? ARRAY : PUSH;
        final OutputSequencer sequencer = client.sequencer();
        final ReplySlot end = client.pendingLeaves() == null ? null : pendingEnd(topic, client);
        if (sequencer.holdsPushes(end)) {
            hold(client, firstByte, end);
            return;
        }
        Memory.putByte(frame.address(), firstByte);
        final boolean kept = large
                ? client.output().pushLarge(frame.address(), frame.length(), largePayload())
                : client.output().push(frame.address(), frame.length());
        if (!kept) {
            edge.condemn(client);
        }
    }

    /** The confirmation that ends this name for the client and waits for the host, or null. */
    private ReplySlot pendingEnd(final Topic<ClientSession> topic, final ClientSession client) {
        if (interest == null) {
            interest = edge.interests().find(topic.kind(), topic.name(), topic.nameLength());
        }
        for (final Interest.Change change : client.pendingLeaves()) {
            if (change.interest == interest) {
                return change.slot;
            }
        }
        return null;
    }

    private void hold(final ClientSession client, final byte firstByte, final ReplySlot end) {
        if (sharedFrame == null) {
            sharedFrame = edge.copyOf(frame.address(), frame.length());
        }
        final SharedBytes rest = largePayload();
        final long bytes = sharedFrame.length() + (rest == null ? 0 : rest.length());
        if (client.sequencer().heldBytes() > 0
                && client.sequencer().heldBytes() + bytes > edge.context().maxOutputBytes()) {
            edge.condemn(client);
            return;
        }
        sharedFrame.retain();
        if (rest != null) {
            rest.retain();
        }
        client.sequencer().holdPush(firstByte, sharedFrame, rest, end);
    }
}
