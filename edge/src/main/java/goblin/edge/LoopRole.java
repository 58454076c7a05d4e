// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.pubsub.Kind;

/** What a loop is among the loops of its edge: how its interests, fences and publications reach the host and the others. */
interface LoopRole extends InterestTable.Sender, Fences.Sender {

    /** Tells whether a client may publish now; else it is woken by {@link Publications#wakeWaiting()}. */
    boolean takes(long bytes);

    /**
     * Attempts every delivery of a client's publication, then sends it up.
     *
     * @param slot where its count is gathered
     */
    void publish(
            ClientSession client,
            ReplySlot slot,
            Kind kind,
            long channel,
            int channelLength,
            long payload,
            int payloadLength);

    /** Names with an interest that this loop is to speak of for the whole edge. */
    int names();

    /** Publications that were not counted completely. */
    long unanswered();

    /** Starts connecting to the host; nothing on a loop that has no link. */
    void connect();

    /** Called a few times a second. */
    void tick(long nowNs);

    /** Sends what the turn changed of interests and fences, before clients are flushed. */
    void flushInterests();

    /** Sends what the turn published, after clients are flushed. */
    void flushPublications();

    /** Bytes for the host that wait here. */
    long queuedBytes();

    /** Nothing goes to the host any more, and no count comes: the slots are answered otherwise. */
    void disconnect();

    /** Bytes of publications that this loop holds for others, and others for it. */
    long exchangedBytes();
}
