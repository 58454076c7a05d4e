// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.pubsub.Kind;
import goblin.resp.Arguments;

/** PUBLISH and SPUBLISH at top level; the loop's role attempts deliveries and sends one publication up. */
final class PublishCommands {
    private PublishCommands() {}

    static void publish(final ClientSession client, final Arguments arguments, final Kind kind) {
        final Edge edge = client.edge();
        edge.counters().increment(EdgeCounter.PUBLISHES_LOCAL);
        final ReplySlot slot = client.sequencer().expect(SlotType.PUBLISH, 0, client.isReplySuppressed());
        edge.role()
                .publish(
                        client,
                        slot,
                        kind,
                        arguments.argument(1),
                        arguments.argumentLength(1),
                        arguments.argument(2),
                        arguments.argumentLength(2));
    }
}
