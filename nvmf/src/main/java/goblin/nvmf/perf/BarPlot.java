// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Grouped bars in panels, two side by side, as an SVG on white: one legend, one unit, one scale from 0 in each panel. */
final class BarPlot {
    private static final int WIDTH = 1200;
    private static final int PANELS_ACROSS = 2;
    private static final int PANEL_WIDTH = WIDTH / PANELS_ACROSS;
    private static final int PANEL_HEIGHT = 280;
    private static final int HEADER = 90;
    private static final int LEFT = 56;
    private static final int RIGHT = 16;
    private static final int TOP = 34;
    private static final int BOTTOM = 36;
    private static final int LEGEND_STEP = 160;
    private static final double GROUP_SHARE = 0.84;
    private static final int TICKS = 5;
    /** Told apart by those who see colours otherwise, and in print. */
    private static final List<String> COLOURS =
            List.of("#777777", "#E69F00", "#0072B2", "#009E73", "#56B4E9", "#D55E00", "#CC79A7", "#332288");

    private final String title;
    private final String unit;
    private final List<Panel> panels = new ArrayList<>();
    private final Set<String> series = new LinkedHashSet<>();

    /** Makes an empty plot; values are in {@code unit}. */
    BarPlot(final String title, final String unit) {
        this.title = title;
        this.unit = unit;
    }

    /** Another panel. */
    Panel panel(final String name) {
        final Panel panel = new Panel(name);
        panels.add(panel);
        return panel;
    }

    /** Groups of bars with one axis. */
    final class Panel {
        private final String name;
        private final Map<String, Map<String, Double>> groups = new LinkedHashMap<>();

        private Panel(final String name) {
            this.name = name;
        }

        /** A bar of a group, of some series; 0 or more. */
        void bar(final String group, final String of, final double value) {
            series.add(of);
            groups.computeIfAbsent(group, any -> new LinkedHashMap<>()).put(of, value);
        }

        private double highest() {
            return groups.values().stream()
                    .flatMap(bars -> bars.values().stream())
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(1);
        }
    }

    /** The whole file. */
    String svg() {
        final int rows = (panels.size() + PANELS_ACROSS - 1) / PANELS_ACROSS;
        final int height = HEADER + rows * PANEL_HEIGHT;
        final Formatter out = new Formatter(Locale.ROOT);
        out.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">%n",
                WIDTH, height, WIDTH, height);
        out.format("<rect width=\"%d\" height=\"%d\" fill=\"#FFFFFF\"/>%n", WIDTH, height);
        text(out, 16, 28, "start", 18, title);
        int place = 0;
        for (final String of : series) {
            final int x = 16 + place * LEGEND_STEP;
            out.format("<rect x=\"%d\" y=\"48\" width=\"14\" height=\"14\" fill=\"%s\"/>%n", x, colour(place++));
            text(out, x + 20, 60, "start", 13, of);
        }
        for (int i = 0; i < panels.size(); i++) {
            draw(out, panels.get(i), i % PANELS_ACROSS * PANEL_WIDTH, HEADER + i / PANELS_ACROSS * PANEL_HEIGHT);
        }
        return out.format("</svg>%n").toString();
    }

    private void draw(final Formatter out, final Panel panel, final int x, final int y) {
        final double left = x + LEFT;
        final double width = PANEL_WIDTH - LEFT - RIGHT;
        final double bottom = y + PANEL_HEIGHT - BOTTOM;
        final double height = PANEL_HEIGHT - TOP - BOTTOM;
        final double step = step(panel.highest() / TICKS);
        final double top = Math.ceil(panel.highest() / step) * step;
        text(out, left, y + 18, "start", 14, panel.name);
        text(out, x + LEFT - 6, y + 18, "end", 12, unit);
        for (int tick = 0; tick * step <= top + step / 2; tick++) {
            final double at = bottom - height * tick * step / top;
            out.format(
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n",
                    left, at, left + width, at, tick == 0 ? "#222222" : "#DDDDDD");
            text(out, left - 6, at + 4, "end", 12, tickText(tick * step));
        }
        final double groupWidth = width / Math.max(1, panel.groups.size());
        final double barWidth = groupWidth * GROUP_SHARE / Math.max(1, series.size());
        int group = 0;
        for (final Map.Entry<String, Map<String, Double>> bars : panel.groups.entrySet()) {
            final double start = left + group++ * groupWidth;
            text(out, start + groupWidth / 2, bottom + 18, "middle", 12, bars.getKey());
            // Bars that are there stand side by side, without holes for those that are not.
            double at = start + (groupWidth - barWidth * bars.getValue().size()) / 2;
            int place = 0;
            for (final String of : series) {
                final Double value = bars.getValue().get(of);
                if (value != null) {
                    final double tall = height * value / top;
                    out.format(
                            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>%s: %.2f"
                                    + " %s</title></rect>%n",
                            at,
                            bottom - tall,
                            barWidth * 0.9,
                            tall,
                            colour(place),
                            escaped(of + ", " + bars.getKey()),
                            value,
                            escaped(unit));
                    at += barWidth;
                }
                place++;
            }
        }
    }

    /** The round number, 1, 2 or 5 times a power of ten, that is not below. */
    private static double step(final double least) {
        final double power = Math.pow(10, Math.floor(Math.log10(Math.max(least, 1e-9))));
        for (final int factor : new int[] {1, 2, 5}) {
            if (factor * power >= least) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static String tickText(final double value) {
        final String text = String.format(Locale.ROOT, "%.2f", value);
        return text.replaceFirst("\\.?0+$", "");
    }

    private static String colour(final int place) {
        return COLOURS.get(place % COLOURS.size());
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
