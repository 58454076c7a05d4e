// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.value.SetValue;
import goblin.host.value.SortedSetValue;

/** A sorted set, or a set seen as one whose members all have score 1. */
sealed interface ScoredSource {
    int size();

    byte[] member(int position);

    double score(int position);

    int find(byte[] member);

    static ScoredSource of(SetValue set) {
        return new Plain(set);
    }

    static ScoredSource of(SortedSetValue set) {
        return new Sorted(set);
    }

    /** A set. */
    record Plain(SetValue set) implements ScoredSource {
        @Override
        public int size() {
            return set.size();
        }

        @Override
        public byte[] member(int position) {
            return set.member(position);
        }

        @Override
        public double score(int position) {
            return 1;
        }

        @Override
        public int find(byte[] member) {
            return set.find(member);
        }
    }

    /** A sorted set. */
    record Sorted(SortedSetValue set) implements ScoredSource {
        @Override
        public int size() {
            return set.size();
        }

        @Override
        public byte[] member(int position) {
            return set.member(position);
        }

        @Override
        public double score(int position) {
            return set.score(position);
        }

        @Override
        public int find(byte[] member) {
            return set.find(member);
        }
    }
}
