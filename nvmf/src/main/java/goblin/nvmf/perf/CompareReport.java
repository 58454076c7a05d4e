// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import goblin.nvmf.tcp.VectorMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What a comparison found: Markdown for people, CSV of everything, and a plot. */
final class CompareReport {
    private static final int KIB = 1024;
    private static final String NOTHING = "–";

    private final CompareOptions options;
    private final List<CompareCell> cells;
    private final Set<String> leftOut;
    private final Map<String, String> refused;
    private final Map<Contender, PoolSize> pools;

    CompareReport(
            final CompareOptions options,
            final List<CompareCell> cells,
            final Set<String> leftOut,
            final Map<String, String> refused,
            final Map<Contender, PoolSize> pools) {
        this.options = options;
        this.cells = cells.stream().filter(CompareCell::isMeasured).toList();
        this.leftOut = leftOut;
        this.refused = refused;
        this.pools = pools;
    }

    String markdown() {
        final StringBuilder text = new StringBuilder();
        for (final int size : options.sizes()) {
            text.append("Writes of ")
                    .append(size / KIB)
                    .append(" KiB, ")
                    .append(Comparison.depth(size))
                    .append(" under way: MiB/s, and in brackets how often that of ")
                    .append(Delivery.INLINE.label())
                    .append(" with the same pieces (median of ")
                    .append(options.rounds())
                    .append(" alternating rounds):\n\n")
                    .append(throughput(size).markdown())
                    .append('\n');
        }
        text.append("How the payload was delivered, over all rounds (% of the payload bytes; fallbacks by cause):\n\n")
                .append(delivery().markdown())
                .append('\n');
        text.append("Bytes of one request with its vector and of one connection's vector of PDUs, heap + native:\n\n")
                .append(objects().markdown())
                .append('\n');
        if (!pools.isEmpty()) {
            text.append("What the requests of one connection hold after ")
                    .append(PoolSize.DEPTH)
                    .append(" writes at once, in pieces of ")
                    .append(pools.keySet().iterator().next().pieceBytes())
                    .append(":\n\n")
                    .append(pools().markdown())
                    .append('\n');
        }
        if (!leftOut.isEmpty() || !refused.isEmpty()) {
            text.append("Not measured:\n\n");
            leftOut.forEach(line -> text.append("- ").append(line).append('\n'));
            refused.forEach((what, why) ->
                    text.append("- ").append(what).append(": ").append(why).append('\n'));
        }
        return text.toString();
    }

    /** One row a way and medium, one column a size of pieces. */
    private Table throughput(final int size) {
        final List<String> columns = new ArrayList<>(List.of("medium", "delivery"));
        options.pieces().forEach(piece -> columns.add("pieces of " + piece));
        final Table table = new Table(columns.toArray(String[]::new));
        for (final CompareMedium medium : options.media()) {
            for (final String label : labels(size)) {
                final List<String> row = new ArrayList<>(List.of(medium.shown(), label));
                for (final int piece : options.pieces()) {
                    row.add(cells.stream()
                            .filter(cell -> cell.ioBytes == size
                                    && cell.medium == medium
                                    && cell.contender.pieceBytes() == piece
                                    && cell.contender.label().equals(label))
                            .map(cell -> number(cell.rate(), 0) + " (" + number(cell.ratio(), 2) + ')')
                            .findFirst()
                            .orElse(NOTHING));
                }
                table.row(row.toArray(String[]::new));
            }
        }
        return table;
    }

    private Set<String> labels(final int size) {
        final Set<String> labels = new LinkedHashSet<>();
        for (final Delivery delivery : Delivery.values()) {
            final Set<Integer> limits = new TreeSet<>();
            cells.stream()
                    .filter(cell -> cell.ioBytes == size && cell.contender.delivery() == delivery)
                    .forEach(cell -> limits.add(cell.contender.limit()));
            limits.forEach(limit -> labels.add(new Contender(delivery, 1, limit).label()));
        }
        return labels;
    }

    /** Media but the direct one make no difference to it, so that they share a row. */
    private Table delivery() {
        final Map<List<Object>, CompareCell> rows = new LinkedHashMap<>();
        for (final int size : options.sizes()) {
            for (final CompareCell cell : cells) {
                if (cell.ioBytes == size) {
                    final boolean direct = cell.medium == CompareMedium.DIRECT;
                    rows.computeIfAbsent(
                                    List.of(size, cell.contender, direct),
                                    key -> new CompareCell(cell.contender, size, cell.medium))
                            .add(cell.rate(), cell.figures());
                }
            }
        }
        final Table table = new Table(
                "size",
                "pieces",
                "delivery",
                "media",
                "in place",
                "copied",
                "entries p50",
                "most",
                "growths",
                "refused");
        rows.forEach((key, row) -> table.row(
                row.ioBytes / KIB + " KiB",
                Integer.toString(row.contender.pieceBytes()),
                row.contender.label(),
                row.medium == CompareMedium.DIRECT ? row.medium.shown() : "others",
                number(row.inPlacePercent(), 1),
                causes(row),
                Integer.toString(EntryCounts.of(row.figures()).percentile(50)),
                Integer.toString(EntryCounts.of(row.figures()).percentile(100)),
                Long.toString(row.figures().of("nvmf_tcp_vector_growths")),
                Long.toString(row.figures().of("nvmf_tcp_vector_growths_refused"))));
        return table;
    }

