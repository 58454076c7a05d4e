// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Turns a pattern's bytes into tokens, one for each byte of a name and one for each run of stars. */
final class GlobCompiler {
    private record ByteSet(long low, long second, long third, long high) {}

    private final byte[] pattern;
    private final boolean ignoreCase;
    private final int[] tokens;
    private int tokenCount;
    private int at;

    // Equal classes share one map, so that a long pattern does not become many times as long.
    private final Map<ByteSet, Integer> known = new HashMap<>();
    private long[] classes = new long[0];
    private final long[] members = new long[4];

    GlobCompiler(final byte[] pattern, final boolean ignoreCase) {
        this.pattern = pattern;
        this.ignoreCase = ignoreCase;
        tokens = new int[pattern.length];
    }

    GlobPattern compile() {
        while (at < pattern.length) {
            final byte value = pattern[at++];
            switch (value) {
                case '*' -> star();
                case '?' -> tokens[tokenCount++] = GlobPattern.ANY;
                case '[' -> byteClass();
                case '\\' -> literal(at < pattern.length ? pattern[at++] : value);
                default -> literal(value);
            }
        }
        return new GlobPattern(Arrays.copyOf(tokens, tokenCount), Arrays.copyOf(classes, known.size() * 4));
    }

    private void star() {
        if (tokenCount == 0 || tokens[tokenCount - 1] != GlobPattern.STAR) {
            tokens[tokenCount++] = GlobPattern.STAR;
        }
    }

    private void literal(final byte value) {
        Arrays.fill(members, 0);
        add(value & 0xFF);
        tokens[tokenCount++] = token();
    }

    private void byteClass() {
        Arrays.fill(members, 0);
        final boolean negated = at < pattern.length && pattern[at] == '^';
        if (negated) {
            at++;
        }
        while (at < pattern.length && pattern[at] != ']') {
            final int left = pattern.length - at;
            if (pattern[at] == '\\' && left >= 2) {
                add(pattern[at + 1] & 0xFF);
                at += 2;
            } else if (left >= 3 && pattern[at + 1] == '-') {
                addRange(pattern[at] & 0xFF, pattern[at + 2] & 0xFF);
                at += 3;
            } else {
                add(pattern[at] & 0xFF);
                at++;
            }
        }
        // Behind the closing bracket, or nowhere when there is none.
        at = Math.min(pattern.length, at + 1);
        if (negated) {
            for (int i = 0; i < members.length; i++) {
                members[i] = ~members[i];
            }
        }
        tokens[tokenCount++] = token();
    }

    private void addRange(final int one, final int other) {
        for (int value = Math.min(one, other); value <= Math.max(one, other); value++) {
            add(value);
        }
    }

    private void add(final int value) {
        members[value >>> 6] |= 1L << value;
        if (ignoreCase && ((value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z'))) {
            members[value >>> 6] |= 1L << (value ^ 0x20);
        }
    }

    /** The token of the class in {@link #members}; classes of none, one and all bytes need no map. */
    private int token() {
        int size = 0;
        int last = 0;
        for (int i = 0; i < members.length; i++) {
            size += Long.bitCount(members[i]);
            if (members[i] != 0) {
                last = i * 64 + 63 - Long.numberOfLeadingZeros(members[i]);
            }
        }
        return switch (size) {
            case 0 -> GlobPattern.NEVER;
            case 1 -> last;
            case 256 -> GlobPattern.ANY;
            default -> GlobPattern.FIRST_CLASS + mapIndex();
        };
    }

    private int mapIndex() {
        final ByteSet set = new ByteSet(members[0], members[1], members[2], members[3]);
        final Integer index = known.get(set);
        if (index != null) {
            return index;
        }
        final int next = known.size();
        known.put(set, next);
        if (next * 4 == classes.length) {
            classes = Arrays.copyOf(classes, Math.max(4, classes.length * 2));
        }
        System.arraycopy(members, 0, classes, next * 4, 4);
        return next;
    }
}
