// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import goblin.net.linux.Memory;

/**
 * A compiled glob pattern over bytes, with Redis's rules.
 *
 * <p>{@code *} is any run of bytes, {@code ?} one byte, {@code [abc]}, {@code [a-z]} and {@code [^a]} one byte of a
 * class, {@code \x} the byte x. A range may be written in either order; a class that does not end takes the rest of the
 * pattern; a backslash at the very end is itself. Bytes are unsigned. An empty name matches the empty pattern only,
 * not even {@code *}, as in Redis.
 *
 * <p>Matching takes at most pattern length times name length steps, needs no stack and allocates nothing. Immutable:
 * any thread may use it.
 */
public final class GlobPattern {
    static final int STAR = -1;
    static final int ANY = -2;
    static final int NEVER = -3;
    /** Tokens from here on are classes, those below are literal bytes. */
    static final int FIRST_CLASS = 256;

    private static final int LONGS_A_CLASS = 4;

    private final int[] tokens;
    private final long[] classes;
    private final int stars;
    private final int firstStar;
    private final int lastStar;

    GlobPattern(final int[] tokens, final long[] classes) {
        this.tokens = tokens;
        this.classes = classes;
        int count = 0;
        int first = -1;
        int last = -1;
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] == STAR) {
                first = first < 0 ? i : first;
                last = i;
                count++;
            }
        }
        stars = count;
        firstStar = first;
        lastStar = last;
    }

    /**
     * Compiles a pattern; every run of bytes is one.
     *
     * @param address first byte; not needed afterwards
     * @param length  bytes, 0 or more
     * @return the pattern; it takes at most about nine times the memory of its text
     */
    public static GlobPattern compile(final long address, final int length) {
        return new GlobCompiler(Memory.toBytes(address, length), false).compile();
    }

    /**
     * Compiles a pattern for which small and capital ASCII letters are the same.
     *
     * @param address first byte; not needed afterwards
     * @param length  bytes, 0 or more
     * @return the pattern
     */
    public static GlobPattern compileIgnoringCase(final long address, final int length) {
        return new GlobCompiler(Memory.toBytes(address, length), true).compile();
    }

    /**
     * Tells whether a whole name matches.
     *
     * @param name   first byte
     * @param length bytes, 0 or more
     * @return true for a match
     */
    public boolean matches(final long name, final long length) {
        return run(name, length) >= 0;
    }

    /**
     * Tells whether this is the pattern {@code *}, for commands that take it to mean everything, empty names included.
     *
     * @return true for one star or more and nothing else
     */
    public boolean isStar() {
        return tokens.length == 1 && stars == 1;
    }

    /**
     * Tells whether only one name can match, so that a lookup would do.
     *
     * @return true when the pattern has no special byte
     */
    public boolean isLiteral() {
        for (final int token : tokens) {
            if (!isByte(token)) {
                return false;
            }
        }
        return true;
    }

    /** How many bytes every match begins with: those before the first special one. */
    int literalPrefix() {
        int length = 0;
        while (length < tokens.length && isByte(tokens[length])) {
            length++;
        }
        return length;
    }

    /** How many bytes every match ends with, behind those of {@link #literalPrefix}. */
    int literalSuffix() {
        final int prefix = literalPrefix();
        int from = tokens.length;
        while (from > prefix && isByte(tokens[from - 1])) {
            from--;
        }
        return tokens.length - from;
    }

    /** Writes the bytes that every match begins with. */
    void copyPrefix(final long to) {
        copyBytes(0, literalPrefix(), to);
    }

    /** Writes the bytes that every match ends with. */
    void copySuffix(final long to) {
        copyBytes(tokens.length - literalSuffix(), tokens.length, to);
    }

    /** The bytes that every match has somewhere, as {@link ByteSummary} tells. */
    long neededBytes() {
        long needed = 0;
        for (final int token : tokens) {
            needed |= isByte(token) ? ByteSummary.of(token) : 0;
        }
        return needed;
    }

    private void copyBytes(final int from, final int end, final long to) {
        for (int i = from; i < end; i++) {
            Memory.putByte(to + i - from, (byte) tokens[i]);
        }
    }

    private static boolean isByte(final int token) {
        return token >= 0 && token < FIRST_CLASS;
    }

    /** How many bytes a match looks at; the same work as {@link #matches} does. */
    long steps(final long name, final long length) {
        final long result = run(name, length);
        return result < 0 ? ~result : result;
    }

    /** The steps taken when the name matches, their complement when it does not. */
    private long run(final long name, final long length) {
        final int fixed = tokens.length - stars;
        if (length == 0 || length < fixed || (stars == 0 && length != fixed)) {
            return length == 0 && tokens.length == 0 ? 0 : ~0L;
        }
        if (stars == 0) {
            return compare(0, tokens.length, name);
        }
        // What stands before the first star and behind the last one has one place only.
        final int tail = tokens.length - lastStar - 1;
        long steps = compare(0, firstStar, name);
        if (steps < 0) {
            return steps;
        }
        final long tailSteps = compare(lastStar + 1, tokens.length, name + length - tail);
        if (tailSteps < 0) {
            return ~(steps + ~tailSteps);
        }
        steps += tailSteps;
        return firstStar == lastStar ? steps : middle(name + firstStar, name + length - tail, steps);
    }

    /** Runs between stars go to the first place where they fit: a later one would only leave less room. */
    private long middle(final long start, final long end, final long stepsBefore) {
        long steps = stepsBefore;
        long at = start;
        int from = firstStar + 1;
        int needed = lastStar - firstStar - stars + 1;
        while (from <= lastStar) {
            int to = from;
            while (tokens[to] != STAR) {
                to++;
            }
            while (true) {
                if (at + needed > end) {
                    return ~steps;
                }
                final long taken = compare(from, to, at);
                if (taken >= 0) {
                    steps += taken;
                    break;
                }
                steps += ~taken;
                at++;
            }
            at += to - from;
            needed -= to - from;
            from = to + 1;
        }
        return steps;
    }

    /** Compares tokens other than stars with as many bytes; the steps, or their complement at a difference. */
    private long compare(final int from, final int to, final long address) {
        for (int i = from; i < to; i++) {
            if (!accepts(tokens[i], Memory.getByte(address + (i - from)) & 0xFF)) {
                return ~(i - from + 1L);
            }
        }
        return (long) to - from;
    }

    private boolean accepts(final int token, final int value) {
        if (token >= FIRST_CLASS) {
            final long word = classes[(token - FIRST_CLASS) * LONGS_A_CLASS + (value >>> 6)];
            return (word >>> value & 1) != 0;
        }
        return token == value || token == ANY;
    }
}
