// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.DENYOOM;
import static goblin.host.command.Flag.FAST;
import static goblin.host.command.Flag.READONLY;
import static goblin.host.command.Flag.WRITE;

import goblin.host.keyspace.Entry;
import goblin.host.keyspace.Value;
import goblin.host.keyspace.ValueType;
import goblin.net.NativeBuffer;
import goblin.pubsub.GlobPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Keys of any type: removing, renaming, copying, listing. */
final class KeyCommands {
    private static final String GENERIC = "generic";

    private KeyCommands() {}

    static void register(final CommandTable table) {
        table.add("del", -2, KeyCommands::del, WRITE).keys(1, -1, 1).group(GENERIC, "1.0.0");
        table.add("unlink", -2, KeyCommands::del, WRITE, FAST).keys(1, -1, 1).group(GENERIC, "4.0.0");
        table.add("exists", -2, KeyCommands::exists, READONLY, FAST)
                .keys(1, -1, 1)
                .group(GENERIC, "1.0.0");
        table.add("touch", -2, KeyCommands::exists, READONLY, FAST)
                .keys(1, -1, 1)
                .group(GENERIC, "3.2.1");
        table.add("type", 2, KeyCommands::type, READONLY, FAST).keys(1, 1, 1).group(GENERIC, "1.0.0");
        table.add("rename", 3, call -> rename(call, false), WRITE).keys(1, 2, 1).group(GENERIC, "1.0.0");
        table.add("renamenx", 3, call -> rename(call, true), WRITE, FAST)
                .keys(1, 2, 1)
                .group(GENERIC, "1.0.0");
        table.add("copy", -3, KeyCommands::copy, WRITE, DENYOOM).keys(1, 2, 1).group(GENERIC, "6.2.0");
        table.add("move", 3, KeyCommands::move, WRITE, FAST).keys(1, 1, 1).group(GENERIC, "1.0.0");
        table.add("keys", 2, KeyCommands::keys, READONLY).group(GENERIC, "1.0.0");
        table.add("scan", -2, KeyCommands::scan, READONLY).group(GENERIC, "2.8.0");
        table.add("randomkey", 1, KeyCommands::randomKey, READONLY).group(GENERIC, "1.0.0");
        final CommandSpec object =
                table.add("object", -2, KeyCommands::objectHelp).group(GENERIC, "2.2.3");
        object.sub("encoding", 3, KeyCommands::objectEncoding, READONLY).keys(2, 2, 1);
        object.sub("idletime", 3, KeyCommands::objectIdleTime, READONLY).keys(2, 2, 1);
        object.sub("refcount", 3, KeyCommands::objectRefCount, READONLY).keys(2, 2, 1);
        object.sub("freq", 3, KeyCommands::objectFreq, READONLY).keys(2, 2, 1);
        object.sub("help", 2, KeyCommands::objectHelp);
    }

    private static void del(final Call call) {
        long removed = 0;
        for (int i = 1; i < call.count(); i++) {
            final Entry entry = call.write(i);
            if (entry != null) {
                call.delete(entry);
                removed++;
            }
        }
        call.reply().integer(removed);
    }

    private static void exists(final Call call) {
        long found = 0;
        for (int i = 1; i < call.count(); i++) {
            if (call.read(i) != null) {
                found++;
            }
        }
        call.reply().integer(found);
    }

    private static void type(final Call call) {
        final Entry entry = call.keyspace().peek(call.address(1), call.length(1));
        call.reply().simple(entry == null ? "none" : entry.value().type().label());
    }

    private static void rename(final Call call, final boolean onlyNew) {
        final Entry source = call.write(1);
        if (source == null) {
            call.error(Errors.NO_SUCH_KEY);
            return;
        }
        final boolean same = call.args().same(1, 2);
        final Entry target = call.write(2);
        if (onlyNew && target != null) {
            call.reply().integer(0);
            return;
        }
        if (!same) {
            final Value value = source.value();
            final long expireAtMs = source.expireAtMs();
            if (target != null) {
                call.keyspace().delete(target);
            }
            call.keyspace().delete(source);
            final Entry renamed = call.add(2, value);
            call.keyspace().setExpiry(renamed, expireAtMs);
            call.keyspace().modified(renamed);
            // One change, as Redis counts it: the removals belong to it.
            call.keyspace().addChanges(target == null ? -1 : -2);
            call.event(EventClass.GENERIC, "rename_from", source.key());
            call.event(EventClass.GENERIC, "rename_to", renamed.key());
        }
        if (onlyNew) {
            call.reply().integer(1);
        } else {
            call.reply().ok();
        }
    }

    private static void copy(final Call call) {
        boolean replace = false;
        for (int i = 3; i < call.count(); i++) {
            if (call.is(i, "REPLACE")) {
                replace = true;
            } else if (call.is(i, "DB") && i + 1 < call.count()) {
                if (!call.integer(++i)) {
                    return;
                }
                if (call.parsed() != 0) {
                    call.error("ERR DB index is out of range");
                    return;
                }
            } else {
                call.syntaxError();
                return;
            }
        }
        if (call.args().same(1, 2)) {
            call.error("ERR source and destination objects are the same");
            return;
        }
        final Entry source = call.read(1);
        final Entry target = call.write(2);
        if (source == null || (target != null && !replace)) {
            call.reply().integer(0);
            return;
        }
        if (target != null) {
            call.keyspace().delete(target);
            call.keyspace().addChanges(-1);
        }
        final Entry copied = call.add(2, source.value().copy());
        call.keyspace().setExpiry(copied, source.expireAtMs());
        call.modified(copied, EventClass.GENERIC, "copy_to");
        call.reply().integer(1);
    }