    private Table objects() {
        final Table table = new Table("vectors", "limit", "request", "request, grown", "PDU", "PDU, grown");
        addObjects(table, VectorMode.INLINE, Delivery.BYTE_LIMIT);
        addObjects(table, VectorMode.FIXED, Delivery.BYTE_LIMIT);
        options.limits().forEach(limit -> addObjects(table, VectorMode.DYNAMIC, limit));
        return table;
    }

    private static void addObjects(final Table table, final VectorMode mode, final int limit) {
        final ObjectSizes inline = ObjectSizes.of(mode, limit, 1);
        final ObjectSizes grown = ObjectSizes.of(mode, limit, limit);
        final boolean grows = mode == VectorMode.DYNAMIC;
        table.row(
                mode.name().toLowerCase(Locale.ROOT),
                grows ? Integer.toString(limit) : NOTHING,
                inline.requestHeap() + " + " + inline.requestNative() + " = " + inline.request(),
                grows ? grown.requestHeap() + " + " + grown.requestNative() + " = " + grown.request() : NOTHING,
                inline.pduHeap() + " + " + inline.pduNative() + " = " + inline.pdu(),
                grows ? grown.pduHeap() + " + " + grown.pduNative() + " = " + grown.pdu() : NOTHING);
    }

    private Table pools() {
        final Table table = new Table("delivery", "requests", "KiB after 4 KiB writes", "KiB after 1 MiB writes");
        pools.forEach((contender, pool) -> table.row(
                contender.label(),
                Long.toString(pool.requests()),
                number((double) pool.idleBytes() / KIB, 1),
                number((double) pool.burstBytes() / KIB, 1)));
        return table;
    }

    private static String causes(final CompareCell cell) {
        final List<String> causes = new ArrayList<>();
        for (final CopyCause cause : CopyCause.values()) {
            if (cell.copiedPercent(cause) >= 0.05) {
                causes.add(cause.label() + ' ' + number(cell.copiedPercent(cause), 1));
            }
        }
        return causes.isEmpty() ? NOTHING : String.join("; ", causes);
    }

    String csv() {
        final List<String> columns = new ArrayList<>(List.of(
                "io_bytes",
                "piece_bytes",
                "delivery",
                "limit",
                "medium",
                "mib_per_s",
                "ratio_to_inline",
                "in_place_percent"));
        for (final CopyCause cause : CopyCause.values()) {
            columns.add("copied_" + cause.label() + "_percent");
        }
        columns.addAll(List.of("entries_p50", "entries_most", "growths", "growths_refused"));
        final Table table = new Table(columns.toArray(String[]::new));
        for (final CompareCell cell : cells) {
            final List<String> row = new ArrayList<>(List.of(
                    Integer.toString(cell.ioBytes),
                    Integer.toString(cell.contender.pieceBytes()),
                    cell.contender.delivery().label(),
                    Integer.toString(cell.contender.limit()),
                    cell.medium.label(),
                    number(cell.rate(), 1),
                    number(cell.ratio(), 4),
                    number(cell.inPlacePercent(), 3)));
            for (final CopyCause cause : CopyCause.values()) {
                row.add(number(cell.copiedPercent(cause), 3));
            }
            row.addAll(List.of(
                    Integer.toString(EntryCounts.of(cell.figures()).percentile(50)),
                    Integer.toString(EntryCounts.of(cell.figures()).percentile(100)),
                    Long.toString(cell.figures().of("nvmf_tcp_vector_growths")),
                    Long.toString(cell.figures().of("nvmf_tcp_vector_growths_refused"))));
            table.row(row.toArray(String[]::new));
        }
        return table.csv();
    }

    /** A panel for each medium and size of commands. */
    String plot() {
        final BarPlot plot = new BarPlot("NVMe/TCP writes, by delivery and size of received pieces", "GiB/s");
        for (final CompareMedium medium : options.media()) {
            for (final int size : options.sizes()) {
                final BarPlot.Panel panel = plot.panel(medium.shown() + ", writes of " + size / KIB + " KiB");
                for (final String label : labels(size)) {
                    for (final CompareCell cell : cells) {
                        if (cell.ioBytes == size
                                && cell.medium == medium
                                && cell.contender.label().equals(label)) {
                            panel.bar("pieces of " + cell.contender.pieceBytes(), label, cell.rate() / KIB);
                        }
                    }
                }
            }
        }
        return plot.svg();
    }

    private static String number(final double value, final int decimals) {
        return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
