// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a target counts, at one moment or between two: as its control socket shows it.
 *
 * @param values each figure by its name and labels as they are written
 */
record Figures(Map<String, Long> values) {
    private static final String OK = "ok\n";
    private static final int PIECE = 64 << 10;

    /**
     * Asks a target.
     *
     * @param control its control socket
     * @throws IOException when it cannot be reached or refuses
     */
    static Figures ask(final Path control) throws IOException {
        final ByteArrayOutputStream reply = new ByteArrayOutputStream();
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(control));
            channel.write(ByteBuffer.wrap("stats\n".getBytes(StandardCharsets.UTF_8)));
            final ByteBuffer piece = ByteBuffer.allocate(PIECE);
            while (channel.read(piece.clear()) >= 0) {
                reply.write(piece.array(), 0, piece.position());
            }
        }
        final String text = reply.toString(StandardCharsets.UTF_8);
        if (!text.startsWith(OK)) {
            throw new IOException(text.strip());
        }
        return parse(text.substring(OK.length()));
    }

    /** Reads lines {@code NAME VALUE} or <code>NAME{LABEL="…"} VALUE</code>. */
    static Figures parse(final String lines) {
        final Map<String, Long> values = new TreeMap<>();
        lines.lines().filter(line -> line.indexOf(' ') > 0).forEach(line -> {
            final int end = line.lastIndexOf(' ');
            values.put(line.substring(0, end), Long.parseLong(line.substring(end + 1)));
        });
        return new Figures(values);
    }

    /** What has been added since some earlier moment; figures that go up and down may come out negative. */
    Figures since(final Figures earlier) {
        final Map<String, Long> added = new TreeMap<>();
        values.forEach((name, value) -> added.put(name, value - earlier.values.getOrDefault(name, 0L)));
        return new Figures(added);
    }

    /** The sum of both. */
    Figures plus(final Figures other) {
        final Map<String, Long> sum = new TreeMap<>(values);
        other.values.forEach((name, value) -> sum.merge(name, value, Long::sum));
        return new Figures(sum);
    }

    /** One figure, over all its labels; 0 when there is none of that name. */
    long of(final String name) {
        return values.entrySet().stream()
                .filter(figure -> nameOf(figure.getKey()).equals(name))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static String nameOf(final String figure) {
        final int labels = figure.indexOf('{');
        return labels < 0 ? figure : figure.substring(0, labels);
    }
}
