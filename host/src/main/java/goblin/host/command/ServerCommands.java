// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.ADMIN;
import static goblin.host.command.Flag.FAST;
import static goblin.host.command.Flag.LOADING;
import static goblin.host.command.Flag.NOSCRIPT;
import static goblin.host.command.Flag.NO_MULTI;
import static goblin.host.command.Flag.READONLY;
import static goblin.host.command.Flag.STALE;
import static goblin.host.command.Flag.WRITE;

import goblin.host.keyspace.Entry;

/** The server as a whole: its size, time, memory, and its end. */
final class ServerCommands {
    private static final String GROUP = "server";
    private static final String NO_SNAPSHOTS = "ERR snapshots are not available yet";

    private ServerCommands() {}

    static void register(final CommandTable table) {
        table.add("info", -1, InfoCommand::info, LOADING, STALE).group(GROUP, "1.0.0");
        table.add("dbsize", 1, call -> call.reply().integer(call.keyspace().size()), READONLY, FAST)
                .group(GROUP, "1.0.0");
        table.add("flushall", -1, ServerCommands::flush, WRITE).group(GROUP, "1.0.0");
        table.add("flushdb", -1, ServerCommands::flush, WRITE).group(GROUP, "1.0.0");
        table.add("time", 1, ServerCommands::time, LOADING, STALE, FAST).group(GROUP, "2.6.0");
        table.add("swapdb", 3, ServerCommands::swapdb, WRITE, FAST).group(GROUP, "4.0.0");
        table.add("save", 1, call -> call.error(NO_SNAPSHOTS), ADMIN, NOSCRIPT, NO_MULTI)
                .group(GROUP, "1.0.0");
        table.add("bgsave", -1, call -> call.error(NO_SNAPSHOTS), ADMIN, NOSCRIPT)
                .group(GROUP, "1.0.0");
        table.add("bgrewriteaof", 1, call -> call.error("ERR append-only files are not available"), ADMIN, NOSCRIPT)
                .group(GROUP, "1.0.0");
        table.add("lastsave", 1, ServerCommands::lastSave, LOADING, STALE, FAST).group(GROUP, "1.0.0");
        table.add("shutdown", -1, ServerCommands::shutdown, ADMIN, NOSCRIPT, LOADING, STALE, NO_MULTI, Flag.ALLOW_BUSY)
                .group(GROUP, "1.0.0");
        table.add("wait", 3, ServerCommands::waitForReplicas).group("generic", "3.0.0");
        table.add("role", 1, ServerCommands::role, ADMIN, NOSCRIPT, LOADING, STALE, FAST)
                .group(GROUP, "2.8.12");
        table.add("lolwut", -1, call -> call.reply().bulkAscii("goblin\n"), READONLY, FAST)
                .group(GROUP, "5.0.0");
        registerRefused(table);
        registerMemory(table);
        registerLatency(table);
        registerFunction(table);
    }

    private static void registerRefused(final CommandTable table) {
        for (final String name : new String[] {"monitor", "sync", "psync", "replconf", "failover", "replicaof"}) {
            table.add(
                            name,
                            -1,
                            call -> call.error("ERR " + call.spec().name() + " is not available here"),
                            ADMIN,
                            NOSCRIPT,
                            NO_MULTI)
                    .group(GROUP, "1.0.0");
        }
    }

    private static void registerMemory(final CommandTable table) {
        final CommandSpec memory =
                table.add("memory", -2, ServerCommands::memoryHelp).group(GROUP, "4.0.0");
        memory.sub("usage", -3, ServerCommands::memoryUsage, READONLY).keys(2, 2, 1);
        memory.sub("doctor", 2, call -> call.reply().bulkAscii("Nothing is known to be wrong."));
        memory.sub("purge", 2, call -> call.reply().ok());
        memory.sub("help", 2, ServerCommands::memoryHelp, LOADING, STALE);
    }

