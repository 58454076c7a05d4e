// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.pubsub.Kind;

/**
 * What a loop does with what other loops send it. Called on the loop's thread, inside {@link LoopExchange#poll},
 * {@link LoopExchange#drainThrough} and {@link LoopExchange#catchUp}: so also in the midst of publishing. It may send any
 * control message, but must not drain. Addresses are valid during the call only. What it throws is reported; the message
 * counts as handled.
 *
 * @param <O> the owner of a publication, as given to {@link LoopExchange#publish}
 * @param <S> where its answer goes
 */
public interface ExchangeHandler<O, S> {

    /**
     * Another loop's publication, at its place in the order of all loops. The payload is followed by CR LF;
     * {@link LoopExchange#lendPayload} keeps it beyond the call. When this throws, nobody was attempted.
     *
     * @param from          the publishing loop
     * @param token         names the publication to its loop, for {@link LoopExchange#published}
     * @param deliver       this loop's clients are to have it
     * @param uplink        the home loop is to send it to the host; its answer is due whatever happens
     * @param kind          CHANNEL or SHARD
     * @param channel       first byte of the channel
     * @param channelLength its bytes
     * @param payload       first byte of the payload
     * @param payloadLength its bytes, without CR LF
     * @return the deliveries attempted; 0 without {@code deliver}
     */
    long onPublication(
            int from,
            int token,
            boolean deliver,
            boolean uplink,
            Kind kind,
            long channel,
            int channelLength,
            long payload,
            int payloadLength);

    /**
     * A publication of this loop has been answered by all loops it went to, and by the host if it went there. That may be
     * while this loop still drains for it.
     *
     * @param owner     as given when it was published
     * @param slot      as given when it was published
     * @param receivers what the other loops attempted, and what the host counted
     */
    void onCompleted(O owner, S slot, long receivers);

    /** {@link LoopExchange#takes} has refused, and half of the bound is free again. */
    void onTakes();

    /** {@link LoopExchange#isPressed} has been true, and three quarters of the bound are free again. */
    void onRelieved();

    /**
     * At home: a loop wants a weight of a name at the host.
     *
     * @param from       the loop
     * @param sequence   as given to {@link LoopExchange#want}
     * @param kind       the name's kind
     * @param weight     the weight wanted
     * @param name       first byte of the name
     * @param nameLength its bytes
     */
    void onWant(int from, long sequence, Kind kind, int weight, long name, int nameLength);

    /**
     * The host and all loops hold what this loop wanted.
     *
     * @param sequence as given to {@link LoopExchange#want}
     */
    void onAcked(long sequence);

    /**
     * From now on publications of a name are to be handed to a loop.
     *
     * @param loop       the loop with the interest
     * @param kind       the name's kind
     * @param name       first byte of the name
     * @param nameLength its bytes
     * @param number     to be confirmed to home by {@link LoopExchange#held}
     */
    void onPeerOn(int loop, Kind kind, long name, int nameLength, long number);

    /**
     * A loop no longer needs the publications of a name.
     *
     * @param loop       the loop whose interest has ended
     * @param kind       the name's kind
     * @param name       first byte of the name
     * @param nameLength its bytes
     */
    void onPeerOff(int loop, Kind kind, long name, int nameLength);

    /**
     * At home: a loop holds all peer interests up to a number.
     *
     * @param from   the loop
     * @param number of the last one
     */
    void onHeld(int from, long number);

    /**
     * At home: a loop wants a fence at the host.
     *
     * @param from     the loop
     * @param sequence as given to {@link LoopExchange#fence}
     */
    void onFence(int from, long sequence);

    /**
     * The fence has come back; all of the host's publications before it have been handled here.
     *
     * @param sequence as given to {@link LoopExchange#fence}
     */
    void onFenced(long sequence);
}
