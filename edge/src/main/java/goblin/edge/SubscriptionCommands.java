// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.NativeBuffer;
import goblin.net.SharedBytes;
import goblin.pubsub.Kind;
import goblin.pubsub.MessageFrames;
import goblin.resp.Arguments;
import org.agrona.collections.ObjectHashSet;

/**
 * (P|S)SUBSCRIBE and (P|S)UNSUBSCRIBE. The client's own view changes when the command is read; the confirmations of one
 * command leave together when the host has acknowledged every change in it. {@code CLIENT REPLY} never swallows them.
 */
final class SubscriptionCommands {
    private SubscriptionCommands() {}

    static void subscribe(final ClientSession client, final Arguments arguments, final Kind kind) {
        final Edge edge = client.edge();
        final NativeBuffer frames = edge.confirmations();
        final ReplySlot slot = client.sequencer().expect(SlotType.CONFIRM, 0, false);
        for (int i = 1; i < arguments.argumentCount(); i++) {
            final long name = arguments.argument(i);
            final int length = arguments.argumentLength(i);
            if (!client.hasLeft()) {
                final Interest interest = edge.interests().obtain(kind, name, length);
                if (client.names().add(interest)) {
                    slot.changesLeft++;
                    edge.interests().change(interest, client, true, slot);
                }
            }
            MessageFrames.subscribed(
                    frames,
                    client.protocol(),
                    kind,
                    name,
                    length,
                    client.names().confirmed(kind));
        }
        confirm(client, slot, frames);
    }

    static void unsubscribe(final ClientSession client, final Arguments arguments, final Kind kind) {
        final Edge edge = client.edge();
        final NativeBuffer frames = edge.confirmations();
        final ReplySlot slot = client.sequencer().expect(SlotType.CONFIRM, 0, false);
        if (arguments.argumentCount() == 1) {
            unsubscribeAll(client, kind, slot, frames);
        }
        for (int i = 1; i < arguments.argumentCount(); i++) {
            final long name = arguments.argument(i);
            final int length = arguments.argumentLength(i);
            final Interest interest = edge.interests().find(kind, name, length);
            if (interest != null && client.names().remove(interest)) {
                slot.changesLeft++;
                edge.interests().change(interest, client, false, slot);
            }
            MessageFrames.unsubscribed(
                    frames,
                    client.protocol(),
                    kind,
                    name,
                    length,
                    client.names().confirmed(kind));
        }
        confirm(client, slot, frames);
    }

    /** Takes every name of the client back; the slot waits for all of it. */
    static void leaveAll(final ClientSession client, final ReplySlot slot) {
        for (final Kind kind : EdgeCommands.KINDS) {
            final ObjectHashSet<Interest> held = client.names().of(kind);
            if (held != null) {
                for (final Interest interest : held) {
                    slot.changesLeft++;
                    client.edge().interests().change(interest, client, false, slot);
                }
            }
        }
        client.names().clear();
    }

    private static void unsubscribeAll(
            final ClientSession client, final Kind kind, final ReplySlot slot, final NativeBuffer frames) {
        final ObjectHashSet<Interest> held = client.names().of(kind);
        if (held == null || held.isEmpty()) {
            MessageFrames.unsubscribedFromNothing(
                    frames, client.protocol(), kind, client.names().confirmed(kind));
            return;
        }
        final Interest[] all = held.toArray(new Interest[0]);
        for (final Interest interest : all) {
            client.names().remove(interest);
            slot.changesLeft++;
            client.edge().interests().change(interest, client, false, slot);
            MessageFrames.unsubscribed(
                    frames,
                    client.protocol(),
                    kind,
                    interest.name,
                    interest.nameLength,
                    client.names().confirmed(kind));
        }
    }

    private static void confirm(final ClientSession client, final ReplySlot slot, final NativeBuffer frames) {
        final SharedBytes bytes = client.edge().copyOf(frames.address(), frames.length());
        client.sequencer().confirmation(slot, bytes);
        if (slot.changesLeft == 0) {
            client.answered(slot);
        }
    }
}
