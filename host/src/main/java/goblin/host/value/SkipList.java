// SPDX-License-Identifier: Apache-2.0
package goblin.host.value;

import java.util.Arrays;

/**
 * An ordered list of (score, member) with ranks: every forward link knows how many nodes it passes. Insertion, removal,
 * rank and the ends of ranges take logarithmic time. Owned by one thread.
 */
public final class SkipList {
    private static final int MAXIMUM_LEVEL = 32;

    private final Node head = new Node(null, 0, MAXIMUM_LEVEL);
    private final Node[] path = new Node[MAXIMUM_LEVEL];
    private final int[] ranks = new int[MAXIMUM_LEVEL];
    private Node tail;
    private int level = 1;
    private int size;
    // xorshift: levels need no quality, only independence of the input.
    private long random = System.nanoTime() | 1;

    SkipList() {}

    /** A member in its place. */
    public static final class Node {
        private final byte[] member;
        private final Node[] next;
        private final int[] span;
        private double score;
        private Node previous;

        Node(byte[] member, double score, int levels) {
            this.member = member;
            this.score = score;
            next = new Node[levels];
            span = new int[levels];
        }

        /**
         * Returns the member.
         *
         * @return the bytes themselves, no copy
         */
        public byte[] member() {
            return member;
        }

        /**
         * Returns the score.
         *
         * @return never NaN
         */
        public double score() {
            return score;
        }

        void setScore(double newScore) {
            score = newScore;
        }

        /**
         * Returns the next higher node.
         *
         * @return null at the end
         */
        public Node next() {
            return next[0];
        }

        /**
         * Returns the next lower node.
         *
         * @return null at the beginning
         */
        public Node previous() {
            return previous;
        }
    }

    /**
     * Returns the lowest node.
     *
     * @return null when empty
     */
    public Node first() {
        return head.next[0];
    }

    /**
     * Returns the highest node.
     *
     * @return null when empty
     */
    public Node last() {
        return tail;
    }

    /**
     * Returns the number of nodes.
     *
     * @return nodes
     */
    public int size() {
        return size;
    }

    Node insert(double score, byte[] member) {
        Node before = head;
        for (int i = level - 1; i >= 0; i--) {
            ranks[i] = i == level - 1 ? 0 : ranks[i + 1];
            while (before.next[i] != null && isBelow(before.next[i], score, member)) {
                ranks[i] += before.span[i];
                before = before.next[i];
            }
            path[i] = before;
        }
        int levels = randomLevel();
        for (; level < levels; level++) {
            ranks[level] = 0;
            path[level] = head;
            head.span[level] = size;
        }
        Node node = new Node(member, score, levels);
        for (int i = 0; i < levels; i++) {
            node.next[i] = path[i].next[i];
            path[i].next[i] = node;
            node.span[i] = path[i].span[i] - (ranks[0] - ranks[i]);
            path[i].span[i] = ranks[0] - ranks[i] + 1;
        }
        for (int i = levels; i < level; i++) {
            path[i].span[i]++;
        }
        node.previous = path[0] == head ? null : path[0];
        if (node.next[0] == null) {
            tail = node;
        } else {
            node.next[0].previous = node;
        }
        size++;
        Arrays.fill(path, 0, level, null);
        return node;
    }

    void remove(Node node) {
        Node before = head;
        for (int i = level - 1; i >= 0; i--) {
            while (before.next[i] != null && isBelow(before.next[i], node.score, node.member)) {
                before = before.next[i];
            }
            if (before.next[i] == node) {
                before.span[i] += node.span[i] - 1;
                before.next[i] = node.next[i];
            } else {
                before.span[i]--;
            }
        }
        if (node.next[0] == null) {
            tail = node.previous;
        } else {
            node.next[0].previous = node.previous;
        }
        while (level > 1 && head.next[level - 1] == null) {
            level--;
        }
        size--;
    }

    /** Says whether a node would keep its neighbours under another score. */
    boolean staysInPlace(Node node, double score) {
        return (node.previous == null || isBelow(node.previous, score, node.member))
                && (node.next[0] == null || !isBelow(node.next[0], score, node.member));
    }

    int rank(Node node) {
        int rank = 0;
        Node before = head;
        for (int i = level - 1; i >= 0; i--) {
            while (before.next[i] != null
                    && (before.next[i] == node || isBelow(before.next[i], node.score, node.member))) {
                rank += before.span[i];
                before = before.next[i];
            }
            if (before == node) {
                return rank - 1;
            }
        }
        throw new IllegalStateException("node of another list");
    }

    /**
     * Returns the node of a rank.
     *
     * @param rank 0 for the lowest
     * @return null outside 0 … size - 1
     */
    public Node at(long rank) {
        if (rank < 0 || rank >= size) {
            return null;
        }
        long left = rank + 1;
        Node node = head;
        for (int i = level - 1; i >= 0; i--) {
            while (node.next[i] != null && node.span[i] <= left) {
                left -= node.span[i];
                node = node.next[i];
            }
        }
        return node;
    }

    /** A question that is false for the lowest nodes and true from some node on. */
    public interface Bound {
        /**
         * Asks about a node.
         *
         * @param node a node of the list
         * @return true when the node lies at or after the bound
         */
        boolean reached(Node node);
    }

    /**
     * Returns the number of nodes before a bound, which is the rank of the first node that reached it.
     *
     * @param bound the question
     * @return 0 … size
     */
    public int countBefore(Bound bound) {
        int rank = 0;
        Node node = head;
        for (int i = level - 1; i >= 0; i--) {
            while (node.next[i] != null && !bound.reached(node.next[i])) {
                rank += node.span[i];
                node = node.next[i];
            }
        }
        return rank;
    }

    private static boolean isBelow(Node node, double score, byte[] member) {
        return node.score < score || (node.score == score && Arrays.compareUnsigned(node.member, member) < 0);
    }

    private int randomLevel() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        int levels = 1;
        // Two bits a level: one node in four rises. 31 steps at most leave bits to draw from.
        for (long bits = random; levels < MAXIMUM_LEVEL && (bits & 3) == 0; bits >>>= 2) {
            levels++;
        }
        return levels;
    }
}
