// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a server holds at rest, by name: from its own answers and from /proc.
 *
 * @param figures  must be the same before and after
 * @param rssBytes resident memory, which may differ a little
 */
record ServerState(Map<String, String> figures, long rssBytes) {
    /** Fields of INFO that stand for something held, not for something counted. */
    private static final Set<String> GAUGES = Set.of(
            "connected_clients",
            "blocked_clients",
            "pubsub_channels",
            "pubsub_patterns",
            "pubsubshard_channels",
            "edge_clients",
            "edge_subscriber_rings",
            "edge_subscriber_rings_reserved",
            "edge_interests",
            "edge_interests_unacknowledged",
            "edge_publishes_unanswered",
            "edge_request_memory",
            "edge_receive_bytes_lent",
            "edge_shared_bytes");

    private static final Pattern COUNT = Pattern.compile("', (\\d+)");

    /** Asks the server over a connection of its own. */
    static ServerState of(final String name, final Server server) throws Failure {
        final Map<String, String> figures = new LinkedHashMap<>();
        final long pid = server.program().pid();
        try (SimpleClient client = new SimpleClient(server.port())) {
            final String[] channels = IntStream.range(0, SoakNames.ORDINARY)
                    .mapToObj(SoakNames::channel)
                    .toArray(String[]::new);
            final String[] shards = IntStream.range(SoakNames.ORDINARY, SoakNames.ALL)
                    .mapToObj(SoakNames::channel)
                    .toArray(String[]::new);
            figures.put("PUBSUB CHANNELS", client.ask("PUBSUB", "CHANNELS"));
            figures.put("PUBSUB NUMSUB", sum(client.ask(words("NUMSUB", channels))));
            figures.put("PUBSUB NUMPAT", client.ask("PUBSUB", "NUMPAT"));
            figures.put("PUBSUB SHARDNUMSUB", sum(client.ask(words("SHARDNUMSUB", shards))));
            figures.put("CLIENT LIST", client.ask("CLIENT", "LIST").split("\\\\n", -1).length - 1 + " clients");
            for (final String line : client.ask("INFO").split("\\\\r\\\\n", -1)) {
                final int colon = line.indexOf(':');
                if (colon > 0 && GAUGES.contains(line.substring(0, colon))) {
                    figures.put(line.substring(0, colon), line.substring(colon + 1));
                }
            }
            figures.put("edges", edges(client));
            // While this client is there: how long its end takes must make no difference.
            figures.put("descriptors", Long.toString(descriptors(pid, "")));
            figures.put("sockets", Long.toString(descriptors(pid, "socket:")));
            figures.put("VmLck", Long.toString(memory(pid, "VmLck")));
        }
        figures.replaceAll((key, value) -> value.replaceAll("^'|'$", ""));
        return new ServerState(prefixed(name, figures), memory(pid, "VmRSS"));
    }

    /** The counts of a reply of names and counts, added up. */
    private static String sum(final String reply) {
        return Long.toString(COUNT.matcher(reply)
                .results()
                .mapToLong(count -> Long.parseLong(count.group(1)))
                .sum());
    }

    /** Whether nobody but the one who asks is there: what lingers behind clients that left has ended. */
    boolean quiet() {
        return figures.entrySet().stream()
                .allMatch(entry -> switch (entry.getKey().replaceFirst("^\\w+ ", "")) {
                    case "CLIENT LIST" -> entry.getValue().equals("1 clients");
                    // Rings go little by little.
                    case "edge_subscriber_rings_reserved" -> entry.getValue().equals("0");
                    case "PUBSUB NUMSUB", "PUBSUB NUMPAT", "PUBSUB SHARDNUMSUB" ->
                        entry.getValue().equals("0");
                    default -> true;
                });
    }

    private static String[] words(final String subcommand, final String... names) {
        return Stream.concat(Stream.of("PUBSUB", subcommand), Stream.of(names)).toArray(String[]::new);
    }

    /** Of the section of edges only how many there are and how much their buffers hold: the rest are counters. */
    private static String edges(final SimpleClient client) throws Failure {
        final List<String> lines = List.of(client.ask("INFO", "edges").split("\\\\r\\\\n", -1));
        return lines.stream().filter(line -> line.matches("edge\\d+:.*")).count() + " edges";
    }

    private static Map<String, String> prefixed(final String name, final Map<String, String> figures) {
        return figures.entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> name + " " + entry.getKey(), Map.Entry::getValue, (a, b) -> a, LinkedHashMap::new));
    }

    /** The figures that differ, as text. */
    List<String> differences(final ServerState before) {
        return figures.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(before.figures.get(entry.getKey())))
                .map(entry ->
                        entry.getKey() + " was " + before.figures.get(entry.getKey()) + ", is " + entry.getValue())
                .toList();
    }

    private static long descriptors(final long pid, final String kind) throws Failure {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.filter(file -> target(file).startsWith(kind)).count();
        } catch (final IOException failure) {
            throw new Failure("cannot count descriptors of process " + pid, failure);
        }
    }

    private static String target(final Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (final IOException closed) {
            return "";
        }
    }

    private static long memory(final long pid, final String field) throws Failure {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status"), StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> line.startsWith(field + ":"))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (final IOException failure) {
            throw new Failure("cannot read the status of process " + pid, failure);
        }
    }
}
