// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.value.EncodingLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What can be seen and changed while the server runs. Parameters of Redis that have no meaning here are kept as text
 * when tools expect to set them.
 */
public final class Settings {
    private static final String NOT_AN_INTEGER = "argument couldn't be parsed into an integer";

    private final List<Setting> all = new ArrayList<>();
    private final EncodingLimits encodingLimits = new EncodingLimits();
    private long maxMemory;
    private long busyReplyThresholdMs = 5000;
    private long maxClients = 100_000;
    private long timeoutSeconds;
    private long slowLogMicros = 10_000;
    private long slowLogLength = 128;
    private long listCompressDepth;
    private long latencyThresholdMs;
    private long trackingTableMaxKeys = 1_000_000;
    private long pubSubHardBytes = 32L << 20;
    private long pubSubSoftBytes = 8L << 20;
    private long pubSubSoftSeconds = 60;

    Settings(final Server server) {
        add("maxmemory", null, () -> Long.toString(maxMemory), text -> {
            final long bytes = parseMemory(text);
            if (bytes < 0) {
                return "argument must be a memory value";
            }
            maxMemory = bytes;
            return null;
        });
        add(
                "maxmemory-policy",
                null,
                () -> "noeviction",
                text -> text.equals("noeviction") ? null : "argument(s) must be one of the following: noeviction");
        add(
                "notify-keyspace-events",
                null,
                () -> server.notifications().text(),
                text -> server.notifications().set(text)
                        ? null
                        : "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
        number("busy-reply-threshold", "lua-time-limit", () -> busyReplyThresholdMs, n -> busyReplyThresholdMs = n, 0);
        number("maxclients", null, () -> maxClients, n -> maxClients = n, 1);
        number("timeout", null, () -> timeoutSeconds, n -> timeoutSeconds = n, 0);
        number("slowlog-log-slower-than", null, () -> slowLogMicros, n -> slowLogMicros = n, -1);
        number("slowlog-max-len", null, () -> slowLogLength, n -> slowLogLength = n, 0);
        number("latency-monitor-threshold", null, () -> latencyThresholdMs, n -> latencyThresholdMs = n, 0);
        number("tracking-table-max-keys", null, () -> trackingTableMaxKeys, n -> trackingTableMaxKeys = n, 0);
        addEncodings();
        add("client-output-buffer-limit", null, this::outputLimits, this::setOutputLimits);
        fixed("databases", "1");
        fixed("proto-max-bulk-len", "536870912");
        fixed("appendonly", "no");
        fixed("port", Integer.toString(server.surroundings().tcpPort()));
        text("save", "");
        text("lfu-log-factor", "10");
        text("lfu-decay-time", "1");
        text("active-expire-effort", "1");
        text("hz", "10");
        text("lazyfree-lazy-user-del", "no");
        text("close-on-replica-write", "yes");
    }

    private void addEncodings() {
        number(
                "list-max-listpack-size",
                "list-max-ziplist-size",
                () -> encodingLimits.listMaxListpackSize,
                n -> encodingLimits.listMaxListpackSize = n,
                -6);
        number("list-compress-depth", null, () -> listCompressDepth, n -> listCompressDepth = n, 0);
        number(
                "hash-max-listpack-entries",
                "hash-max-ziplist-entries",
                () -> encodingLimits.hashMaxListpackEntries,
                n -> encodingLimits.hashMaxListpackEntries = n,
                0);
        number(
                "hash-max-listpack-value",
                "hash-max-ziplist-value",
                () -> encodingLimits.hashMaxListpackValue,
                n -> encodingLimits.hashMaxListpackValue = n,
                0);
        number(
                "set-max-intset-entries",
                null,
                () -> encodingLimits.setMaxIntsetEntries,
                n -> encodingLimits.setMaxIntsetEntries = n,
                0);
        number(
                "set-max-listpack-entries",
                null,
                () -> encodingLimits.setMaxListpackEntries,
                n -> encodingLimits.setMaxListpackEntries = n,
                0);
        number(
                "set-max-listpack-value",
                null,
                () -> encodingLimits.setMaxListpackValue,
                n -> encodingLimits.setMaxListpackValue = n,
                0);
        number(
                "zset-max-listpack-entries",
                "zset-max-ziplist-entries",
                () -> encodingLimits.zsetMaxListpackEntries,
                n -> encodingLimits.zsetMaxListpackEntries = n,
                0);
        number(
                "zset-max-listpack-value",
                "zset-max-ziplist-value",
                () -> encodingLimits.zsetMaxListpackValue,
                n -> encodingLimits.zsetMaxListpackValue = n,
                0);
    }

    private void add(
            final String name, final String alias, final Supplier<String> get, final Function<String, String> set) {
        all.add(new Setting(name, alias, get, set));
    }

    private void number(
            final String name,
            final String alias,
            final java.util.function.LongSupplier get,
            final java.util.function.LongConsumer set,
            final long least) {
        add(name, alias, () -> Long.toString(get.getAsLong()), text -> {
            final long value;
            try {
                value = Long.parseLong(text);
            } catch (final NumberFormatException e) {
                return NOT_AN_INTEGER;
            }
            if (value < least) {
                return "argument must be between " + least + " and " + Long.MAX_VALUE + " inclusive";
            }
            set.accept(value);
            return null;
        });
    }

    private void fixed(final String name, final String value) {
        add(name, null, () -> value, null);
    }

    private void text(final String name, final String start) {
        final String[] value = {start};
        add(name, null, () -> value[0], text -> {
            value[0] = text;
            return null;
        });
    }

    private String outputLimits() {
        return "normal 0 0 0 slave 0 0 0 pubsub " + pubSubHardBytes + ' ' + pubSubSoftBytes + ' ' + pubSubSoftSeconds;
    }

    private String setOutputLimits(final String text) {
        final String[] words = text.trim().split("\\s+", -1);
        if (words.length % 4 != 0) {
            return "Wrong number of arguments in buffer limit configuration.";
        }
        for (int i = 0; i < words.length; i += 4) {
            final long hard = parseMemory(words[i + 1]);
            final long soft = parseMemory(words[i + 2]);
            final long seconds = parseMemory(words[i + 3]);
            if (hard < 0 || soft < 0 || seconds < 0) {
                return "Error in hard, soft or soft_seconds setting in buffer limit configuration.";
            }
            if (words[i].equals("pubsub")) {
                pubSubHardBytes = hard;
                pubSubSoftBytes = soft;
                pubSubSoftSeconds = seconds;
            } else if (!words[i].equals("normal") && !words[i].equals("slave") && !words[i].equals("replica")) {
                return "Invalid client class specified in buffer limit configuration.";
            }
        }
        return null;
    }

    /**
     * Reads a number of bytes with an optional unit: b, k, kb, m, mb, g, gb.
     *
     * @param text any
     * @return -1 when it is none
     */
    public static long parseMemory(final String text) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        if (digits == 0 || digits > 18) {
            return -1;
        }
        final long number = Long.parseLong(text.substring(0, digits));
        final long unit = switch (text.substring(digits).toLowerCase(Locale.ROOT)) {
            case "", "b" -> 1;
            case "k" -> 1000;
            case "kb" -> 1L << 10;
            case "m" -> 1_000_000;
            case "mb" -> 1L << 20;
            case "g" -> 1_000_000_000;
            case "gb" -> 1L << 30;
            default -> -1;
        };
        return unit < 0 || number > Long.MAX_VALUE / unit ? -1 : number * unit;
    }

