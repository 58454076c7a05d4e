// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.DENYOOM;
import static goblin.host.command.Flag.FAST;
import static goblin.host.command.Flag.READONLY;
import static goblin.host.command.Flag.WRITE;

import goblin.host.keyspace.Entry;
import goblin.host.keyspace.StringValue;
import goblin.host.keyspace.ValueType;

/** Strings: reading, writing and cutting. Numbers are in {@link NumberCommands}. */
final class StringCommands {
    private static final long LONGEST = 512L << 20;

    private StringCommands() {}

    static void register(final CommandTable table) {
        table.add("get", 2, StringCommands::get, READONLY, FAST).keys(1, 1, 1).group("string", "1.0.0");
        table.add("set", -3, SetCommand::set, WRITE, DENYOOM).keys(1, 1, 1).group("string", "1.0.0");
        table.add("setnx", 3, SetCommand::setnx, WRITE, DENYOOM, FAST)
                .keys(1, 1, 1)
                .group("string", "1.0.0");
        table.add("setex", 4, SetCommand::setex, WRITE, DENYOOM).keys(1, 1, 1).group("string", "2.0.0");
        table.add("psetex", 4, SetCommand::psetex, WRITE, DENYOOM).keys(1, 1, 1).group("string", "2.6.0");
        table.add("getset", 3, SetCommand::getset, WRITE, DENYOOM, FAST)
                .keys(1, 1, 1)
                .group("string", "1.0.0");
        table.add("getex", -2, SetCommand::getex, WRITE, FAST).keys(1, 1, 1).group("string", "6.2.0");
        table.add("getdel", 2, StringCommands::getdel, WRITE, FAST)
                .keys(1, 1, 1)
                .group("string", "6.2.0");
        table.add("mget", -2, StringCommands::mget, READONLY, FAST)
                .keys(1, -1, 1)
                .group("string", "1.0.0");
        table.add("mset", -3, StringCommands::mset, WRITE, DENYOOM)
                .keys(1, -1, 2)
                .group("string", "1.0.1");
        table.add("msetnx", -3, StringCommands::msetnx, WRITE, DENYOOM)
                .keys(1, -1, 2)
                .group("string", "1.0.1");
        table.add("append", 3, StringCommands::append, WRITE, DENYOOM, FAST)
                .keys(1, 1, 1)
                .group("string", "2.0.0");
        table.add("strlen", 2, StringCommands::strlen, READONLY, FAST)
                .keys(1, 1, 1)
                .group("string", "2.2.0");
        table.add("setrange", 4, StringCommands::setrange, WRITE, DENYOOM)
                .keys(1, 1, 1)
                .group("string", "2.2.0");
        table.add("getrange", 4, StringCommands::getrange, READONLY)
                .keys(1, 1, 1)
                .group("string", "2.4.0");
        table.add("substr", 4, StringCommands::getrange, READONLY).keys(1, 1, 1).group("string", "1.0.0");
        table.add("lcs", -3, LcsCommand::lcs, READONLY).keys(1, 2, 1).group("string", "7.0.0");
    }

    /** Answers a string value whole. */
    static void bulk(final Call call, final StringValue value) {
        if (value.isNumber()) {
            call.reply().bulkDecimal(value.number());
            return;
        }
        call.bulk(value.array(), value.length());
    }

    private static void get(final Call call) {
        final Entry entry = call.read(1);
        if (entry == null) {
            call.reply().nullBulk();
        } else if (!call.isWrongType(entry, ValueType.STRING)) {
            bulk(call, (StringValue) entry.value());
        }
    }

    private static void getdel(final Call call) {
        final Entry entry = call.write(1);
        if (entry == null) {
            call.reply().nullBulk();
        } else if (!call.isWrongType(entry, ValueType.STRING)) {
            bulk(call, (StringValue) entry.value());
            call.delete(entry);
        }
    }

    private static void mget(final Call call) {
        call.reply().array(call.count() - 1);
        for (int i = 1; i < call.count(); i++) {
            final Entry entry = call.read(i);
            if (entry == null || entry.value().type() != ValueType.STRING) {
                call.reply().nullBulk();
            } else {
                bulk(call, (StringValue) entry.value());
            }
        }
    }

