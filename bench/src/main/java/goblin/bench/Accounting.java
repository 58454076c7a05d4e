// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

/** Validates that publications reach every subscriber once, and that PUBLISH counts each of them, from either side. */
final class Accounting {
    private static final int ROUNDS = 100;

    private final Side edge;
    private final Side host;
    private final byte[] channel;
    private final int payload;
    private int number;

    Accounting(final Side edge, final Side host, final byte[] channel, final int payload) {
        this.edge = edge;
        this.host = host;
        this.channel = channel;
        this.payload = payload;
    }

    /** Leaves nobody subscribed. */
    void validate() throws Failure {
        nobody();
        edge.subscribe();
        one(edge);
        host.subscribe();
        both();
        edge.unsubscribe();
        one(host);
        host.unsubscribe();
        nobody();
    }

    private void nobody() throws Failure {
        publish(edge, 0);
        publish(host, 0);
    }

    private void one(final Side receiver) throws Failure {
        for (int i = 0; i < ROUNDS; i++) {
            receive(publish(edge, 1), receiver);
            receive(publish(host, 1), receiver);
        }
        Barrier.check(receiver.subscriber());
    }

    private void both() throws Failure {
        for (int i = 0; i < ROUNDS; i++) {
            receive(publish(edge, 2), edge, host);
            receive(publish(host, 2), edge, host);
        }
        Barrier.check(edge.subscriber());
        Barrier.check(host.subscriber());
    }

    private byte[] publish(final Side from, final int receivers) throws Failure {
        final String digits = Integer.toString(number++);
        final byte[] bytes = RespBytes.ascii(digits + "x".repeat(Math.max(0, payload - digits.length())));
        try {
            from.publisher().exchange(RespBytes.publish(channel, bytes), RespBytes.integer(receivers));
        } catch (final Failure failure) {
            throw new Failure("publishing at the " + from.name() + ": " + failure.getMessage(), failure);
        }
        return bytes;
    }

    private void receive(final byte[] bytes, final Side... receivers) throws Failure {
        for (final Side receiver : receivers) {
            try {
                receiver.subscriber().expect(RespBytes.message(channel, bytes));
            } catch (final Failure failure) {
                throw new Failure("subscribed at the " + receiver.name() + ": " + failure.getMessage(), failure);
            }
        }
    }
}