    private static void registerLatency(final CommandTable table) {
        final CommandSpec latency =
                table.add("latency", -2, ServerCommands::latencyHelp).group(GROUP, "2.8.13");
        final Flag[] usual = {ADMIN, NOSCRIPT, LOADING, STALE};
        latency.sub("latest", 2, call -> call.reply().array(0), usual);
        latency.sub("history", 3, call -> call.reply().array(0), usual);
        latency.sub("reset", -2, call -> call.reply().integer(0), usual);
        latency.sub("help", 2, ServerCommands::latencyHelp, LOADING, STALE);
    }

    /** Functions are a later family; flushing the none there are must work, because test suites begin with it. */
    private static void registerFunction(final CommandTable table) {
        final CommandSpec function =
                table.add("function", -2, ServerCommands::functionHelp).group("scripting", "7.0.0");
        function.sub("flush", -2, call -> call.reply().ok(), NOSCRIPT, WRITE);
        function.sub("list", -2, call -> call.reply().array(0), NOSCRIPT);
        function.sub(
                "kill", 2, call -> call.error("NOTBUSY No scripts in execution right now."), NOSCRIPT, Flag.ALLOW_BUSY);
        function.sub("help", 2, ServerCommands::functionHelp, LOADING, STALE);
    }

    private static void flush(final Call call) {
        if (call.count() > 2 || (call.count() == 2 && !call.is(1, "ASYNC") && !call.is(1, "SYNC"))) {
            call.syntaxError();
            return;
        }
        final int removed = call.keyspace().size();
        call.keyspace().clear();
        call.keyspace().addChanges(Math.max(1, removed));
        call.reply().ok();
    }

    private static void time(final Call call) {
        final java.time.Instant now = java.time.Instant.now();
        call.reply().array(2);
        call.reply().bulkDecimal(now.getEpochSecond());
        call.reply().bulkDecimal(now.getNano() / 1000);
    }

    private static void swapdb(final Call call) {
        if (!call.args().parseLong(1)) {
            call.error("ERR invalid first DB index");
            return;
        }
        final long first = call.parsed();
        if (!call.args().parseLong(2)) {
            call.error("ERR invalid second DB index");
            return;
        }
        if (first == 0 && call.parsed() == 0) {
            call.reply().ok();
        } else {
            call.error("ERR DB index is out of range");
        }
    }

    private static void lastSave(final Call call) {
        call.reply().integer(call.server().statistics().startedMs / 1000);
    }

    private static void shutdown(final Call call) {
        for (int i = 1; i < call.count(); i++) {
            if (call.is(i, "SAVE")) {
                call.error(NO_SNAPSHOTS);
                return;
            }
            if (call.is(i, "ABORT")) {
                call.error("ERR No shutdown in progress.");
                return;
            }
            if (!call.is(i, "NOSAVE") && !call.is(i, "NOW") && !call.is(i, "FORCE")) {
                call.syntaxError();
                return;
            }
        }
        call.server().surroundings().shutDown();
    }

    private static void waitForReplicas(final Call call) {
        if (!call.integer(1)) {
            return;
        }
        if (!call.args().parseLong(2) || call.parsed() < 0) {
            call.error("ERR timeout is not an integer or out of range");
            return;
        }
        call.reply().integer(0);
    }

    private static void role(final Call call) {
        call.reply().array(3);
        call.reply().bulkAscii("master");
        call.reply().integer(0);
        call.reply().array(0);
    }

    private static void memoryUsage(final Call call) {
        if (call.count() == 5 && call.is(3, "SAMPLES")) {
            if (!call.integer(4)) {
                return;
            }
        } else if (call.count() != 3) {
            call.syntaxError();
            return;
        }
        final Entry entry = call.keyspace().peek(call.address(2), call.length(2));
        if (entry == null) {
            call.reply().nullBulk();
        } else {
            call.reply().integer(call.keyspace().bytesOf(entry));
        }
    }

    private static void memoryHelp(final Call call) {
        Help.answer(call, "USAGE <key> [SAMPLES <count>]", "    Estimate memory usage of key.");
    }

    private static void latencyHelp(final Call call) {
        Help.answer(call, "LATEST, HISTORY <event>, RESET [event ...]", "    Latency events; none are recorded.");
    }

    private static void functionHelp(final Call call) {
        Help.answer(call, "FLUSH [ASYNC|SYNC], LIST", "    Functions are not available yet; there are none.");
    }
}
