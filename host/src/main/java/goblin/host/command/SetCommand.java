// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.keyspace.Entry;
import goblin.host.keyspace.StringValue;
import goblin.host.keyspace.ValueType;

/** SET with its options, and the older commands that are special cases of it. */
final class SetCommand {
    /** Neither an expiry nor {@link Entry#NEVER}: the number was refused and the error written. */
    private static final long REFUSED = -1;

    private SetCommand() {}

    /** Makes the key hold this string, whatever it held; returns its entry. */
    static Entry store(
            final Call call,
            final int key,
            final Entry existing,
            final int word,
            final long expireAtMs,
            final boolean keepExpiry) {
        final long address = call.address(word);
        final int length = call.length(word);
        if (existing == null) {
            final Entry entry = call.add(key, StringValue.of(address, length));
            call.keyspace().setExpiry(entry, expireAtMs);
            return entry;
        }
        if (existing.value().type() == ValueType.STRING) {
            ((StringValue) existing.value()).assign(address, length);
        } else {
            call.keyspace().replace(existing, StringValue.of(address, length));
        }
        if (!keepExpiry) {
            call.keyspace().setExpiry(existing, expireAtMs);
        }
        return existing;
    }

    static void set(final Call call) {
        if (call.count() == 3) {
            final Entry entry = store(call, 1, call.write(1), 2, Entry.NEVER, false);
            call.modified(entry, EventClass.STRING, "set");
            call.reply().ok();
            return;
        }
        setWithOptions(call);
    }

    private static void setWithOptions(final Call call) {
        boolean onlyNew = false;
        boolean onlyOld = false;
        boolean get = false;
        boolean keep = false;
        int expiry = 0;
        for (int i = 3; i < call.count(); i++) {
            final boolean more = i + 1 < call.count();
            if (call.is(i, "NX") && !onlyOld) {
                onlyNew = true;
            } else if (call.is(i, "XX") && !onlyNew) {
                onlyOld = true;
            } else if (call.is(i, "GET")) {
                get = true;
            } else if (call.is(i, "KEEPTTL") && expiry == 0) {
                keep = true;
            } else if (isExpiry(call, i) && more && expiry == 0 && !keep) {
                expiry = i++;
            } else {
                call.syntaxError();
                return;
            }
        }
        final long expireAtMs = expiry == 0 ? Entry.NEVER : expireAt(call, expiry);
        if (expireAtMs == REFUSED) {
            return;
        }
        final Entry existing = call.write(1);
        if (get) {
            if (call.isWrongType(existing, ValueType.STRING)) {
                return;
            }
            if (existing == null) {
                call.reply().nullBulk();
            } else {
                StringCommands.bulk(call, (StringValue) existing.value());
            }
        }
        if ((onlyNew && existing != null) || (onlyOld && existing == null)) {
            if (!get) {
                call.reply().nullBulk();
            }
            return;
        }
        write(call, existing, 2, expireAtMs, keep);
        if (!get) {
            call.reply().ok();
        }
    }

    /** Stores and announces; a key whose time has passed already goes with the next lookup. */
    private static void write(
            final Call call, final Entry existing, final int word, final long expireAtMs, final boolean keep) {
        final Entry entry = store(call, 1, existing, word, expireAtMs, keep);
        call.modified(entry, EventClass.STRING, "set");
        if (expireAtMs != Entry.NEVER) {
            call.event(EventClass.GENERIC, "expire", entry.key());
        }
    }

    private static boolean isExpiry(final Call call, final int index) {
        return call.is(index, "EX") || call.is(index, "PX") || call.is(index, "EXAT") || call.is(index, "PXAT");
    }

    private static long expireAt(final Call call, final int option) {
        final boolean seconds = call.is(option, "EX") || call.is(option, "EXAT");
        final boolean absolute = call.is(option, "EXAT") || call.is(option, "PXAT");
        return expireAt(call, option + 1, seconds, absolute);
    }

    /** The moment a word names, or an error. */
    private static long expireAt(final Call call, final int word, final boolean seconds, final boolean absolute) {
        if (!call.integer(word)) {
            return REFUSED;
        }
        long at = call.parsed();
        if (at <= 0 || (seconds && at > Long.MAX_VALUE / 1000)) {
            return invalidExpiry(call);
        }
        if (seconds) {
            at *= 1000;
        }
        if (!absolute) {
            if (at > Long.MAX_VALUE - call.nowMs()) {
                return invalidExpiry(call);
            }
            at += call.nowMs();
        }
        return at;
    }

    private static long invalidExpiry(final Call call) {
        call.error("ERR invalid expire time in '" + call.spec().fullName() + "' command");
        return REFUSED;
    }

    static void setnx(final Call call) {
        final Entry existing = call.write(1);
        if (existing != null) {
            call.reply().integer(0);
            return;
        }
        write(call, null, 2, Entry.NEVER, false);
        call.reply().integer(1);
    }

    static void setex(final Call call) {
        setWithExpiry(call, true);
    }

    static void psetex(final Call call) {
        setWithExpiry(call, false);
    }

    private static void setWithExpiry(final Call call, final boolean seconds) {
        final long expireAtMs = expireAt(call, 2, seconds, false);
        if (expireAtMs != REFUSED) {
            write(call, call.write(1), 3, expireAtMs, false);
            call.reply().ok();
        }
    }

    static void getset(final Call call) {
        final Entry existing = call.write(1);
        if (call.isWrongType(existing, ValueType.STRING)) {
            return;
        }
        if (existing == null) {
            call.reply().nullBulk();
        } else {
            StringCommands.bulk(call, (StringValue) existing.value());
        }
        write(call, existing, 2, Entry.NEVER, false);
    }

    static void getex(final Call call) {
        boolean persist = false;
        int expiry = 0;
        for (int i = 2; i < call.count(); i++) {
            if (call.is(i, "PERSIST") && expiry == 0 && !persist) {
                persist = true;
            } else if (isExpiry(call, i) && i + 1 < call.count() && expiry == 0 && !persist) {
                expiry = i++;
            } else {
                call.syntaxError();
                return;
            }
        }
        final Entry entry = call.write(1);
        if (entry == null) {
            call.reply().nullBulk();
            return;
        }
        if (call.isWrongType(entry, ValueType.STRING)) {
            return;
        }
        final long expireAtMs = expiry == 0 ? Entry.NEVER : expireAt(call, expiry);
        if (expireAtMs == REFUSED) {
            return;
        }
        StringCommands.bulk(call, (StringValue) entry.value());
        if (expiry != 0 && expireAtMs <= call.nowMs()) {
            call.delete(entry);
        } else if (expiry != 0) {
            call.keyspace().setExpiry(entry, expireAtMs);
            call.modified(entry, EventClass.GENERIC, "expire");
        } else if (persist && entry.expireAtMs() != Entry.NEVER) {
            call.keyspace().setExpiry(entry, Entry.NEVER);
            call.modified(entry, EventClass.GENERIC, "persist");
        }
    }
}
