// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/**
 * What can subscribe: it carries the list of its own subscriptions, which the registry keeps up to date.
 *
 * @param <S> the subscriber's own type
 */
public interface SubscriptionHolder<S extends SubscriptionHolder<S>> {

    /**
     * The subscriber's subscriptions in one registry.
     *
     * @return always the same object
     */
    Subscriptions<S> subscriptions();
}
