// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.Locale;

/**
 * One figure of a case: what it is called, and what it should be.
 *
 * @param name          as the table shows it, with its unit
 * @param lowerIsBetter whether less is better
 * @param kind          what the aim is compared with
 * @param aim           the bound to reach; of no meaning without one
 */
record Metric(String name, boolean lowerIsBetter, Kind kind, double aim) {
    /** What an aim bounds. */
    enum Kind {
        /** There is no aim. */
        NONE,
        /** Our figure divided by that of the one we compare with. */
        RATIO,
        /** Our figure itself. */
        FIGURE
    }

    /** A latency, a size: the less, the better. */
    static Metric lower(final String name) {
        return new Metric(name, true, Kind.NONE, 0);
    }

    /** A rate: the more, the better. */
    static Metric higher(final String name) {
        return new Metric(name, false, Kind.NONE, 0);
    }

    /** The same, with a bound for the ratio. */
    Metric aimRatio(final double bound) {
        return new Metric(name, lowerIsBetter, Kind.RATIO, bound);
    }

    /** The same, with a bound for our own figure. */
    Metric aimFigure(final double bound) {
        return new Metric(name, lowerIsBetter, Kind.FIGURE, bound);
    }

    /** The same without a bound. */
    Metric withoutAim() {
        return new Metric(name, lowerIsBetter, Kind.NONE, 0);
    }

    /** The aim and whether it is reached, as text; empty without an aim. */
    String verdict(final double figure, final double ratio) {
        if (kind == Kind.NONE) {
            return "";
        }
        final double reached = kind == Kind.RATIO ? ratio : figure;
        final boolean met = lowerIsBetter ? reached <= aim : reached >= aim;
        return aimText() + (met ? " met" : " MISSED");
    }

    /** The aim alone. */
    String aimText() {
        return switch (kind) {
            case NONE -> "";
            case RATIO -> (lowerIsBetter ? "≤ " : "≥ ") + plain(aim) + "×";
            case FIGURE -> (lowerIsBetter ? "≤ " : "≥ ") + plain(aim);
        };
    }

    private static String plain(final double value) {
        return String.format(Locale.ROOT, "%.2f", value).replaceFirst("0$", "");
    }
}
