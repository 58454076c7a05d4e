// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Counters that {@code INFO} shows and {@code CONFIG RESETSTAT} clears. */
public final class Statistics {
    final long startedMs;
    /** Forty hexadecimal digits, other ones for each process. */
    final String runId = runId();

    long commands;
    long rejectedConnections;
    long unexpectedErrors;
    long errorReplies;

    Statistics(final long startedMs) {
        this.startedMs = startedMs;
    }

    /** A connection was refused because there are too many. */
    public void countRejectedConnection() {
        rejectedConnections++;
    }

    private static String runId() {
        final byte[] bytes = new byte[20];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    void reset() {
        commands = 0;
        unexpectedErrors = 0;
        errorReplies = 0;
    }
}
