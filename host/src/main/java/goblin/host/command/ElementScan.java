// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import goblin.pubsub.Glob;
import java.util.Arrays;
import java.util.function.IntFunction;

/** What {@code SSCAN}, {@code HSCAN} and {@code ZSCAN} share: cursor, {@code MATCH} and {@code COUNT}. */
final class ElementScan {
    private static final int USUAL_COUNT = 10;

    private final long cursor;
    private long count = USUAL_COUNT;
    private int pattern;
    private int from;
    private boolean isBare;

    private ElementScan(long cursor) {
        this.cursor = cursor;
    }

    /** Reads the cursor; the options count only for a key that is there. */
    static ElementScan begin(Call call) {
        return new ElementScan(cursor(call, 2));
    }

    /**
     * Reads the options.
     *
     * @param bare the option that leaves out what belongs to an element, null when there is none
     */
    void parse(Call call, String bare) {
        for (int i = 3; i < call.count(); i += 2) {
            if (bare != null && call.is(i, bare)) {
                isBare = true;
                i--;
            } else if (i + 1 == call.count()) {
                throw Refusal.syntax();
            } else if (call.is(i, "COUNT")) {
                count = CollectionKeys.integer(call, i + 1);
                if (count < 1) {
                    throw Refusal.syntax();
                }
            } else if (call.is(i, "MATCH")) {
                // The bare star matches the empty element as well, which the matcher by Redis's rules does not say.
                pattern = call.is(i + 1, "*") ? 0 : i + 1;
            } else {
                throw Refusal.syntax();
            }
        }
    }

    private static long cursor(Call call, int index) {
        int length = call.length(index);
        long value = 0;
        for (int i = 0; i < length; i++) {
            int digit = Memory.getByte(call.address(index) + i) - '0';
            if (digit < 0 || digit > 9) {
                throw new Refusal("ERR invalid cursor");
            }
            value = value * 10 + digit;
        }
        if (length == 0 || length > 20) {
            throw new Refusal("ERR invalid cursor");
        }
        return value;
    }

    /**
     * Chooses this step's elements: all for a compact collection, as Redis does.
     *
     * @param start position after the last element of this step
     * @param element gives the bytes to match at a position
     * @return the positions of matching elements
     */
    int[] select(Call call, int start, boolean compact, IntFunction<byte[]> element) {
        from = compact ? 0 : (int) Math.max(0, start - count);
        int[] positions = new int[start - from];
        int matches = 0;
        NativeBuffer copy = new NativeBuffer();
        try {
            for (int i = from; i < start; i++) {
                if (pattern == 0 || matches(call, copy, element.apply(i))) {
                    positions[matches++] = i;
                }
            }
        } finally {
            copy.free();
        }
        return Arrays.copyOf(positions, matches);
    }

    private boolean matches(Call call, NativeBuffer copy, byte[] element) {
        copy.clear();
        copy.append(element);
        return Glob.matches(call.address(pattern), call.length(pattern), copy.address(), copy.length());
    }

    /** Whether only the elements are wanted, without their values or scores. */
    boolean isBare() {
        return isBare;
    }

    long cursor() {
        return cursor;
    }

    /** Begins the reply; the elements follow. */
    void answer(Call call, int elements) {
        call.reply().array(2);
        call.reply().bulkDecimal(from);
        call.reply().array(elements);
    }

    /** Answers that there is nothing to scan. */
    static void answerNothing(Call call) {
        call.reply().array(2);
        call.reply().bulkDecimal(0);
        call.reply().array(0);
    }
}