    private static void mset(final Call call) {
        if ((call.count() & 1) == 0) {
            call.wrongNumberOfArguments();
            return;
        }
        setAll(call);
        call.reply().ok();
    }

    private static void msetnx(final Call call) {
        if ((call.count() & 1) == 0) {
            call.wrongNumberOfArguments();
            return;
        }
        for (int i = 1; i < call.count(); i += 2) {
            if (call.write(i) != null) {
                call.reply().integer(0);
                return;
            }
        }
        setAll(call);
        call.reply().integer(1);
    }

    private static void setAll(final Call call) {
        for (int i = 1; i < call.count(); i += 2) {
            final Entry entry = SetCommand.store(call, i, call.write(i), i + 1, Entry.NEVER, false);
            call.modified(entry, EventClass.STRING, "set");
        }
    }

    private static void append(final Call call) {
        Entry entry = call.write(1);
        if (call.isWrongType(entry, ValueType.STRING)) {
            return;
        }
        if (entry == null) {
            entry = call.add(1, StringValue.of(call.address(2), call.length(2)));
        } else {
            final StringValue value = (StringValue) entry.value();
            if ((long) value.length() + call.length(2) > LONGEST) {
                call.error(Errors.TOO_LONG);
                return;
            }
            value.append(call.address(2), call.length(2));
        }
        call.modified(entry, EventClass.STRING, "append");
        call.reply().integer(((StringValue) entry.value()).length());
    }

    private static void strlen(final Call call) {
        final Entry entry = call.read(1);
        if (!call.isWrongType(entry, ValueType.STRING)) {
            call.reply().integer(entry == null ? 0 : ((StringValue) entry.value()).length());
        }
    }

    private static void setrange(final Call call) {
        if (!call.integer(2)) {
            return;
        }
        final long offset = call.parsed();
        if (offset < 0) {
            call.error("ERR offset is out of range");
            return;
        }
        Entry entry = call.write(1);
        if (call.isWrongType(entry, ValueType.STRING)) {
            return;
        }
        final int length = call.length(3);
        if (length == 0) {
            call.reply().integer(entry == null ? 0 : ((StringValue) entry.value()).length());
            return;
        }
        if (offset > LONGEST || offset + length > LONGEST) {
            call.error(Errors.TOO_LONG);
            return;
        }
        if (entry == null) {
            final StringValue value = StringValue.of(new byte[(int) offset + length]);
            value.overwrite((int) offset, call.address(3), length);
            entry = call.add(1, value);
        } else {
            ((StringValue) entry.value()).overwrite((int) offset, call.address(3), length);
        }
        call.modified(entry, EventClass.STRING, "setrange");
        call.reply().integer(((StringValue) entry.value()).length());
    }

    private static void getrange(final Call call) {
        if (!call.args().parseLong(2)) {
            call.error(Errors.NOT_AN_INTEGER);
            return;
        }
        long start = call.parsed();
        if (!call.integer(3)) {
            return;
        }
        long end = call.parsed();
        final Entry entry = call.read(1);
        if (entry == null) {
            call.reply().bulkAscii("");
            return;
        }
        if (call.isWrongType(entry, ValueType.STRING)) {
            return;
        }
        final StringValue value = (StringValue) entry.value();
        final int length = value.length();
        if (start < 0 && end < 0 && start > end) {
            call.reply().bulkAscii("");
            return;
        }
        start = Math.max(0, start < 0 ? length + start : start);
        end = Math.min(length - 1L, Math.max(0, end < 0 ? length + end : end));
        if (start > end || length == 0) {
            call.reply().bulkAscii("");
            return;
        }
        final byte[] bytes = value.isNumber() ? value.toBytes() : value.array();
        final int count = (int) (end - start + 1);
        call.reply().bulkHeader(count);
        call.reply().buffer().append(bytes, (int) start, count);
        call.reply().bulkEnd();
    }
}
