// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/** Glob patterns that are used once. For more than one name, compile a {@link GlobPattern}. */
public final class Glob {
    private Glob() {}

    /**
     * Matches a name against a pattern; see {@link GlobPattern} for the rules. Allocates.
     *
     * @param pattern       first byte of the pattern
     * @param patternLength its bytes, 0 or more
     * @param name          first byte of the name
     * @param nameLength    its bytes, 0 or more
     * @return whether the whole name matches
     */
    public static boolean matches(
            final long pattern, final long patternLength, final long name, final long nameLength) {
        return GlobPattern.compile(pattern, Math.toIntExact(patternLength)).matches(name, nameLength);
    }
}