    private static void move(final Call call) {
        if (call.integer(2)) {
            call.error(
                    call.parsed() == 0
                            ? "ERR source and destination objects are the same"
                            : "ERR DB index is out of range");
        }
    }

    private static void keys(final Call call) {
        final GlobPattern pattern = GlobPattern.compile(call.address(1), call.length(1));
        final boolean all = call.is(1, "*");
        final List<byte[]> found = new ArrayList<>();
        final long nowMs = call.nowMs();
        final NativeBuffer name = new NativeBuffer();
        call.keyspace().forEach(entry -> {
            if (isAlive(entry, nowMs) && (all || matches(pattern, entry.key(), name))) {
                found.add(entry.key());
            }
        });
        name.free();
        call.reply().array(found.size());
        for (final byte[] key : found) {
            call.reply().bulk(key);
        }
    }

    private static boolean isAlive(final Entry entry, final long nowMs) {
        return entry.expireAtMs() == Entry.NEVER || entry.expireAtMs() > nowMs;
    }

    private static boolean matches(final GlobPattern pattern, final byte[] key, final NativeBuffer scratch) {
        scratch.clear();
        scratch.append(key);
        return pattern.matches(scratch.address(), key.length);
    }

    private static void scan(final Call call) {
        final String cursorText = call.args().text(1);
        final long cursor;
        try {
            cursor = Long.parseUnsignedLong(cursorText);
        } catch (final NumberFormatException e) {
            call.error("ERR invalid cursor");
            return;
        }
        long count = 10;
        int pattern = 0;
        String type = null;
        for (int i = 2; i < call.count(); i += 2) {
            if (i + 1 >= call.count()) {
                call.syntaxError();
                return;
            }
            if (call.is(i, "COUNT")) {
                if (!call.integer(i + 1)) {
                    return;
                }
                count = call.parsed();
                if (count < 1) {
                    call.syntaxError();
                    return;
                }
            } else if (call.is(i, "MATCH")) {
                pattern = i + 1;
            } else if (call.is(i, "TYPE")) {
                type = call.args().text(i + 1).toLowerCase(Locale.ROOT);
                if (!isType(type)) {
                    call.error("ERR unknown type name '" + call.args().text(i + 1) + "'");
                    return;
                }
            } else {
                call.syntaxError();
                return;
            }
        }
        answerScan(call, cursor, count, pattern, type);
    }

    private static boolean isType(final String name) {
        for (final ValueType type : ValueType.values()) {
            if (type.label().equals(name)) {
                return true;
            }
        }
        return name.equals("stream");
    }

    private static void answerScan(
            final Call call, final long start, final long count, final int pattern, final String type) {
        final List<byte[]> found = new ArrayList<>();
        final NativeBuffer name = new NativeBuffer();
        final long nowMs = call.nowMs();
        final GlobPattern glob = pattern == 0 ? null : GlobPattern.compile(call.address(pattern), call.length(pattern));
        final long[] seen = {0};
        long cursor = start;
        // Empty places are passed over, but only so many, so that one call stays short in a sparse table.
        long steps = count > Long.MAX_VALUE / 10 ? Long.MAX_VALUE : count * 10;
        do {
            cursor = call.keyspace().scan(cursor, entry -> {
                seen[0]++;
                if (isAlive(entry, nowMs)
                        && (type == null || entry.value().type().label().equals(type))
                        && (glob == null || matches(glob, entry.key(), name))) {
                    found.add(entry.key());
                }
            });
        } while (cursor != 0 && --steps > 0 && seen[0] < count);
        name.free();
        call.reply().array(2);
        call.reply().bulkAscii(Long.toUnsignedString(cursor));
        call.reply().array(found.size());
        for (final byte[] key : found) {
            call.reply().bulk(key);
        }
    }

    private static void randomKey(final Call call) {
        final Entry entry = call.keyspace().random();
        if (entry == null) {
            call.reply().nullBulk();
        } else {
            call.reply().bulk(entry.key());
        }
    }

    /** The entry an OBJECT subcommand is about, which does not count as use; answers null when there is none. */
    private static Entry object(final Call call) {
        final Entry entry = call.keyspace().peek(call.address(2), call.length(2));
        if (entry == null) {
            call.reply().nullBulk();
        }
        return entry;
    }

    private static void objectEncoding(final Call call) {
        final Entry entry = object(call);
        if (entry != null) {
            call.reply().bulkAscii(entry.value().encoding());
        }
    }

    private static void objectIdleTime(final Call call) {
        final Entry entry = object(call);
        if (entry != null) {
            call.reply().integer(Math.max(0, call.nowMs() - entry.accessedMs()) / 1000);
        }
    }

    private static void objectRefCount(final Call call) {
        if (object(call) != null) {
            call.reply().integer(1);
        }
    }

    private static void objectFreq(final Call call) {
        if (object(call) != null) {
            call.error(
                    "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when"
                            + " switching between policies at runtime LRU and LFU data will take some time to adjust.");
        }
    }

    private static void objectHelp(final Call call) {
        Help.answer(
                call,
                "ENCODING <key>",
                "    Return the kind of internal representation used in order to store the value of <key>.",
                "FREQ <key>",
                "    Return the access frequency index of the <key>.",
                "IDLETIME <key>",
                "    Return the idle time of the <key>.",
                "REFCOUNT <key>",
                "    Return the number of references of the value of <key>.");
    }
}
