// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Redis's own load program: its command line, and what it prints. */
final class RedisBenchmark {
    static final String NAME = "redis-benchmark";

    private static final Pattern RATE = Pattern.compile("\\d+(\\.\\d+)?");

    private RedisBenchmark() {}

    /**
     * A command line.
     *
     * @param clients  connections
     * @param pipeline requests that each sends at once
     * @param requests in all
     * @param rest     which, as its own options or as a command
     */
    static List<String> command(
            final int port, final int clients, final int pipeline, final long requests, final String... rest) {
        final List<String> command = new ArrayList<>(List.of(
                NAME,
                "-h",
                Server.ADDRESS,
                "-p",
                Integer.toString(port),
                "-c",
                Integer.toString(clients),
                "-n",
                Long.toString(requests),
                "-P",
                Integer.toString(pipeline),
                "--csv"));
        command.addAll(List.of(rest));
        return command;
    }

    /** Requests/s by test; refuses any output that speaks of an error or holds no figure. */
    static Map<String, Double> parse(final String output) throws Failure {
        final Map<String, Double> rates = new LinkedHashMap<>();
        for (final String line : output.lines().toList()) {
            final String[] cells = line.replace("\"", "").split(",", -1);
            if (cells.length > 2 && RATE.matcher(cells[1]).matches()) {
                rates.put(cells[0], Double.parseDouble(cells[1]));
            } else if (line.toLowerCase(Locale.ROOT).contains("error")) {
                throw new Failure("redis-benchmark: " + line.strip());
            }
        }
        if (rates.isEmpty()) {
            throw new Failure("redis-benchmark printed no figures: " + output.strip());
        }
        return rates;
    }
}
