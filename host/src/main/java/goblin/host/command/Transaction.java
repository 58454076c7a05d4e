// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.util.ArrayList;
import java.util.List;

/** What one client queued since MULTI. Owns copies of the commands until it is freed. */
final class Transaction {
    /** One queued command. */
    record Queued(CommandSpec spec, Arguments args) {}

    private final List<Queued> queue = new ArrayList<>();
    private boolean refused;
    private boolean anyLong;
    private boolean anyDenyOom;
    private boolean anyWrite;
    private long bytes;

    void add(final CommandSpec spec, final Arguments args) {
        final Arguments copy = args.copy();
        queue.add(new Queued(spec, copy));
        bytes += copy.ownedBytes();
        anyLong |= spec.has(Flag.LONG);
        anyDenyOom |= spec.has(Flag.DENYOOM);
        anyWrite |= spec.has(Flag.WRITE) || spec.has(Flag.MAY_REPLICATE);
    }

    List<Queued> queue() {
        return queue;
    }

    /** A command was refused when it should have been queued: EXEC must fail. */
    void refuse() {
        refused = true;
    }

    boolean isRefused() {
        return refused;
    }

    boolean anyLong() {
        return anyLong;
    }

    boolean anyWrite() {
        return anyWrite;
    }

    boolean anyDenyOom() {
        return anyDenyOom;
    }

    long bytes() {
        return bytes;
    }

    void free() {
        for (final Queued one : queue) {
            one.args().free();
        }
        queue.clear();
    }
}
