// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.command.Bits.Overflow;
import goblin.host.keyspace.Entry;
import goblin.host.keyspace.StringValue;
import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;

/** {@code BITFIELD}: numbers of 1 to 64 bits anywhere in a string. */
final class BitFields {
    private static final String BAD_TYPE =
            "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.";
    private static final String BAD_OFFSET = "ERR bit offset is not an integer or out of range";

    private BitFields() {}

    private enum Action {
        GET,
        SET,
        INCRBY
    }

    private record Step(Action action, boolean signed, int bits, long offset, long operand, Overflow overflow) {}

    static void register(CommandTable table) {
        BitCommands.add(table, "BITFIELD", -2, call -> run(call, false), "3.2.0", Flag.WRITE, Flag.DENYOOM);
        BitCommands.add(table, "BITFIELD_RO", -2, call -> run(call, true), "6.0.0", Flag.READONLY, Flag.FAST);
    }

    private static List<Step> parse(Call call) {
        List<Step> steps = new ArrayList<>();
        Overflow overflow = Overflow.WRAP;
        int i = 2;
        while (i < call.count()) {
            int rest = call.count() - i - 1;
            if (call.is(i, "OVERFLOW") && rest >= 1) {
                overflow = overflow(call, i + 1);
                i += 2;
                continue;
            }
            Action action = action(call, i, rest);
            boolean signed = isSigned(call, i + 1);
            int bits = bits(call, i + 1, signed);
            long offset = offset(call, i + 2, bits);
            long operand = action == Action.GET ? 0 : CollectionKeys.integer(call, i + 3);
            steps.add(new Step(action, signed, bits, offset, operand, overflow));
            i += action == Action.GET ? 3 : 4;
        }
        return steps;
    }

    private static Action action(Call call, int i, int rest) {
        for (Action action : Action.values()) {
            if (call.is(i, action.name()) && rest >= (action == Action.GET ? 2 : 3)) {
                return action;
            }
        }
        throw Refusal.syntax();
    }

    private static Overflow overflow(Call call, int i) {
        for (Overflow overflow : Overflow.values()) {
            if (call.is(i, overflow.name())) {
                return overflow;
            }
        }
        throw new Refusal("ERR Invalid OVERFLOW type specified");
    }

    private static boolean isSigned(Call call, int i) {
        byte letter = call.length(i) == 0 ? 0 : Memory.getByte(call.address(i));
        if (letter != 'i' && letter != 'u') {
            throw new Refusal(BAD_TYPE);
        }
        return letter == 'i';
    }

    private static int bits(Call call, int i, boolean signed) {
        long bits = Numbers.parseSmall(call.address(i) + 1, call.length(i) - 1);
        if (bits < 1 || bits > (signed ? 64 : 63)) {
            throw new Refusal(BAD_TYPE);
        }
        return (int) bits;
    }

    private static long offset(Call call, int i, int bits) {
        boolean counted = call.length(i) > 0 && Memory.getByte(call.address(i)) == '#';
        int skipped = counted ? 1 : 0;
        long offset = Numbers.parseSmall(call.address(i) + skipped, call.length(i) - skipped);
        if (offset < 0) {
            throw new Refusal(BAD_OFFSET);
        }
        long first = counted ? offset * bits : offset;
        if (first + bits - 1 >= BitCommands.MOST_BITS) {
            throw new Refusal(BAD_OFFSET);
        }
        return first;
    }

    private static void run(Call call, boolean readOnly) {
        List<Step> steps = parse(call);
        long lastWritten = -1;
        for (Step step : steps) {
            if (step.action != Action.GET) {
                if (readOnly) {
                    throw new Refusal("ERR BITFIELD_RO only supports the GET subcommand");
                }
                lastWritten = Math.max(lastWritten, step.offset + step.bits - 1);
            }
        }
        if (lastWritten < 0) {
            StringValue value = BitCommands.string(call.read(1));
            call.reply().array(steps.size());
            for (Step step : steps) {
                call.reply().integer(read(step, BitCommands.bytes(value), BitCommands.length(value)));
            }
            return;
        }
        Entry entry = call.write(1);
        boolean grows = BitCommands.grows(entry, lastWritten);
        byte[] data = BitCommands.mutable(call, entry, lastWritten);
        int changes = 0;
        call.reply().array(steps.size());
        for (Step step : steps) {
            changes += apply(call, step, data, grows) ? 1 : 0;
        }
        Entry changed = entry == null ? call.write(1) : entry;
        if (changes > 0) {
            CollectionKeys.changed(call, changed, EventClass.STRING, "setbit", changes);
        }
    }

    private static long read(Step step, byte[] data, int length) {
        return step.signed
                ? Bits.signedField(data, length, step.offset, step.bits)
                : Bits.field(data, length, step.offset, step.bits);
    }

    /** Runs a step, answers it and says whether it changed something; a string that grew has changed anyway. */
    private static boolean apply(Call call, Step step, byte[] data, boolean grows) {
        long old = read(step, data, data.length);
        if (step.action == Action.GET) {
            call.reply().integer(old);
            return false;
        }
        boolean isIncrement = step.action == Action.INCRBY;
        long base = isIncrement ? old : step.operand;
        long by = isIncrement ? step.operand : 0;
        int side = step.signed ? Bits.signedOverflow(base, by, step.bits) : Bits.unsignedOverflow(base, by, step.bits);
        if (side != 0 && step.overflow == Overflow.FAIL) {
            call.reply().nullBulk();
            return false;
        }
        long value = side != 0 && step.overflow == Overflow.SAT ? Bits.limit(step.signed, step.bits, side) : base + by;
        Bits.setField(data, step.offset, step.bits, value);
        long now = read(step, data, data.length);
        call.reply().integer(isIncrement ? now : old);
        return grows || now != old;
    }
}
