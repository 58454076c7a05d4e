// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/**
 * How many times better we are, one bar a figure, as an SVG on white: a logarithmic axis, 1 in its middle, bars to the
 * right where we are better, the aim as a mark.
 */
final class RatioPlot {
    private static final int WIDTH = 1200;
    private static final int LEFT = 560;
    private static final int RIGHT = 90;
    private static final int HEADER = 76;
    private static final int FOOTER = 20;
    private static final int ROW = 20;
    private static final int GAP = 30;
    private static final double BAR = 13;
    /** Told apart by those who see colours otherwise, and in print. */
    private static final String BETTER = "#0072B2";

    private static final String WORSE = "#D55E00";
    private static final String MARK = "#222222";

    private final String title;
    private final List<Row> rows = new ArrayList<>();

    RatioPlot(final String title) {
        this.title = title;
    }

    private record Row(String text, double factor, double aim, String figures) {}

    /** A line of its own above the bars that follow. */
    void heading(final String text) {
        rows.add(new Row(text, 0, 0, ""));
    }

    /**
     * A bar.
     *
     * @param text    what it is
     * @param ratio   our figure divided by theirs
     * @param metric  tells which direction is better, and the aim
     * @param figures both figures, shown on the bar
     */
    void bar(final String text, final double ratio, final Metric metric, final String figures) {
        final double aim = metric.kind() == Metric.Kind.RATIO ? metric.aim() : 0;
        rows.add(new Row(
                text,
                metric.lowerIsBetter() ? 1 / ratio : ratio,
                aim == 0 || !metric.lowerIsBetter() ? aim : 1 / aim,
                figures));
    }

    /** The whole file. */
    String svg() {
        final double decades = Math.max(
                1,
                Math.ceil(rows.stream()
                        .filter(row -> row.factor > 0)
                        .mapToDouble(row -> Math.abs(Math.log10(row.factor)))
                        .max()
                        .orElse(1)));
        final int height =
                HEADER + FOOTER + rows.stream().mapToInt(RatioPlot::height).sum();
        final Formatter out = new Formatter(Locale.ROOT);
        out.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">%n",
                WIDTH, height, WIDTH, height);
        out.format("<rect width=\"%d\" height=\"%d\" fill=\"#FFFFFF\"/>%n", WIDTH, height);
        text(out, 16, 28, "start", 18, title);
        text(out, 16, 50, "start", 12, "times better (right) or worse (left), logarithmic; a mark stands at the aim");
        for (int i = (int) -decades; i <= decades; i++) {
            final double x = x(Math.pow(10, i), decades);
            out.format(
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\"/>%n",
                    x, HEADER - 4, x, height - FOOTER, i == 0 ? MARK : "#DDDDDD");
            text(out, x, HEADER - 8, "middle", 12, i < 0 ? "1/" + power(-i) : power(i));
        }
        int y = HEADER;
        for (final Row row : rows) {
            if (row.factor > 0) {
                draw(out, row, y, decades);
            } else {
                text(out, 16, y + GAP - 8.0, "start", 13, row.text);
            }
            y += height(row);
        }
        return out.format("</svg>%n").toString();
    }

    private static int height(final Row row) {
        return row.factor > 0 ? ROW : GAP;
    }

    private static void draw(final Formatter out, final Row row, final int y, final double decades) {
        final double at = x(row.factor, decades);
        final double one = x(1, decades);
        text(out, LEFT - 8, y + 14, "end", 12, row.text);
        out.format(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%.0f\" fill=\"%s\"><title>%s</title></rect>%n",
                Math.min(at, one),
                y + 3,
                Math.max(1, Math.abs(at - one)),
                BAR,
                row.factor >= 1 ? BETTER : WORSE,
                escaped(row.figures));
        if (row.aim > 0) {
            final double aim = x(row.aim, decades);
            out.format(
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                    aim, y + 1, aim, y + ROW - 2, MARK);
        }
        text(out, Math.max(at, one) + 6, y + 14, "start", 11, Series.two(row.factor) + "×");
    }

    private static double x(final double factor, final double decades) {
        final double middle = LEFT + (WIDTH - LEFT - RIGHT) / 2.0;
        return middle + Math.log10(factor) / decades * (WIDTH - LEFT - RIGHT) / 2.0;
    }

    private static String power(final int exponent) {
        return Series.whole(Math.pow(10, exponent));
    }

    private static void text(
            final Formatter out,
            final double x,
            final double y,
            final String anchor,
            final int size,
            final String what) {
        out.format(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">%s</text>%n",
                x, y, anchor, size, escaped(what));
    }

    private static String escaped(final String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
