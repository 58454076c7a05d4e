// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.keyspace.Entry;
import goblin.host.keyspace.StringValue;
import goblin.host.keyspace.ValueType;
import goblin.resp.ReplyWriter;
import java.util.ArrayList;
import java.util.List;

/** LCS: the longest common subsequence of two strings. */
final class LcsCommand {
    /** 256 MiB of table. */
    private static final long MOST_CELLS = 1L << 26;

    private LcsCommand() {}

    /** One run that is the same in both strings: inclusive ranges. */
    private record Match(int startA, int endA, int startB, int endB) {
        int length() {
            return endA - startA + 1;
        }
    }

    static void lcs(final Call call) {
        final Entry first = call.read(1);
        final Entry second = call.read(2);
        if (!isString(first) || !isString(second)) {
            call.error("ERR The specified keys must contain string values");
            return;
        }
        boolean onlyLength = false;
        boolean index = false;
        boolean withLength = false;
        long least = 0;
        for (int i = 3; i < call.count(); i++) {
            if (call.is(i, "LEN")) {
                onlyLength = true;
            } else if (call.is(i, "IDX")) {
                index = true;
            } else if (call.is(i, "WITHMATCHLEN")) {
                withLength = true;
            } else if (call.is(i, "MINMATCHLEN") && i + 1 < call.count()) {
                if (!call.integer(++i)) {
                    return;
                }
                least = Math.max(0, call.parsed());
            } else {
                call.syntaxError();
                return;
            }
        }
        if (onlyLength && index) {
            call.error("ERR If you want both the length and indexes, please just use IDX.");
            return;
        }
        final byte[] a = bytes(first);
        final byte[] b = bytes(second);
        if (a.length > 0 && b.length > 0 && (a.length + 1L) * (b.length + 1L) > MOST_CELLS) {
            call.error("ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
            return;
        }
        answer(call.reply(), a, b, onlyLength, index, withLength, least);
    }

    private static boolean isString(final Entry entry) {
        return entry == null || entry.value().type() == ValueType.STRING;
    }

    private static byte[] bytes(final Entry entry) {
        return entry == null ? new byte[0] : ((StringValue) entry.value()).toBytes();
    }

    private static void answer(
            final ReplyWriter reply,
            final byte[] a,
            final byte[] b,
            final boolean onlyLength,
            final boolean index,
            final boolean withLength,
            final long least) {
        final int[] table = table(a, b);
        final int length = table[table.length - 1];
        if (onlyLength) {
            reply.integer(length);
            return;
        }
        final byte[] common = new byte[length];
        final List<Match> matches = walk(a, b, table, common);
        if (!index) {
            reply.bulk(common);
            return;
        }
        matches.removeIf(match -> match.length() < least);
        reply.map(2);
        reply.bulkAscii("matches");
        reply.array(matches.size());
        for (final Match match : matches) {
            reply.array(withLength ? 3 : 2);
            range(reply, match.startA(), match.endA());
            range(reply, match.startB(), match.endB());
            if (withLength) {
                reply.integer(match.length());
            }
        }
        reply.bulkAscii("len");
        reply.integer(length);
    }

    private static void range(final ReplyWriter reply, final int start, final int end) {
        reply.array(2);
        reply.integer(start);
        reply.integer(end);
    }

    /** Row by row, one more each way than there are bytes; one 0 when either string is empty. */
    private static int[] table(final byte[] a, final byte[] b) {
        if (a.length == 0 || b.length == 0) {
            return new int[1];
        }
        final int width = b.length + 1;
        final int[] table = new int[(a.length + 1) * width];
        for (int i = 1; i <= a.length; i++) {
            final int row = i * width;
            for (int j = 1; j <= b.length; j++) {
                table[row + j] = a[i - 1] == b[j - 1]
                        ? table[row - width + j - 1] + 1
                        : Math.max(table[row - width + j], table[row + j - 1]);
            }
        }
        return table;
    }

    /** Walks back from the end; the runs come out last first, as Redis answers them. */
    private static List<Match> walk(final byte[] a, final byte[] b, final int[] table, final byte[] common) {
        final List<Match> matches = new ArrayList<>();
        final int width = b.length + 1;
        int at = common.length;
        int i = a.length;
        int j = b.length;
        int endA = -1;
        int endB = -1;
        while (i > 0 && j > 0) {
            if (a[i - 1] == b[j - 1]) {
                if (endA < 0) {
                    endA = i - 1;
                    endB = j - 1;
                }
                common[--at] = a[i - 1];
                i--;
                j--;
                continue;
            }
            if (endA >= 0) {
                matches.add(new Match(i, endA, j, endB));
                endA = -1;
            }
            if (table[(i - 1) * width + j] > table[i * width + j - 1]) {
                i--;
            } else {
                j--;
            }
        }
        if (endA >= 0) {
            matches.add(new Match(i, endA, j, endB));
        }
        return matches;
    }
}
