// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.value.SkipList;
import goblin.net.linux.Memory;
import java.util.Arrays;

/** A range of members of equal score: {@code [a}, {@code (a}, {@code -} and {@code +}. */
final class LexRange implements MemberRange {
    private final End low;
    private final End high;

    private LexRange(End low, End high) {
        this.low = low;
        this.high = high;
    }

    private enum Kind {
        FIRST,
        INSIDE,
        OUTSIDE,
        LAST
    }

    private static final class End {
        private final Kind kind;
        private final byte[] member;

        End(Kind kind, byte[] member) {
            this.kind = kind;
            this.member = member;
        }

        /** Below zero when the member lies before this end. */
        int compare(byte[] other) {
            return switch (kind) {
                case FIRST -> 1;
                case LAST -> -1;
                case INSIDE, OUTSIDE -> Arrays.compareUnsigned(other, member);
            };
        }
    }

    /**
     * Reads both ends.
     *
     * @return the range, or null when an end is not written as one
     */
    static LexRange parse(long lowAddress, int lowLength, long highAddress, int highLength) {
        End low = parse(lowAddress, lowLength);
        End high = parse(highAddress, highLength);
        return low == null || high == null ? null : new LexRange(low, high);
    }

    private static End parse(long address, int length) {
        if (length == 0) {
            return null;
        }
        byte sign = Memory.getByte(address);
        return switch (sign) {
            case '-' -> length == 1 ? new End(Kind.FIRST, null) : null;
            case '+' -> length == 1 ? new End(Kind.LAST, null) : null;
            case '[' -> new End(Kind.INSIDE, Memory.toBytes(address + 1, length - 1));
            case '(' -> new End(Kind.OUTSIDE, Memory.toBytes(address + 1, length - 1));
            default -> null;
        };
    }

    @Override
    public boolean isStarted(SkipList.Node node) {
        int side = low.compare(node.member());
        return side > 0 || (side == 0 && low.kind != Kind.OUTSIDE);
    }

    @Override
    public boolean isPassed(SkipList.Node node) {
        int side = high.compare(node.member());
        return side > 0 || (side == 0 && high.kind == Kind.OUTSIDE);
    }
}
