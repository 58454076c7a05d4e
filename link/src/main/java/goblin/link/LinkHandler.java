// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import goblin.pubsub.Kind;

/**
 * Receives the messages of one link from a {@link LinkDecoder}, in order, on its loop's thread.
 *
 * <p>Native addresses are valid during the call only. Each message's method answers whether to go on: true, or false to
 * pause, which keeps all that follows until {@link LinkDecoder#resume}. A handler that gives the link up closes the
 * decoder, from inside the call if it likes; the answer does not matter then. An end implements the messages that the
 * other end may send and lets the rest fall to {@link #onUnexpected}.
 */
public interface LinkHandler {

    /**
     * An edge wants to register this link; the first message of a link.
     *
     * @param edgeId the edge's id as an unsigned number; 0 is never legal
     * @param instance random number of the edge's process
     * @param role what this link is for
     * @param release the edge's {@link Release#text}, at most 1,024 printable ASCII characters
     * @return true to go on, false to pause
     */
    default boolean onRegisterEdge(final long edgeId, final long instance, final LinkRole role, final String release) {
        return onUnexpected("registerEdge");
    }

    /**
     * The host accepted this link.
     *
     * @param edgeId the edge's id as sent
     * @param instance the instance as sent
     * @param release the host's {@link Release#text}
     * @return true to go on, false to pause
     */
    default boolean onRegistered(final long edgeId, final long instance, final String release) {
        return onUnexpected("registered");
    }

    /**
     * The edge's weight of a name is now this.
     *
     * @param sequence given back in the acknowledgement
     * @param kind the name space
     * @param weight 0 to 2^32 - 1; 0 removes
     * @param name address of the name
     * @param nameLength 0 to 512 MiB
     * @return true to go on, false to pause
     */
    default boolean onSetInterest(
            final long sequence, final Kind kind, final long weight, final long name, final int nameLength) {
        return onUnexpected("setInterest");
    }

    /**
     * The host has applied the interest at this place in the aggregate stream.
     *
     * @param sequence of the setInterest
     * @return true to go on, false to pause
     */
    default boolean onInterestAcknowledged(final long sequence) {
        return onUnexpected("interestAcknowledged");
    }

    /**
     * A publication of the edge.
     *
     * @param sequence given back with the count
     * @param kind {@link Kind#CHANNEL} or {@link Kind#SHARD}
     * @param channel address of the channel
     * @param channelLength 0 to 512 MiB
     * @param payload address of the payload
     * @param payloadLength 0 to 512 MiB
     * @return true to go on, false to pause
     */
    default boolean onPublish(
            final long sequence,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength) {
        return onUnexpected("publish");
    }

    /**
     * A publication of this edge was delivered everywhere else.
     *
     * @param sequence of the publish
     * @param receivers logical receivers outside the publishing edge
     * @return true to go on, false to pause
     */
    default boolean onPublished(final long sequence, final long receivers) {
        return onUnexpected("published");
    }

    /**
     * A publication for clients of this edge; comes once, whatever the number of clients and matching patterns.
     *
     * @param kind {@link Kind#CHANNEL} or {@link Kind#SHARD}
     * @param channel address of the channel
     * @param channelLength 0 to 512 MiB
     * @param payload address of the payload
     * @param payloadLength 0 to 512 MiB
     * @return true to go on, false to pause
     */
    default boolean onDelivery(
            final Kind kind, final long channel, final int channelLength, final long payload, final int payloadLength) {
        return onUnexpected("delivery");
    }

    /**
     * The edge asks for an answer behind every delivery appended so far.
     *
     * @param sequence given back in the answer
     * @return true to go on, false to pause
     */
    default boolean onFence(final long sequence) {
        return onUnexpected("fence");
    }

    /**
     * All that the host had appended when it read the fence has come before this.
     *
     * @param sequence of the fence
     * @return true to go on, false to pause
     */
    default boolean onFenced(final long sequence) {
        return onUnexpected("fenced");
    }

    /**
     * The peer closes the link and says why.
     *
     * @param error the reason, for programs
     * @param text the reason, for people: at most 1,024 printable ASCII characters
     * @return true to go on, false to pause
     */
    boolean onError(LinkError error, String text);

    /**
     * The peer lives. An edge answers each of its host's heartbeats at once with one of its own (see
     * {@link Heartbeat#onHeartbeat}): that is how a host that must choose between two instances asks the old one. A
     * host does not answer.
     *
     * @param sentNs the peer's own clock when it sent, for logs
     * @return true to go on, false to pause
     */
    boolean onHeartbeat(long sentNs);

    /**
     * A well-formed message came that this end does not take. Implementations treat it like {@link #onMalformed} and
     * close the decoder.
     *
     * @param message its name
     * @return as the other methods
     */
    boolean onUnexpected(String message);

    /**
     * What came is not this protocol. The decoder has stopped; nothing follows.
     *
     * @param why one line for people, printable
     */
    void onMalformed(String why);
}
