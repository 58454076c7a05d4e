// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.random.RandomGenerator;

/** Publishes in all channels, some publications in flight. */
final class SoakPublisher extends SoakConnection {
    private static final int MOST_OUTSTANDING = 16;
    private static final int MOST_AT_ONCE = 4;

    private final InvariantChecker checker;
    private final int number;

    SoakPublisher(final LoadLoop loop, final InvariantChecker checker, final String side, final int port)
            throws Failure {
        this(loop, checker, checker.publisher("host".equals(side)), side, port);
    }

    private SoakPublisher(
            final LoadLoop loop, final InvariantChecker checker, final int number, final String side, final int port)
            throws Failure {
        super(loop, "publisher " + number + " at the " + side, port);
        this.checker = checker;
        this.number = number;
    }

    @Override
    void act(final RandomGenerator random) throws Failure {
        for (int i = random.nextInt(MOST_AT_ONCE + 1); i > 0 && outstanding() < MOST_OUTSTANDING; i--) {
            publish(random.nextInt(SoakNames.ALL));
        }
    }

    private void publish(final int channel) throws Failure {
        final InvariantChecker.Publication publication = checker.publish(number, channel);
        final byte[] payload = new SoakPayload(number, channel, publication.sequence()).encode();
        send(
                RespBytes.command(
                        RespBytes.ascii(SoakNames.publishCommand(channel)),
                        RespBytes.ascii(SoakNames.channel(channel)),
                        payload),
                reply -> {
                    if (!(reply instanceof Long receivers)) {
                        throw wrong(reply, "a count of receivers");
                    }
                    checker.answered(publication, receivers);
                });
    }

    @Override
    boolean push(final Object value) {
        return false;
    }

    @Override
    boolean answeredAfterLeaving() {
        return true;
    }

    @Override
    void over() {
        checker.publisherGone(number);
    }
}
