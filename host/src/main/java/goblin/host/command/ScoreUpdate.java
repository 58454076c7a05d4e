// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.value.SortedSetValue;

/** The options of {@code ZADD} and {@code ZINCRBY}, and what they did. */
final class ScoreUpdate {
    int firstPair = 2;
    boolean onlyNew;
    boolean onlyExisting;
    boolean onlyGreater;
    boolean onlyLess;
    boolean countChanged;
    boolean increment;

    int added;
    int changed;
    /** Whether the last member was added, changed or found to have that score already. */
    boolean processed;
    /** The last member's score. */
    double score;

    static ScoreUpdate parse(Call call) {
        ScoreUpdate update = new ScoreUpdate();
        int i = 2;
        for (; i < call.count(); i++) {
            if (call.is(i, "NX")) {
                update.onlyNew = true;
            } else if (call.is(i, "XX")) {
                update.onlyExisting = true;
            } else if (call.is(i, "GT")) {
                update.onlyGreater = true;
            } else if (call.is(i, "LT")) {
                update.onlyLess = true;
            } else if (call.is(i, "CH")) {
                update.countChanged = true;
            } else if (call.is(i, "INCR")) {
                update.increment = true;
            } else {
                break;
            }
        }
        update.firstPair = i;
        return update;
    }

    void check(int pairs) {
        if (onlyNew && onlyExisting) {
            throw new Refusal("ERR XX and NX options at the same time are not compatible");
        }
        if ((onlyGreater && onlyNew) || (onlyLess && onlyNew) || (onlyGreater && onlyLess)) {
            throw new Refusal("ERR GT, LT, and/or NX options at the same time are not compatible");
        }
        if (increment && pairs > 1) {
            throw new Refusal("ERR INCR option supports a single increment-element pair");
        }
    }

    void apply(SortedSetValue set, Call call, int member, double given) {
        int position = set.find(call.address(member), call.length(member));
        processed = false;
        if (position < 0) {
            if (!onlyExisting) {
                set.append(call.bytes(member), given);
                score = given;
                processed = true;
                added++;
            }
            return;
        }
        double old = set.score(position);
        double wanted = increment ? old + given : given;
        if (Double.isNaN(wanted)) {
            throw new Refusal("ERR resulting score is not a number (NaN)");
        }
        if (onlyNew || (onlyGreater && wanted <= old) || (onlyLess && wanted >= old)) {
            return;
        }
        processed = true;
        score = wanted;
        if (wanted != old) {
            set.setScore(position, wanted);
            changed++;
        }
    }
}
