// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/** The topics of one kind by their names. */
final class TopicTable<S extends SubscriptionHolder<S>> extends HashSlots<Topic<S>> {

    @Override
    int hashOf(final Topic<S> topic) {
        return (int) topic.hash();
    }

    Topic<S> find(final long name, final int length, final long hash) {
        int slot = firstSlot((int) hash);
        while (true) {
            final Topic<S> topic = at(slot);
            if (topic == null || topic.isNamed(name, length, hash)) {
                return topic;
            }
            slot = nextSlot(slot);
        }
    }
}
