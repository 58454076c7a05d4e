// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

/** After the load: with nobody else there, the counts of PUBLISH and PUBSUB are exact to the last client. */
final class ExactCounts {
    private static final String CHANNEL = "soak:exact";
    private static final String PATTERN = "soak:ex*";
    private static final int EDGE_SUBSCRIBERS = 7;
    private static final int HOST_SUBSCRIBERS = 3;

    private final Bench.Pair pair;

    ExactCounts(final Bench.Pair pair) {
        this.pair = pair;
    }

    void check() throws Failure {
        try (SimpleClients subscribers = new SimpleClients();
                SimpleClient edge = new SimpleClient(pair.edge().port());
                SimpleClient host = new SimpleClient(pair.host().port())) {
            expect("0", edge, "PUBLISH", CHANNEL, "x");
            expect("0", host, "PUBLISH", CHANNEL, "x");
            for (int i = 0; i < EDGE_SUBSCRIBERS; i++) {
                subscribers.open(pair.edge().port()).ask("SUBSCRIBE", CHANNEL);
            }
            for (int i = 0; i < HOST_SUBSCRIBERS; i++) {
                subscribers.open(pair.host().port()).ask("SUBSCRIBE", CHANNEL);
            }
            subscribers.open(pair.edge().port()).ask("PSUBSCRIBE", PATTERN);
            final String all = Integer.toString(EDGE_SUBSCRIBERS + HOST_SUBSCRIBERS + 1);
            expect(all, edge, "PUBLISH", CHANNEL, "x");
            expect(all, host, "PUBLISH", CHANNEL, "x");
            final int names = EDGE_SUBSCRIBERS + HOST_SUBSCRIBERS;
            expect("['" + CHANNEL + "', " + names + "]", host, "PUBSUB", "NUMSUB", CHANNEL);
            expect("['" + CHANNEL + "', " + EDGE_SUBSCRIBERS + "]", edge, "PUBSUB", "NUMSUB", CHANNEL);
            expect("1", host, "PUBSUB", "NUMPAT");
        }
    }

    private static void expect(final String expected, final SimpleClient client, final String... command)
            throws Failure {
        final String reply = client.ask(command);
        if (!reply.equals(expected)) {
            throw new Failure(String.join(" ", command) + " answered " + reply + " instead of " + expected);
        }
    }
}
