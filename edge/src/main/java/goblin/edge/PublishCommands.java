// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.pubsub.Kind;
import goblin.resp.Arguments;

/** PUBLISH and SPUBLISH at top level: every local delivery is attempted first, then one publication goes up. */
final class PublishCommands {
    private PublishCommands() {}

    static void publish(final ClientSession client, final Arguments arguments, final Kind kind) {
        final Edge edge = client.edge();
        final long channel = arguments.argument(1);
        final int channelLength = arguments.argumentLength(1);
        final long payload = arguments.argument(2);
        final int payloadLength = arguments.argumentLength(2);
        final Fanout fanout = edge.fanout();
        edge.counters().increment(EdgeCounter.PUBLISHES_LOCAL);
        final long receivers = fanout.publish(kind, channel, channelLength, payload, payloadLength);
        final ReplySlot slot = client.sequencer().expect(SlotType.PUBLISH, 0, client.isReplySuppressed());
        slot.receivers = receivers;
        slot.changesLeft = 1;
        edge.publications().add(client, slot, channelLength + payloadLength);
        edge.publisher().publish(kind, channel, channelLength, payload, payloadLength, fanout.largePayload());
        fanout.finish();
    }
}
