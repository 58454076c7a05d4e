// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.DENYOOM;
import static goblin.host.command.Flag.FAST;
import static goblin.host.command.Flag.WRITE;

import goblin.host.keyspace.Entry;
import goblin.host.keyspace.StringValue;
import goblin.host.keyspace.ValueType;
import goblin.net.NativeBuffer;
import goblin.resp.Real;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/** Strings that are counted with. */
final class NumberCommands {
    private static final int DECIMALS = 17;

    private NumberCommands() {}

    static void register(final CommandTable table) {
        table.add("incr", 2, call -> add(call, 1), WRITE, DENYOOM, FAST)
                .keys(1, 1, 1)
                .group("string", "1.0.0");
        table.add("decr", 2, call -> add(call, -1), WRITE, DENYOOM, FAST)
                .keys(1, 1, 1)
                .group("string", "1.0.0");
        table.add("incrby", 3, NumberCommands::incrby, WRITE, DENYOOM, FAST)
                .keys(1, 1, 1)
                .group("string", "1.0.0");
        table.add("decrby", 3, NumberCommands::decrby, WRITE, DENYOOM, FAST)
                .keys(1, 1, 1)
                .group("string", "1.0.0");
        table.add("incrbyfloat", 3, NumberCommands::incrbyfloat, WRITE, DENYOOM, FAST)
                .keys(1, 1, 1)
                .group("string", "2.6.0");
    }

    private static void incrby(final Call call) {
        if (call.integer(2)) {
            add(call, call.parsed());
        }
    }

    private static void decrby(final Call call) {
        if (!call.integer(2)) {
            return;
        }
        if (call.parsed() == Long.MIN_VALUE) {
            call.error("ERR decrement would overflow");
            return;
        }
        add(call, -call.parsed());
    }

    private static void add(final Call call, final long by) {
        Entry entry = call.write(1);
        if (call.isWrongType(entry, ValueType.STRING)) {
            return;
        }
        final StringValue value = entry == null ? null : (StringValue) entry.value();
        if (value != null && !isNumber(value)) {
            call.error(Errors.NOT_AN_INTEGER);
            return;
        }
        final long old = value == null ? 0 : value.number();
        final long sum = old + by;
        if (((old ^ sum) & (by ^ sum)) < 0) {
            call.error("ERR increment or decrement would overflow");
            return;
        }
        if (value == null) {
            entry = call.add(1, StringValue.of(sum));
        } else {
            value.setNumber(sum);
        }
        call.modified(entry, EventClass.STRING, "incrby");
        call.reply().integer(sum);
    }

    /** A value that was built by APPEND or SETRANGE may be a number without being kept as one. */
    private static boolean isNumber(final StringValue value) {
        if (value.isNumber()) {
            return true;
        }
        if (value.length() > 20) {
            return false;
        }
        final StringValue again = StringValue.of(value.toBytes());
        if (!again.isNumber()) {
            return false;
        }
        value.setNumber(again.number());
        return true;
    }

    private static void incrbyfloat(final Call call) {
        Entry entry = call.write(1);
        if (call.isWrongType(entry, ValueType.STRING)) {
            return;
        }
        final double by = Real.parse(call.address(2), call.length(2));
        if (Double.isNaN(by)) {
            call.error(Errors.NOT_A_FLOAT);
            return;
        }
        BigDecimal old = BigDecimal.ZERO;
        boolean finite = Double.isFinite(by);
        if (entry != null) {
            final byte[] bytes = ((StringValue) entry.value()).toBytes();
            final String text = new String(bytes, StandardCharsets.ISO_8859_1);
            final double number = parse(bytes);
            if (Double.isNaN(number)) {
                call.error(Errors.NOT_A_FLOAT);
                return;
            }
            finite &= Double.isFinite(number);
            old = finite ? decimal(text, number) : BigDecimal.ZERO;
        }
        if (!finite) {
            call.error("ERR increment would produce NaN or Infinity");
            return;
        }
        final String sum = text(old.add(decimal(call.args().text(2), by)));
        final StringValue value = StringValue.of(sum.getBytes(StandardCharsets.ISO_8859_1));
        if (entry == null) {
            entry = call.add(1, value);
        } else {
            call.keyspace().replace(entry, value);
        }
        call.modified(entry, EventClass.STRING, "incrbyfloat");
        call.reply().bulkAscii(sum);
    }

    private static double parse(final byte[] bytes) {
        final NativeBuffer text = new NativeBuffer();
        try {
            text.append(bytes);
            return Real.parse(text.address(), bytes.length);
        } finally {
            text.free();
        }
    }

    /** Exact decimal arithmetic, because 0.1 added ten times should be 1; a hexadecimal number is what it parsed to. */
    static BigDecimal decimal(final String text, final double parsed) {
        try {
            return new BigDecimal(text);
        } catch (final NumberFormatException e) {
            return new BigDecimal(parsed);
        }
    }

    /** At most 17 decimals, no zeros at the end, no exponent. */
    static String text(final BigDecimal number) {
        final BigDecimal rounded = number.setScale(DECIMALS, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
