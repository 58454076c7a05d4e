// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.HashMap;
import java.util.Map;

/**
 * Lets one line a second of each kind through, of those that are worth every line many more, and says how many it kept
 * back. Any thread; for rare events only.
 */
final class RateLimitedLog {
    private static final long INTERVAL_NS = 1_000_000_000L;
    /** A large host's controllers begin and end together. */
    private static final int IMPORTANT_LINES = 64;

    private static final class Kind {
        private long sinceNs;
        private int written;
        private long suppressed;
    }

    private final TargetLog log;
    private final Map<String, Kind> kinds = new HashMap<>();

    RateLimitedLog(final TargetLog log) {
        this.log = log;
    }

    /** Writes a line unless one of its kind was written less than a second ago; kinds are constants of the code. */
    void line(final String kind, final String line, final long nowNs) {
        line(kind, 1, line, nowNs);
    }

    /** Writes a line that people would miss, unless there were {@value #IMPORTANT_LINES} of its kind within a second. */
    void important(final String kind, final String line, final long nowNs) {
        line(kind, IMPORTANT_LINES, line, nowNs);
    }

    private void line(final String kind, final int most, final String line, final long nowNs) {
        final long suppressed;
        synchronized (kinds) {
            final Kind known = kinds.computeIfAbsent(kind, fresh -> new Kind());
            if (known.written == 0 || nowNs - known.sinceNs >= INTERVAL_NS) {
                known.sinceNs = nowNs;
                known.written = 0;
            } else if (known.written >= most) {
                known.suppressed++;
                return;
            }
            known.written++;
            suppressed = known.suppressed;
            known.suppressed = 0;
        }
        log.line(suppressed == 0 ? line : line + " (and " + suppressed + " more like it)");
    }
}
