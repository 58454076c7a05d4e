// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.List;

/** The channels of the soak, and the names that subscribers use for them. */
final class SoakNames {
    /** Ordinary channels come first, sharded ones behind them. */
    static final int ORDINARY = 10;

    static final int ALL = 12;

    /** How a name is subscribed. */
    enum Kind {
        CHANNEL("SUBSCRIBE", "UNSUBSCRIBE", "message"),
        PATTERN("PSUBSCRIBE", "PUNSUBSCRIBE", "pmessage"),
        SHARD("SSUBSCRIBE", "SUNSUBSCRIBE", "smessage");

        private final String begin;
        private final String end;
        private final String message;

        Kind(final String begin, final String end, final String message) {
            this.begin = begin;
            this.end = end;
            this.message = message;
        }

        String begin() {
            return begin;
        }

        String end() {
            return end;
        }

        String message() {
            return message;
        }
    }

    /**
     * A name to subscribe to.
     *
     * @param kind     its name space
     * @param text     the name
     * @param channels the channels it matches, as bits
     */
    record Name(Kind kind, String text, long channels) {}

    private static final List<Name> NAMES = names();

    private SoakNames() {}

    static String channel(final int number) {
        return (number < ORDINARY ? "soak:" : "soak-shard:") + number;
    }

    static String publishCommand(final int number) {
        return number < ORDINARY ? "PUBLISH" : "SPUBLISH";
    }

    /** Every name there is. */
    static List<Name> all() {
        return NAMES;
    }

    private static List<Name> names() {
        final List<Name> names = new ArrayList<>();
        for (int i = 0; i < ALL; i++) {
            names.add(new Name(i < ORDINARY ? Kind.CHANNEL : Kind.SHARD, channel(i), 1L << i));
        }
        names.add(new Name(Kind.PATTERN, "soak:*", bits(0, ORDINARY)));
        names.add(new Name(Kind.PATTERN, "soak:[0-3]", bits(0, 4)));
        names.add(new Name(Kind.PATTERN, "soak?[^02468]", 0b10_1010_1010L));
        return List.copyOf(names);
    }

    private static long bits(final int from, final int to) {
        return (1L << to) - (1L << from);
    }
}
