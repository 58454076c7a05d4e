// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

/** One end of the link as its clients see it: a connection that publishes and one that subscribes at times. */
final class Side implements AutoCloseable {
    private final String name;
    private final ProbeConnection publisher;
    private final ProbeConnection subscriber;
    private final byte[] channel;

    private Side(
            final String name,
            final ProbeConnection publisher,
            final ProbeConnection subscriber,
            final byte[] channel) {
        this.name = name;
        this.publisher = publisher;
        this.subscriber = subscriber;
        this.channel = channel;
    }

    /** The side's name in messages, "edge" or "host". */
    String name() {
        return name;
    }

    ProbeConnection publisher() {
        return publisher;
    }

    ProbeConnection subscriber() {
        return subscriber;
    }

    static Side open(final String name, final String host, final int port, final byte[] channel) throws Failure {
        final ProbeConnection publisher = ProbeConnection.open(host, port);
        try {
            return new Side(name, publisher, ProbeConnection.open(host, port), channel);
        } catch (final Failure failure) {
            publisher.close();
            throw failure;
        }
    }

    void subscribe() throws Failure {
        subscriber.exchange(RespBytes.subscribe(channel), RespBytes.confirmation("subscribe", channel, 1));
    }

    void unsubscribe() throws Failure {
        subscriber.exchange(RespBytes.unsubscribe(channel), RespBytes.confirmation("unsubscribe", channel, 0));
    }

    @Override
    public void close() {
        publisher.close();
        subscriber.close();
    }
}
