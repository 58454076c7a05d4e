// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Patterns in the order of their creation, each compared with each channel: what an index must equal. */
final class LinearPatterns {
    private final Map<String, GlobPattern> patterns = new LinkedHashMap<>();

    void add(final String pattern) {
        try (NativeBytes bytes = NativeBytes.of(pattern)) {
            patterns.putIfAbsent(pattern, GlobPattern.compile(bytes.address(), bytes.length()));
        }
    }

    void remove(final String pattern) {
        patterns.remove(pattern);
    }

    List<String> matches(final String channel) {
        final List<String> matches = new ArrayList<>();
        try (NativeBytes bytes = NativeBytes.of(channel)) {
            patterns.forEach((text, pattern) -> {
                if (pattern.matches(bytes.address(), bytes.length())) {
                    matches.add(text);
                }
            });
        }
        return matches;
    }
}
