// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.changed;
import static goblin.host.command.CollectionKeys.integer;
import static goblin.host.command.CollectionKeys.removed;
import static goblin.host.command.CollectionKeys.symmetric;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.host.keyspace.Entry;
import goblin.host.value.HashValue;
import goblin.resp.Real;

/** Hashes. */
final class HashCommands {
    private HashCommands() {}

    static void register(CommandTable table) {
        add(table, "HSET", -4, HashCommands::set, "2.0.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "HMSET", -4, HashCommands::set, "2.0.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "HSETNX", 4, HashCommands::setIfAbsent, "2.0.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "HGET", 3, HashCommands::get, "2.0.0", Flag.READONLY, Flag.FAST);
        add(table, "HMGET", -3, HashCommands::getSeveral, "2.0.0", Flag.READONLY, Flag.FAST);
        add(table, "HDEL", -3, HashCommands::delete, "2.0.0", Flag.WRITE, Flag.FAST);
        add(table, "HLEN", 2, HashCommands::length, "2.0.0", Flag.READONLY, Flag.FAST);
        add(table, "HSTRLEN", 3, HashCommands::valueLength, "3.2.0", Flag.READONLY, Flag.FAST);
        add(table, "HEXISTS", 3, HashCommands::exists, "2.0.0", Flag.READONLY, Flag.FAST);
        add(table, "HINCRBY", 4, HashCommands::increment, "2.0.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "HINCRBYFLOAT", 4, HashCommands::incrementFloat, "2.6.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "HKEYS", 2, call -> all(call, true, false), "2.0.0", Flag.READONLY);
        add(table, "HVALS", 2, call -> all(call, false, true), "2.0.0", Flag.READONLY);
        add(table, "HGETALL", 2, call -> all(call, true, true), "2.0.0", Flag.READONLY);
        add(table, "HRANDFIELD", -2, HashCommands::random, "6.2.0", Flag.READONLY);
        add(table, "HSCAN", -3, HashCommands::scan, "2.8.0", Flag.READONLY);
    }

    private static void add(CommandTable table, String name, int arity, Command command, String since, Flag... flags) {
        table.add(name, arity, Refusal.answered(command), flags).keys(1, 1, 1).group("hash", since);
    }

    /** Sets a field and says whether it is new. */
    private static boolean put(HashValue hash, Call call, int field, byte[] value) {
        int position = hash.find(call.address(field), call.length(field));
        if (position >= 0) {
            hash.setValue(position, value);
            return false;
        }
        hash.append(call.bytes(field), value);
        return true;
    }

    private static HashValue orNew(Call call, HashValue hash) {
        return hash == null ? new HashValue(call.server().settings().encodingLimits()) : hash;
    }

    private static void set(Call call) {
        if (call.count() % 2 != 0) {
            call.wrongNumberOfArguments();
            return;
        }
        Entry entry = call.write(1);
        HashValue hash = orNew(call, CollectionKeys.hash(entry));
        int added = 0;
        for (int i = 2; i < call.count(); i += 2) {
            if (put(hash, call, i, call.bytes(i + 1))) {
                added++;
            }
        }
        stored(call, entry, hash, "hset", (call.count() - 2) / 2);
        if (call.spec().name().equals("hmset")) {
            call.reply().ok();
        } else {
            call.reply().integer(added);
        }
    }

    private static void stored(Call call, Entry entry, HashValue hash, String event, int changes) {
        changed(call, entry == null ? call.add(1, hash) : entry, EventClass.HASH, event, changes);
    }

    private static void setIfAbsent(Call call) {
        Entry entry = call.write(1);
        HashValue hash = orNew(call, CollectionKeys.hash(entry));
        if (hash.find(call.address(2), call.length(2)) >= 0) {
            call.reply().integer(0);
            return;
        }
        hash.append(call.bytes(2), call.bytes(3));
        stored(call, entry, hash, "hset", 1);
        call.reply().integer(1);
    }

    private static int find(HashValue hash, Call call, int field) {
        return hash == null ? -1 : hash.find(call.address(field), call.length(field));
    }

    private static void get(Call call) {
        answerField(call, CollectionKeys.hash(call.read(1)), 2);
    }

    private static void answerField(Call call, HashValue hash, int field) {
        int position = find(hash, call, field);
        if (position < 0) {
            call.reply().nullBulk();
        } else {
            CollectionKeys.bulk(call, hash.value(position));
        }
    }

    private static void getSeveral(Call call) {
        HashValue hash = CollectionKeys.hash(call.read(1));
        call.reply().array(call.count() - 2);
        for (int i = 2; i < call.count(); i++) {
            answerField(call, hash, i);
        }
    }

    private static void delete(Call call) {
        Entry entry = call.write(1);
        HashValue hash = CollectionKeys.hash(entry);
        int deleted = 0;
        for (int i = 2; hash != null && i < call.count(); i++) {
            int position = find(hash, call, i);
            if (position >= 0) {
                hash.removeAt(position);
                deleted++;
            }
        }
        if (deleted > 0) {
            removed(call, entry, hash.size() == 0, EventClass.HASH, "hdel", deleted);
        }
        call.reply().integer(deleted);
    }

    private static void length(Call call) {
        HashValue hash = CollectionKeys.hash(call.read(1));
        call.reply().integer(hash == null ? 0 : hash.size());
    }

    private static void valueLength(Call call) {
        HashValue hash = CollectionKeys.hash(call.read(1));
        int position = find(hash, call, 2);
        call.reply().integer(position < 0 ? 0 : hash.value(position).length);
    }

    private static void exists(Call call) {
        call.reply().integer(find(CollectionKeys.hash(call.read(1)), call, 2) < 0 ? 0 : 1);
    }

    private static void increment(Call call) {
        long by = integer(call, 3);
        Entry entry = call.write(1);
        HashValue hash = orNew(call, CollectionKeys.hash(entry));
        int position = find(hash, call, 2);
        long value = position < 0 ? 0 : Numbers.parseLong(hash.value(position), "ERR hash value is not an integer");
        if ((by < 0 && value < Long.MIN_VALUE - by) || (by > 0 && value > Long.MAX_VALUE - by)) {
            throw new Refusal("ERR increment or decrement would overflow");
        }
        put(hash, call, 2, Long.toString(value + by).getBytes(ISO_8859_1));
        stored(call, entry, hash, "hincrby", 1);
        call.reply().integer(value + by);
    }

    private static void incrementFloat(Call call) {
        double by = CollectionKeys.real(call, 3, Errors.NOT_A_FLOAT);
        if (Double.isInfinite(by)) {
            throw new Refusal("ERR value is NaN or Infinity");
        }
        Entry entry = call.write(1);
        HashValue hash = orNew(call, CollectionKeys.hash(entry));
        int position = find(hash, call, 2);
        String old = position < 0 ? "0" : new String(hash.value(position), ISO_8859_1);
        double value = Real.parse(old);
        if (Double.isNaN(value)) {
            throw new Refusal("ERR hash value is not a float");
        }
        if (Double.isInfinite(value + by)) {
            throw new Refusal("ERR increment would produce NaN or Infinity");
        }
        byte[] sum = Numbers.add(old, call.args().text(3)).getBytes(ISO_8859_1);
        put(hash, call, 2, sum);
        stored(call, entry, hash, "hincrbyfloat", 1);
        CollectionKeys.bulk(call, sum);
    }

    private static void all(Call call, boolean fields, boolean values) {
        HashValue hash = CollectionKeys.hash(call.read(1));
        int size = hash == null ? 0 : hash.size();
        if (fields && values) {
            call.reply().map(size);
        } else {
            call.reply().array(size);
        }
        for (int i = 0; i < size; i++) {
            if (fields) {
                CollectionKeys.bulk(call, hash.field(i));
            }
            if (values) {
                CollectionKeys.bulk(call, hash.value(i));
            }
        }
    }

    private static void random(Call call) {
        if (call.count() == 2) {
            HashValue hash = CollectionKeys.hash(call.read(1));
            if (hash == null) {
                call.reply().nullBulk();
            } else {
                CollectionKeys.bulk(call, hash.field(RandomChoice.one(hash.size())));
            }
            return;
        }
        long count = symmetric(call, 2);
        boolean withValues = call.count() == 4 && call.is(3, "WITHVALUES");
        if (call.count() > 4 || (call.count() == 4 && !withValues)) {
            throw Refusal.syntax();
        }
        if (withValues && (count < -Long.MAX_VALUE / 2 || count > Long.MAX_VALUE / 2)) {
            throw new Refusal("ERR value is out of range");
        }
        HashValue hash = CollectionKeys.hash(call.read(1));
        if (hash == null || count == 0) {
            call.reply().array(0);
            return;
        }
        boolean pairs = withValues && call.reply().protocol() > 2;
        boolean repeated = count < 0;
        long answers = repeated ? -count : Math.min(count, hash.size());
        int[] positions = repeated ? null : RandomChoice.distinct(hash.size(), (int) answers);
        call.reply().array(withValues && !pairs ? answers * 2 : answers);
        for (int i = 0; i < answers; i++) {
            int position = repeated ? RandomChoice.one(hash.size()) : positions[i];
            if (pairs) {
                call.reply().array(2);
            }
            CollectionKeys.bulk(call, hash.field(position));
            if (withValues) {
                CollectionKeys.bulk(call, hash.value(position));
            }
        }
    }

    private static void scan(Call call) {
        ElementScan scan = ElementScan.begin(call);
        HashValue hash = CollectionKeys.hash(call.read(1));
        if (hash == null) {
            ElementScan.answerNothing(call);
            return;
        }
        scan.parse(call, "NOVALUES");
        int[] positions = scan.select(call, hash.scanStart(scan.cursor()), !hash.isHashtable(), hash::field);
        scan.answer(call, scan.isBare() ? positions.length : positions.length * 2);
        for (int position : positions) {
            CollectionKeys.bulk(call, hash.field(position));
            if (!scan.isBare()) {
                CollectionKeys.bulk(call, hash.value(position));
            }
        }
    }
}
