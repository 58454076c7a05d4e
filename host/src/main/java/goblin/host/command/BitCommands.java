// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.integer;

import goblin.host.command.Bits.Operation;
import goblin.host.keyspace.Entry;
import goblin.host.keyspace.StringValue;
import goblin.host.keyspace.ValueType;

/** Strings as arrays of bits. {@code BITFIELD} is in {@link BitFields}. */
final class BitCommands {
    /** A string may have 512 MiB. */
    static final long MOST_BITS = 1L << 32;

    private static final byte[] EMPTY = {};
    private static final String BAD_OFFSET = "ERR bit offset is not an integer or out of range";
    private static final String BAD_BIT = "ERR bit is not an integer or out of range";

    private BitCommands() {}

    static void register(CommandTable table) {
        add(table, "SETBIT", 4, BitCommands::set, "2.2.0", Flag.WRITE, Flag.DENYOOM);
        add(table, "GETBIT", 3, BitCommands::get, "2.2.0", Flag.READONLY, Flag.FAST);
        add(table, "BITCOUNT", -2, BitCommands::count, "2.6.0", Flag.READONLY);
        add(table, "BITPOS", -3, BitCommands::find, "2.8.7", Flag.READONLY);
        table.add("BITOP", -4, Refusal.answered(BitCommands::combine), Flag.WRITE, Flag.DENYOOM)
                .keys(2, -1, 1)
                .group("bitmap", "2.6.0");
        BitFields.register(table);
    }

    static void add(CommandTable table, String name, int arity, Command command, String since, Flag... flags) {
        table.add(name, arity, Refusal.answered(command), flags).keys(1, 1, 1).group("bitmap", since);
    }

    /** The string of an entry; null for no entry. */
    static StringValue string(Entry entry) {
        if (entry == null) {
            return null;
        }
        if (entry.value().type() != ValueType.STRING) {
            throw Refusal.wrongType();
        }
        return (StringValue) entry.value();
    }

    /** The bytes of a string for reading; may be longer than its length. */
    static byte[] bytes(StringValue value) {
        if (value == null) {
            return EMPTY;
        }
        return value.isNumber() ? value.toBytes() : value.array();
    }

    static int length(StringValue value) {
        return value == null ? 0 : value.length();
    }

    /** Makes room for bits up to one and answers the bytes; the key comes into being when it is missing. */
    static byte[] mutable(Call call, Entry entry, long lastBit) {
        StringValue value = entry == null ? StringValue.of(EMPTY) : string(entry);
        byte[] data = value.mutable((int) (lastBit >>> 3) + 1);
        if (entry == null) {
            call.add(1, value);
        }
        return data;
    }

    private static long offset(Call call, int index) {
        long offset = integer(call, index, 0, BAD_OFFSET);
        if (offset >= MOST_BITS) {
            throw new Refusal(BAD_OFFSET);
        }
        return offset;
    }

    private static void set(Call call) {
        long bit = offset(call, 2);
        long value = integer(call, 3, 0, BAD_BIT);
        if (value > 1) {
            throw new Refusal(BAD_BIT);
        }
        Entry entry = call.write(1);
        boolean grows = grows(entry, bit);
        byte[] data = mutable(call, entry, bit);
        int old = Bits.get(data, data.length, bit);
        if (grows || old != value) {
            Bits.set(data, bit, (int) value);
            call.modified(entry == null ? call.write(1) : entry, EventClass.STRING, "setbit");
        }
        call.reply().integer(old);
    }

    /** Whether a string must become longer to hold a bit. */
    static boolean grows(Entry entry, long lastBit) {
        return lastBit >>> 3 >= length(string(entry));
    }

    private static void get(Call call) {
        long bit = offset(call, 2);
        StringValue value = string(call.read(1));
        call.reply().integer(Bits.get(bytes(value), length(value), bit));
    }

    private static boolean isInBits(Call call, int index) {
        if (call.count() <= index) {
            return false;
        }
        if (call.is(index, "BIT")) {
            return true;
        }
        if (call.is(index, "BYTE")) {
            return false;
        }
        throw Refusal.syntax();
    }

    private static void count(Call call) {
        if (call.count() > 5) {
            throw Refusal.syntax();
        }
        long first = call.count() > 2 ? integer(call, 2) : 0;
        long last = call.count() > 3 ? integer(call, 3) : -1;
        boolean inBits = isInBits(call, 4);
        StringValue value = string(call.read(1));
        long units = inBits ? 8L * length(value) : length(value);
        if (first < 0 && last < 0 && first > last) {
            call.reply().integer(0);
            return;
        }
        long from = Math.max(0, first < 0 ? first + units : first);
        long to = Math.min(units - 1, Math.max(0, last < 0 ? last + units : last));
        if (units == 0 || from > to) {
            call.reply().integer(0);
        } else {
            call.reply().integer(Bits.count(bytes(value), inBits ? from : from * 8, inBits ? to : to * 8 + 7));
        }
    }

    private static void find(Call call) {
        long wanted = integer(call, 2);
        if (wanted < 0 || wanted > 1) {
            throw new Refusal("ERR The bit argument must be 1 or 0.");
        }
        if (call.count() > 6) {
            throw Refusal.syntax();
        }
        boolean inBits = isInBits(call, 5);
        long first = call.count() > 3 ? integer(call, 3) : 0;
        boolean isEnded = call.count() > 4;
        long last = isEnded ? integer(call, 4) : -1;
        Entry entry = call.read(1);
        StringValue value = string(entry);
        if (value == null) {
            call.reply().integer(wanted == 1 ? -1 : 0);
            return;
        }
        long units = inBits ? 8L * value.length() : value.length();
        long from = Math.max(0, first < 0 ? first + units : first);
        long to = Math.min(units - 1, Math.max(0, last < 0 ? last + units : last));
        if (units == 0 || from > to) {
            call.reply().integer(-1);
            return;
        }
        long found = Bits.find(bytes(value), inBits ? from : from * 8, inBits ? to : to * 8 + 7, (int) wanted);
        // Without an end the string counts as followed by zeros.
        call.reply().integer(found < 0 && wanted == 0 && !isEnded ? 8L * value.length() : found);
    }

    private static void combine(Call call) {
        Operation operation = operation(call);
        if (operation == Operation.NOT && call.count() != 4) {
            throw new Refusal("ERR BITOP NOT must be called with a single source key.");
        }
        byte[][] sources = new byte[call.count() - 3][];
        for (int i = 0; i < sources.length; i++) {
            StringValue value = string(call.read(3 + i));
            sources[i] = value == null ? null : value.toBytes();
        }
        byte[] result = Bits.combine(operation, sources);
        StringValue value = StringValue.of(EMPTY);
        System.arraycopy(result, 0, value.mutable(result.length), 0, result.length);
        CollectionKeys.store(call, 2, result.length == 0 ? null : value, EventClass.STRING, "set");
        call.reply().integer(result.length);
    }

    private static Operation operation(Call call) {
        for (Operation operation : Operation.values()) {
            if (call.is(1, operation.name())) {
                return operation;
            }
        }
        throw Refusal.syntax();
    }
}
