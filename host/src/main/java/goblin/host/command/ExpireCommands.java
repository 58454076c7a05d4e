// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.FAST;
import static goblin.host.command.Flag.READONLY;
import static goblin.host.command.Flag.WRITE;

import goblin.host.keyspace.Entry;

/** When keys expire. */
final class ExpireCommands {
    private static final String GENERIC = "generic";

    private ExpireCommands() {}

    static void register(final CommandTable table) {
        table.add("expire", -3, call -> expire(call, true, false), WRITE, FAST)
                .keys(1, 1, 1)
                .group(GENERIC, "1.0.0");
        table.add("pexpire", -3, call -> expire(call, false, false), WRITE, FAST)
                .keys(1, 1, 1)
                .group(GENERIC, "2.6.0");
        table.add("expireat", -3, call -> expire(call, true, true), WRITE, FAST)
                .keys(1, 1, 1)
                .group(GENERIC, "1.2.0");
        table.add("pexpireat", -3, call -> expire(call, false, true), WRITE, FAST)
                .keys(1, 1, 1)
                .group(GENERIC, "2.6.0");
        table.add("ttl", 2, call -> remaining(call, true, false), READONLY, FAST)
                .keys(1, 1, 1)
                .group(GENERIC, "1.0.0");
        table.add("pttl", 2, call -> remaining(call, false, false), READONLY, FAST)
                .keys(1, 1, 1)
                .group(GENERIC, "2.6.0");
        table.add("expiretime", 2, call -> remaining(call, true, true), READONLY, FAST)
                .keys(1, 1, 1)
                .group(GENERIC, "7.0.0");
        table.add("pexpiretime", 2, call -> remaining(call, false, true), READONLY, FAST)
                .keys(1, 1, 1)
                .group(GENERIC, "7.0.0");
        table.add("persist", 2, ExpireCommands::persist, WRITE, FAST)
                .keys(1, 1, 1)
                .group(GENERIC, "2.2.0");
    }

    private static void expire(final Call call, final boolean seconds, final boolean absolute) {
        boolean onlyWithout = false;
        boolean onlyWith = false;
        boolean onlyLater = false;
        boolean onlySooner = false;
        for (int i = 3; i < call.count(); i++) {
            if (call.is(i, "NX")) {
                onlyWithout = true;
            } else if (call.is(i, "XX")) {
                onlyWith = true;
            } else if (call.is(i, "GT")) {
                onlyLater = true;
            } else if (call.is(i, "LT")) {
                onlySooner = true;
            } else {
                call.error("ERR Unsupported option " + call.args().text(i));
                return;
            }
        }
        if (onlyWithout && (onlyWith || onlyLater || onlySooner)) {
            call.error("ERR NX and XX, GT or LT options at the same time are not compatible");
            return;
        }
        if (onlyLater && onlySooner) {
            call.error("ERR GT and LT options at the same time are not compatible");
            return;
        }
        if (!call.integer(2)) {
            return;
        }
        long at = call.parsed();
        if (seconds) {
            if (at > Long.MAX_VALUE / 1000 || at < Long.MIN_VALUE / 1000) {
                invalid(call);
                return;
            }
            at *= 1000;
        }
        if (!absolute) {
            if (at > Long.MAX_VALUE - call.nowMs()) {
                invalid(call);
                return;
            }
            at += call.nowMs();
        }
        final Entry entry = call.write(1);
        if (entry == null || !wants(entry.expireAtMs(), at, onlyWithout, onlyWith, onlyLater, onlySooner)) {
            call.reply().integer(0);
            return;
        }
        if (at <= call.nowMs()) {
            call.delete(entry);
        } else {
            call.keyspace().setExpiry(entry, at);
            call.modified(entry, EventClass.GENERIC, "expire");
        }
        call.reply().integer(1);
    }

    /** A key without expiry lives for ever: nothing is later, everything is sooner. */
    private static boolean wants(
            final long present,
            final long at,
            final boolean onlyWithout,
            final boolean onlyWith,
            final boolean onlyLater,
            final boolean onlySooner) {
        final boolean has = present != Entry.NEVER;
        if ((onlyWithout && has) || (onlyWith && !has)) {
            return false;
        }
        if (onlyLater && (!has || at <= present)) {
            return false;
        }
        return !(onlySooner && has && at >= present);
    }

    private static void invalid(final Call call) {
        call.error("ERR invalid expire time in '" + call.spec().fullName() + "' command");
    }

    private static void remaining(final Call call, final boolean seconds, final boolean absolute) {
        final Entry entry = call.keyspace().peek(call.address(1), call.length(1));
        if (entry == null) {
            call.reply().integer(-2);
        } else if (entry.expireAtMs() == Entry.NEVER) {
            call.reply().integer(-1);
        } else {
            final long ms = absolute ? entry.expireAtMs() : Math.max(0, entry.expireAtMs() - call.nowMs());
            call.reply().integer(seconds ? (ms + 500) / 1000 : ms);
        }
    }

    private static void persist(final Call call) {
        final Entry entry = call.write(1);
        if (entry == null || entry.expireAtMs() == Entry.NEVER) {
            call.reply().integer(0);
            return;
        }
        call.keyspace().setExpiry(entry, Entry.NEVER);
        call.modified(entry, EventClass.GENERIC, "persist");
        call.reply().integer(1);
    }
}
