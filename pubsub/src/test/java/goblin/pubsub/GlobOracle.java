// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/** Matches by trying everything, straight from the pattern's text: slow, recursive, and plain to see. */
final class GlobOracle {
    private final String pattern;
    private final String name;

    GlobOracle(final String pattern, final String name) {
        this.pattern = pattern;
        this.name = name;
    }

    boolean matches() {
        return name.isEmpty() ? pattern.isEmpty() : matches(0, 0);
    }

    private boolean matches(final int p, final int n) {
        if (p == pattern.length()) {
            return n == name.length();
        }
        final char first = pattern.charAt(p);
        if (first == '*') {
            return matches(p + 1, n) || (n < name.length() && matches(p, n + 1));
        }
        if (n == name.length()) {
            return false;
        }
        final char c = name.charAt(n);
        if (first == '?') {
            return matches(p + 1, n + 1);
        }
        if (first == '[') {
            return isInClass(p + 1, c) && matches(endOfClass(p + 1), n + 1);
        }
        if (first == '\\' && p + 1 < pattern.length()) {
            return pattern.charAt(p + 1) == c && matches(p + 2, n + 1);
        }
        return first == c && matches(p + 1, n + 1);
    }

    private boolean isInClass(final int start, final char c) {
        final boolean negated = start < pattern.length() && pattern.charAt(start) == '^';
        boolean found = false;
        int p = negated ? start + 1 : start;
        while (p < pattern.length() && pattern.charAt(p) != ']') {
            final String rest = pattern.substring(p);
            if (rest.matches("(?s)\\\\.+")) {
                found |= rest.charAt(1) == c;
            } else if (rest.matches("(?s).-.+")) {
                final char low = (char) Math.min(rest.charAt(0), rest.charAt(2));
                final char high = (char) Math.max(rest.charAt(0), rest.charAt(2));
                found |= c >= low && c <= high;
            } else {
                found |= rest.charAt(0) == c;
            }
            p += memberLength(rest);
        }
        return found != negated;
    }

    private int endOfClass(final int start) {
        int p = start < pattern.length() && pattern.charAt(start) == '^' ? start + 1 : start;
        while (p < pattern.length() && pattern.charAt(p) != ']') {
            p += memberLength(pattern.substring(p));
        }
        return Math.min(pattern.length(), p + 1);
    }

    private static int memberLength(final String rest) {
        if (rest.matches("(?s)\\\\.+")) {
            return 2;
        }
        return rest.matches("(?s).-.+") ? 3 : 1;
    }
}
