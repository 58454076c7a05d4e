// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/**
 * Is shown topics, one after the other. It must not change the registry while it is called.
 *
 * @param <S> what subscribes
 */
@FunctionalInterface
public interface TopicVisitor<S extends SubscriptionHolder<S>> {

    /**
     * Is shown one topic.
     *
     * @param topic valid during the call
     */
    void visit(Topic<S> topic);
}
