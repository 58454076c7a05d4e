// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.value.SkipList;
import goblin.net.linux.Memory;

/** A range of scores, each end inside or outside ({@code (1.5}); for commands that take one. */
final class ScoreRange implements MemberRange {
    private final double low;
    private final boolean lowOutside;
    private final double high;
    private final boolean highOutside;

    private ScoreRange(double low, boolean lowOutside, double high, boolean highOutside) {
        this.low = low;
        this.lowOutside = lowOutside;
        this.high = high;
        this.highOutside = highOutside;
    }

    /**
     * Reads both ends.
     *
     * @return the range, or null when an end is no float
     */
    static ScoreRange parse(long lowAddress, int lowLength, long highAddress, int highLength) {
        boolean lowOutside = isOutside(lowAddress, lowLength);
        boolean highOutside = isOutside(highAddress, highLength);
        double low = parse(lowAddress, lowLength, lowOutside);
        double high = parse(highAddress, highLength, highOutside);
        return Double.isNaN(low) || Double.isNaN(high) ? null : new ScoreRange(low, lowOutside, high, highOutside);
    }

    private static boolean isOutside(long address, int length) {
        return length > 0 && Memory.getByte(address) == '(';
    }

    private static double parse(long address, int length, boolean outside) {
        int skipped = outside ? 1 : 0;
        return Numbers.parseDouble(address + skipped, length - skipped);
    }

    @Override
    public boolean isStarted(SkipList.Node node) {
        return lowOutside ? node.score() > low : node.score() >= low;
    }

    @Override
    public boolean isPassed(SkipList.Node node) {
        return highOutside ? node.score() >= high : node.score() > high;
    }
}
