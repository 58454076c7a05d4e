// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts of rare events, of all loops. Any thread. */
public final class TargetCounters {
    private final Map<TargetCounter, AtomicLong> values = new EnumMap<>(TargetCounter.class);
    private final Map<RefusalReason, AtomicLong> refusals = new EnumMap<>(RefusalReason.class);

    TargetCounters() {
        for (final TargetCounter counter : TargetCounter.values()) {
            values.put(counter, new AtomicLong());
        }
        for (final RefusalReason reason : RefusalReason.values()) {
            refusals.put(reason, new AtomicLong());
        }
    }

    void add(final TargetCounter counter) {
        values.get(counter).incrementAndGet();
    }

    void add(final TargetCounter counter, final long count) {
        values.get(counter).addAndGet(count);
    }

    void add(final RefusalReason reason) {
        refusals.get(reason).incrementAndGet();
    }

    /**
     * A count.
     *
     * @param counter of what
     * @return 0 or more
     */
    public long get(final TargetCounter counter) {
        return values.get(counter).get();
    }

    /**
     * How many Connects were refused for a reason.
     *
     * @param reason the reason
     * @return 0 or more
     */
    public long get(final RefusalReason reason) {
        return refusals.get(reason).get();
    }
}
