// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/** A subscriber of a test. */
final class Client implements SubscriptionHolder<Client> {
    private final Subscriptions<Client> subscriptions = new Subscriptions<>();
    private final String name;

    Client(final String name) {
        this.name = name;
    }

    @Override
    public Subscriptions<Client> subscriptions() {
        return subscriptions;
    }

    @Override
    public String toString() {
        return name;
    }
}
