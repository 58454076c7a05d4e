// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.integer;
import static goblin.host.command.CollectionKeys.symmetric;

import goblin.host.value.ListValue;

/** {@code LPOS}: where an element stands in a list. */
final class ListPositions {
    private ListPositions() {}

    static void find(Call call) {
        long rank = 1;
        long count = -1;
        long most = 0;
        for (int i = 3; i < call.count(); i += 2) {
            if (i + 1 == call.count()) {
                throw Refusal.syntax();
            }
            if (call.is(i, "RANK")) {
                rank = symmetric(call, i + 1);
                if (rank == 0) {
                    throw new Refusal("ERR RANK can't be zero: use 1 to start from the first match, 2 from the second"
                            + " ... or use negative to start from the end of the list");
                }
            } else if (call.is(i, "COUNT")) {
                count = integer(call, i + 1, 0, "ERR COUNT can't be negative");
            } else if (call.is(i, "MAXLEN")) {
                most = integer(call, i + 1, 0, "ERR MAXLEN can't be negative");
            } else {
                throw Refusal.syntax();
            }
        }
        ListValue list = CollectionKeys.list(call.read(1));
        if (count < 0) {
            answerFirst(call, list, rank, most);
        } else {
            answerAll(call, list, rank, count, most);
        }
    }

    private static void answerFirst(Call call, ListValue list, long rank, long most) {
        long[] found = new long[1];
        if (list != null && search(call, list, rank, 1, most, found) == 1) {
            call.reply().integer(found[0]);
        } else {
            call.reply().nullBulk();
        }
    }

    private static void answerAll(Call call, ListValue list, long rank, long count, long most) {
        if (list == null) {
            call.reply().array(0);
            return;
        }
        long wanted = count == 0 ? list.size() : Math.min(count, list.size());
        long[] found = new long[(int) wanted];
        int matches = search(call, list, rank, wanted, most, found);
        call.reply().array(matches);
        for (int i = 0; i < matches; i++) {
            call.reply().integer(found[i]);
        }
    }

    private static int search(Call call, ListValue list, long rank, long wanted, long most, long[] found) {
        int size = list.size();
        long compared = most == 0 ? size : Math.min(most, size);
        long skipped = Math.abs(rank) - 1;
        int matches = 0;
        for (int i = 0; i < compared && matches < wanted; i++) {
            int index = rank > 0 ? i : size - 1 - i;
            if (list.equalAt(index, call.address(2), call.length(2)) && skipped-- <= 0) {
                found[matches++] = index;
            }
        }
        return matches;
    }
}
