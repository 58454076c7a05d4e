// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

/** Proves that a subscribed connection received all that was expected, and nothing more. */
final class Barrier {
    private static final byte[] PING = RespBytes.command("PING");
    private static final byte[] PONG = RespBytes.ascii("*2\r\n$4\r\npong\r\n$0\r\n\r\n");

    private Barrier() {}

    /** Whatever was delivered once too often stands before the answer of a PING. */
    static void check(final ProbeConnection subscriber) throws Failure {
        subscriber.waiting(ProbeConnection.Waiting.BLOCKING);
        subscriber.exchange(PING, PONG);
    }
}
