// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.fromStart;
import static goblin.host.command.CollectionKeys.integer;

import goblin.host.value.SkipList;
import goblin.host.value.SortedSetValue;

/** A range of a sorted set as commands ask for it, first parsed, then resolved to ranks of one set. */
final class RangeQuery {
    private By by;
    private boolean reverse;
    private boolean withScores;
    private long offset;
    private long limit = -1;
    private boolean hasLimit;
    private long firstRank;
    private long lastRank;
    private MemberRange range;
    private long from;
    private int size;

    private RangeQuery() {}

    /** What the ends of a range mean. */
    enum By {
        RANK,
        SCORE,
        LEX
    }

    /**
     * What a command's name says already.
     *
     * @param by null when options say it ({@code ZRANGE})
     * @param reverse whether it goes from the highest down
     * @param isOpen whether options may name order and kind
     */
    record Form(By by, boolean reverse, boolean isOpen) {}

    /**
     * Reads ends and options.
     *
     * @param low place of the first end
     * @param isStore whether scores are no option
     */
    static RangeQuery parse(Call call, int low, Form form, boolean isStore) {
        RangeQuery query = new RangeQuery();
        query.by = form.by();
        query.reverse = form.reverse();
        for (int i = low + 2; i < call.count(); i++) {
            i += query.parseOption(call, i, form, isStore);
        }
        query.by = query.by == null ? By.RANK : query.by;
        if (query.hasLimit && query.limit != -1 && query.by == By.RANK) {
            throw new Refusal("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
        }
        if (query.withScores && query.by == By.LEX) {
            throw new Refusal("ERR syntax error, WITHSCORES not supported in combination with BYLEX");
        }
        query.parseEnds(call, low);
        return query;
    }

    /** Reads the option at a place and answers how many words it takes beside its name. */
    private int parseOption(Call call, int i, Form form, boolean isStore) {
        if (!isStore && call.is(i, "WITHSCORES")) {
            withScores = true;
        } else if (call.is(i, "LIMIT") && call.count() - i > 2) {
            offset = integer(call, i + 1);
            limit = integer(call, i + 2);
            hasLimit = true;
            return 2;
        } else if (form.isOpen() && call.is(i, "REV")) {
            reverse = true;
        } else if (form.isOpen() && by == null && call.is(i, "BYSCORE")) {
            by = By.SCORE;
        } else if (form.isOpen() && by == null && call.is(i, "BYLEX")) {
            by = By.LEX;
        } else {
            throw Refusal.syntax();
        }
        return 0;
    }

    private void parseEnds(Call call, int first) {
        if (by == By.RANK) {
            firstRank = integer(call, first);
            lastRank = integer(call, first + 1);
            return;
        }
        int low = reverse ? first + 1 : first;
        int high = reverse ? first : first + 1;
        if (by == By.SCORE) {
            range = ScoreRange.parse(call.address(low), call.length(low), call.address(high), call.length(high));
        } else {
            range = LexRange.parse(call.address(low), call.length(low), call.address(high), call.length(high));
        }
        if (range == null) {
            throw new Refusal(
                    by == By.SCORE ? "ERR min or max is not a float" : "ERR min or max not valid string range item");
        }
    }

    boolean withScores() {
        return withScores;
    }

    /** Finds the ranks this range means in a set. */
    void resolve(SortedSetValue set) {
        int all = set.size();
        long low;
        long high;
        if (range == null) {
            long first = Math.max(fromStart(firstRank, all), 0);
            long last = Math.min(fromStart(lastRank, all), all - 1L);
            low = reverse ? all - 1 - last : first;
            high = reverse ? all - first : last + 1;
        } else {
            low = set.order().countBefore(range::isStarted);
            high = set.order().countBefore(range::isPassed);
        }
        long found = Math.max(high - low, 0);
        long skipped = offset < 0 ? found : Math.min(offset, found);
        long left = found - skipped;
        size = (int) (limit < 0 ? left : Math.min(limit, left));
        from = reverse ? high - 1 - skipped : low + skipped;
    }

    /** How many members the resolved range has. */
    int size() {
        return size;
    }

    SkipList.Node first(SortedSetValue set) {
        return size == 0 ? null : set.order().at(from);
    }

    SkipList.Node next(SkipList.Node node) {
        return reverse ? node.previous() : node.next();
    }
}
