// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.util.function.LongSupplier;

/**
 * Wall-clock time that is read once for a batch of commands: asking the system costs more than most commands, and a
 * command must see one time from its start to its end.
 */
public final class Clock implements LongSupplier {
    private final LongSupplier source;
    private long nowMs;

    /**
     * Reads the time once.
     *
     * @param source milliseconds since 1970
     */
    public Clock(final LongSupplier source) {
        this.source = source;
        update();
    }

    /** Reads the time again. */
    public void update() {
        nowMs = source.getAsLong();
    }

    @Override
    public long getAsLong() {
        return nowMs;
    }
}
