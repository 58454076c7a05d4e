// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.HashMap;
import java.util.Map;

/** Lets one line a second of each kind through and says how many it kept back. Any thread; for rare events only. */
final class RateLimitedLog {
    private static final long INTERVAL_NS = 1_000_000_000L;

    private static final class Kind {
        private long lastNs;
        private long suppressed;
    }

    private final TargetLog log;
    private final Map<String, Kind> kinds = new HashMap<>();

    RateLimitedLog(final TargetLog log) {
        this.log = log;
    }

    /** Writes a line unless one of its kind was written less than a second ago; kinds are constants of the code. */
    void line(final String kind, final String line, final long nowNs) {
        final long suppressed;
        synchronized (kinds) {
            final Kind known = kinds.get(kind);
            if (known == null) {
                final Kind first = new Kind();
                first.lastNs = nowNs;
                kinds.put(kind, first);
                suppressed = 0;
            } else if (nowNs - known.lastNs < INTERVAL_NS) {
                known.suppressed++;
                return;
            } else {
                known.lastNs = nowNs;
                suppressed = known.suppressed;
                known.suppressed = 0;
            }
        }
        log.line(suppressed == 0 ? line : line + " (and " + suppressed + " more like it)");
    }
}
