// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import java.util.Locale;

/**
 * Which messages wait for the end of the turn, to leave in one send with those that follow. A system property chooses,
 * so that a benchmark can show what each way costs; nobody else needs one.
 */
enum Gathering {
    /** A message goes directly when it is its client's first of the turn and its publisher has nothing behind it. */
    ON,
    /** The first message of a turn always goes directly: a pipeline then costs each client two sends. */
    FIRST,
    /** Every message goes directly. */
    OFF;

    private static final String PROPERTY = "goblin.edge.gathering";

    /** The way that {@code -Dgoblin.edge.gathering=on|first|off} names, by default {@link #ON}. */
    static Gathering chosen() {
        return valueOf(System.getProperty(PROPERTY, "on").toUpperCase(Locale.ROOT));
    }

    /**
     * Decides about a message for a client with nothing queued.
     *
     * @param hadOne      whether the client got one in this turn
     * @param moreFollows whether more of the publisher's input is here
     */
    boolean goesDirectly(final boolean hadOne, final boolean moreFollows) {
        return switch (this) {
            case ON -> !hadOne && !moreFollows;
            case FIRST -> !hadOne;
            case OFF -> true;
        };
    }
}
