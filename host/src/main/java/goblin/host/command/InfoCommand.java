// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.net.linux.Memory;
import goblin.resp.RedisVersion;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** INFO: lines of {@code field:value} in sections. */
final class InfoCommand {
    private static final List<String> DEFAULT =
            List.of("server", "clients", "memory", "persistence", "stats", "replication", "cpu", "keyspace", "edges");

    private InfoCommand() {}

    static void info(final Call call) {
        final Set<String> sections = new LinkedHashSet<>();
        for (int i = 1; i < call.count(); i++) {
            final String name = call.args().text(i).toLowerCase(Locale.ROOT);
            if (name.equals("default") || name.equals("all") || name.equals("everything")) {
                sections.addAll(DEFAULT);
                if (!name.equals("default")) {
                    sections.add("commandstats");
                }
            } else {
                sections.add(name);
            }
        }
        if (sections.isEmpty()) {
            sections.addAll(DEFAULT);
        }
        final StringBuilder text = new StringBuilder();
        for (final String section : sections) {
            final int before = text.length();
            if (before > 0) {
                text.append("\r\n");
            }
            final int start = text.length();
            append(call.server(), section, text);
            if (text.length() == start) {
                text.setLength(before);
            }
        }
        call.reply().verbatim("txt", text.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void append(final Server server, final String section, final StringBuilder text) {
        switch (section) {
            case "server" -> server(server, text);
            case "clients" -> clients(server, text);
            case "memory" -> memory(server, text);
            case "persistence" -> persistence(server, text);
            case "stats" -> stats(server, text);
            case "replication" -> text.append("# Replication\r\nrole:master\r\nconnected_slaves:0\r\n");
            case "cpu" -> cpu(text);
            case "keyspace" -> keyspace(server, text);
            case "commandstats" -> commandStats(server, text);
            default -> server.surroundings().appendInfo(section, text);
        }
    }

    private static void line(final StringBuilder text, final String field, final Object value) {
        text.append(field).append(':').append(value).append("\r\n");
    }

    private static void server(final Server server, final StringBuilder text) {
        final long uptime = (System.currentTimeMillis() - server.statistics().startedMs) / 1000;
        text.append("# Server\r\n");
        line(text, "redis_version", RedisVersion.TEXT);
        line(text, "goblin_version", server.surroundings().release());
        line(text, "redis_mode", "standalone");
        line(
                text,
                "os",
                System.getProperty("os.name")
                        + ' '
                        + System.getProperty("os.version")
                        + ' '
                        + System.getProperty("os.arch"));
        line(text, "arch_bits", 64);
        line(text, "process_id", ProcessHandle.current().pid());
        line(text, "run_id", server.statistics().runId);
        line(text, "tcp_port", server.surroundings().tcpPort());
        line(text, "uptime_in_seconds", uptime);
        line(text, "uptime_in_days", uptime / 86_400);
        line(text, "java_version", Runtime.version());
    }

    private static void clients(final Server server, final StringBuilder text) {
        int pubsub = 0;
        int watching = 0;
        long watched = 0;
        for (final Client client : server.clients().all()) {
            pubsub += client.isSubscribed() ? 1 : 0;
            watching += client.watches.isEmpty() ? 0 : 1;
            watched += client.watches.size();
        }
        text.append("# Clients\r\n");
        line(text, "connected_clients", server.clients().count());
        line(text, "maxclients", server.settings().maxClients());
        line(text, "blocked_clients", server.blocked().count());
        line(text, "tracking_clients", server.tracking().clients());
        line(text, "pubsub_clients", pubsub);
        line(text, "watching_clients", watching);
        line(text, "total_watched_keys", watched);
    }

    private static void memory(final Server server, final StringBuilder text) {
        final Runtime runtime = Runtime.getRuntime();
        text.append("# Memory\r\n");
        line(text, "used_memory", server.usedMemory());
        line(text, "used_memory_dataset", server.keyspace().usedBytes());
        line(text, "used_memory_native", Memory.allocatedBytes());
        line(text, "used_memory_heap", runtime.totalMemory() - runtime.freeMemory());
        line(text, "total_memory_heap", runtime.totalMemory());
        line(text, "maxmemory", server.settings().maxMemory());
        line(text, "maxmemory_policy", "noeviction");
        line(text, "used_memory_vm_eval", server.scripting().memoryUsed());
        line(text, "number_of_cached_scripts", server.scripting().known());
        line(text, "mem_allocator", "libc");
    }

    private static void persistence(final Server server, final StringBuilder text) {
        text.append("# Persistence\r\n");
        line(text, "loading", 0);
        line(text, "rdb_changes_since_last_save", server.keyspace().changes());
        line(text, "rdb_bgsave_in_progress", 0);
        line(text, "rdb_last_save_time", server.statistics().startedMs / 1000);
        line(text, "rdb_last_bgsave_status", "ok");
        line(text, "aof_enabled", 0);
        line(text, "aof_rewrite_in_progress", 0);
    }

    private static void stats(final Server server, final StringBuilder text) {
        text.append("# Stats\r\n");
        line(text, "total_connections_received", server.clients().total());
        line(text, "total_commands_processed", server.statistics().commands);
        line(text, "rejected_connections", server.statistics().rejectedConnections);
        line(text, "expired_keys", server.keyspace().expired());
        line(text, "evicted_keys", 0);
        line(text, "keyspace_hits", server.keyspace().hits());
        line(text, "keyspace_misses", server.keyspace().misses());
        line(text, "pubsub_publications", server.pubSub().publications());
        PubSubInfo.append(server.pubSub(), text);
        line(text, "total_error_replies", server.statistics().errorReplies);
        line(text, "tracking_total_keys", server.tracking().keys());
        line(text, "unexpected_error_replies", server.statistics().unexpectedErrors);
    }

    private static void cpu(final StringBuilder text) {
        text.append("# CPU\r\n");
        ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .ifPresent(used -> line(text, "used_cpu_total", used.toMillis() / 1000.0));
    }

    private static void keyspace(final Server server, final StringBuilder text) {
        text.append("# Keyspace\r\n");
        if (server.keyspace().size() > 0) {
            line(
                    text,
                    "db0",
                    "keys=" + server.keyspace().size() + ",expires="
                            + server.keyspace().expiring() + ",avg_ttl=0");
        }
    }

    private static void commandStats(final Server server, final StringBuilder text) {
        text.append("# Commandstats\r\n");
        for (final CommandSpec spec : server.table().all()) {
            commandStats(spec, text);
            spec.children().forEach(child -> commandStats(child, text));
        }
    }

    private static void commandStats(final CommandSpec spec, final StringBuilder text) {
        if (spec.calls == 0 && spec.rejected == 0) {
            return;
        }
        final long micros = spec.nanos / 1000;
        final double each = spec.calls == 0 ? 0 : (double) micros / spec.calls;
        line(
                text,
                "cmdstat_" + spec.fullName(),
                "calls=" + spec.calls + ",usec=" + micros + ",usec_per_call="
                        + String.format(Locale.ROOT, "%.2f", each) + ",rejected_calls=" + spec.rejected
                        + ",failed_calls="
                        + spec.failed);
    }
}
