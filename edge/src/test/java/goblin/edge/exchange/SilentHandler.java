// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.pubsub.Kind;

/** Does nothing with what it is told, and attempts one delivery of each publication. */
class SilentHandler implements ExchangeHandler<String, String> {
    @Override
    public long onPublication(
            final int from,
            final int token,
            final boolean deliver,
            final boolean uplink,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength) {
        return deliver ? 1 : 0;
    }

    @Override
    public void onCompleted(final String owner, final String slot, final long receivers) {}

    @Override
    public void onTakes() {}

    @Override
    public void onRelieved() {}

    @Override
    public void onWant(
            final int from,
            final long sequence,
            final Kind kind,
            final int weight,
            final long name,
            final int nameLength) {}

    @Override
    public void onAcked(final long sequence) {}

    @Override
    public void onPeerOn(final int loop, final Kind kind, final long name, final int nameLength, final long number) {}

    @Override
    public void onPeerOff(final int loop, final Kind kind, final long name, final int nameLength) {}

    @Override
    public void onHeld(final int from, final long number) {}

    @Override
    public void onFence(final int from, final long sequence) {}

    @Override
    public void onFenced(final long sequence) {}
}
