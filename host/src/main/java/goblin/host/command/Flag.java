// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

/** What the rules need to know about a command; the labels are those of {@code COMMAND INFO}. */
public enum Flag {
    /** May change the keyspace. */
    WRITE(0, "write"),
    /** Reads the keyspace and never changes it. */
    READONLY(1, "readonly"),
    /** May take memory: refused past {@code maxmemory}. */
    DENYOOM(2, "denyoom"),
    /** For administrators. */
    ADMIN(3, "admin"),
    /** Belongs to Pub/Sub. */
    PUBSUB(4, "pubsub"),
    /** Not from scripts. */
    NOSCRIPT(5, "noscript"),
    /** May wait for a key. */
    BLOCKING(6, "blocking"),
    /** Allowed while a snapshot loads. */
    LOADING(7, "loading"),
    /** Allowed on a stale replica. */
    STALE(8, "stale"),
    /** Not shown to {@code MONITOR}. */
    SKIP_MONITOR(9, "skip_monitor"),
    /** Never in the slow log. */
    SKIP_SLOWLOG(10, "skip_slowlog"),
    /** Constant or logarithmic time. */
    FAST(11, "fast"),
    /** Allowed before authentication. */
    NO_AUTH(12, "no_auth"),
    /** May publish or write through a script. */
    MAY_REPLICATE(13, "may_replicate"),
    /** Not inside MULTI: refused when queued. */
    NO_MULTI(14, "no_multi"),
    /** Its keys' places depend on its arguments. */
    MOVABLE_KEYS(15, "movablekeys"),
    /** Allowed while a script runs too long. */
    ALLOW_BUSY(16, "allow_busy"),
    /** Acts at once inside MULTI instead of being queued. Not shown. */
    IMMEDIATE(17, ""),
    /** Allowed to a RESP2 client that has subscriptions. Not shown. */
    SUBSCRIBED(18, ""),
    /** May run long and keep the loop answering meanwhile, so it runs at the end of the turn. Not shown. */
    LONG(19, "");

    final int mask;
    private final String label;

    Flag(final int bit, final String label) {
        this.mask = 1 << bit;
        this.label = label;
    }

    /**
     * The name on the wire.
     *
     * @return empty for flags that are not shown
     */
    public String label() {
        return label;
    }
}