    List<Setting> all() {
        return all;
    }

    Setting find(final String name) {
        final String lower = name.toLowerCase(Locale.ROOT);
        for (final Setting setting : all) {
            if (setting.name().equals(lower) || lower.equals(setting.alias())) {
                return setting;
            }
        }
        return null;
    }

    /**
     * Up to which sizes collections report a compact encoding.
     *
     * @return always the same object
     */
    public EncodingLimits encodingLimits() {
        return encodingLimits;
    }

    /**
     * Past it writes are refused.
     *
     * @return bytes, 0 for no limit
     */
    public long maxMemory() {
        return maxMemory;
    }

    /**
     * Sets the memory limit.
     *
     * @param bytes 0 for none
     */
    public void setMaxMemory(final long bytes) {
        maxMemory = bytes;
    }

    /**
     * How long a script may run before others are told that the server is busy.
     *
     * @return milliseconds, 0 for ever
     */
    public long busyReplyThresholdMs() {
        return busyReplyThresholdMs;
    }

    /**
     * Most clients at once.
     *
     * @return at least 1
     */
    public long maxClients() {
        return maxClients;
    }

    /**
     * Sets how many clients there may be.
     *
     * @param clients at least 1
     */
    public void setMaxClients(final long clients) {
        maxClients = clients;
    }

    /**
     * Clients without subscriptions that are idle for longer are closed.
     *
     * @return seconds, 0 for never
     */
    public long timeoutSeconds() {
        return timeoutSeconds;
    }

    /**
     * Past it a subscriber is disconnected.
     *
     * @return bytes, 0 for no limit
     */
    public long pubSubHardBytes() {
        return pubSubHardBytes;
    }

    /**
     * Sets where subscribers are disconnected.
     *
     * @param bytes 0 for no limit
     */
    public void setPubSubHardBytes(final long bytes) {
        pubSubHardBytes = bytes;
    }

    /**
     * A subscriber that stays past it for {@link #pubSubSoftSeconds} is disconnected.
     *
     * @return bytes, 0 for no limit
     */
    public long pubSubSoftBytes() {
        return pubSubSoftBytes;
    }

    /**
     * See {@link #pubSubSoftBytes}.
     *
     * @return seconds
     */
    public long pubSubSoftSeconds() {
        return pubSubSoftSeconds;
    }

    /**
     * A command that takes longer goes to the slow log.
     *
     * @return microseconds, negative for never
     */
    public long slowLogMicros() {
        return slowLogMicros;
    }

    /**
     * Entries the slow log keeps.
     *
     * @return 0 or more
     */
    public long slowLogLength() {
        return slowLogLength;
    }

    long trackingTableMaxKeys() {
        return trackingTableMaxKeys;
    }
}
