// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Sends data commands on keys of its own, pipelined, and knows every reply. */
final class SoakForwarder extends SoakConnection {
    private static final int MOST_OUTSTANDING = 64;
    private static final int LARGE = 100_000;

    private final String key;
    private final Counter counter;
    private final int kinds;
    private String value = "";
    private long count;
    private long listLength;
    private boolean fresh = true;

    /** Adds up over all forwarders. */
    static final class Counter {
        private long commands;

        long commands() {
            return commands;
        }
    }

    SoakForwarder(final LoadLoop loop, final Counter counter, final int number, final int port, final boolean scripts)
            throws Failure {
        super(loop, "forwarder " + number, port);
        this.kinds = scripts ? 7 : 6;
        this.counter = counter;
        this.key = "soak:key:" + number;
    }

    @Override
    void act(final RandomGenerator random) throws Failure {
        for (int i = random.nextInt(8); i > 0 && outstanding() < MOST_OUTSTANDING; i--) {
            command(random);
        }
    }

    private void command(final RandomGenerator random) throws Failure {
        if (fresh) {
            fresh = false;
            set("v0");
            return;
        }
        switch (random.nextInt(kinds)) {
            case 0 -> set("v" + random.nextInt(1_000_000) + "x".repeat(random.nextInt(500) == 0 ? LARGE : 10));
            case 1, 2 -> ask(bulk(value), "GET", key);
            case 3 -> ask(++count, "INCR", key + ":n");
            case 4 -> ask(++listLength, "RPUSH", key + ":l", "e" + listLength);
            case 5 -> transaction();
            default ->
                ask(
                        bulk("script " + value.length()),
                        "EVAL",
                        "return 'script ' .. string.len(redis.call('GET', KEYS[1]))",
                        "1",
                        key);
        }
    }

    private void set(final String to) throws Failure {
        value = to;
        ask("OK", "SET", key, to);
    }

    private void transaction() throws Failure {
        final List<Object> results = new ArrayList<>(List.of(++count, bulk(value)));
        ask("OK", "MULTI");
        ask("QUEUED", "INCR", key + ":n");
        ask("QUEUED", "GET", key);
        ask(results, "EXEC");
    }

    /** Leaves nothing behind. */
    void clean() throws Failure {
        send(RespBytes.command("DEL", key, key + ":n", key + ":l"), reply -> {
            if (!(reply instanceof Long)) {
                throw wrong(reply, "a count of keys");
            }
        });
    }

    private void ask(final Object expected, final String... command) throws Failure {
        final String text = text(expected);
        send(RespBytes.command(command), reply -> {
            if (!text(reply).equals(text)) {
                throw wrong(reply, text + " to " + String.join(" ", command));
            }
            counter.commands++;
        });
    }

    private static byte[] bulk(final String text) {
        return RespBytes.ascii(text);
    }

    @Override
    boolean push(final Object reply) {
        return false;
    }

    @Override
    boolean answeredAfterLeaving() {
        return true;
    }

    @Override
    void over() {}
}
