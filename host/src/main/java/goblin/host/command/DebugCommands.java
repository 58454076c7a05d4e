// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.keyspace.Entry;
import goblin.resp.Real;
import java.util.concurrent.locks.LockSupport;

/** DEBUG: only what test suites need. */
final class DebugCommands {
    private DebugCommands() {}

    static void register(final CommandTable table) {
        final CommandSpec debug = table.add("debug", -2, DebugCommands::help).group("server", "1.0.0");
        final Flag[] usual = {Flag.ADMIN, Flag.NOSCRIPT, Flag.LOADING, Flag.STALE};
        debug.sub("sleep", 3, DebugCommands::sleep, usual);
        debug.sub("object", -3, DebugCommands::object, usual);
        debug.sub("set-active-expire", 3, DebugCommands::setActiveExpire, usual);
        debug.sub("log", -2, DebugCommands::log, usual);
        debug.sub("reload", -2, call -> call.error("ERR snapshots are not available yet"), usual);
        debug.sub("jmap", -2, call -> call.error("ERR DEBUG JMAP is not available"), usual);
        debug.sub("set-disable-deny-scripts", 3, call -> call.reply().ok(), usual);
        debug.sub("help", 2, DebugCommands::help, Flag.LOADING, Flag.STALE);
    }

    private static void sleep(final Call call) {
        final double seconds = Real.parse(call.address(2), call.length(2));
        if (Double.isNaN(seconds)) {
            call.error(Errors.NOT_A_FLOAT);
            return;
        }
        final long untilNs = System.nanoTime() + (long) (Math.min(Math.max(seconds, 0), 3600) * 1e9);
        for (long left = untilNs - System.nanoTime(); left > 0; left = untilNs - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        call.server().clock().update();
        call.reply().ok();
    }

    private static void object(final Call call) {
        final Entry entry = call.keyspace().peek(call.address(2), call.length(2));
        if (entry == null) {
            call.error(Errors.NO_SUCH_KEY);
            return;
        }
        call.reply()
                .simple("Value at:0x0 refcount:1 encoding:" + entry.value().encoding() + " serializedlength:"
                        + entry.value().bytes() + " lru:0 lru_seconds_idle:"
                        + Math.max(0, call.nowMs() - entry.accessedMs()) / 1000);
    }

    private static void setActiveExpire(final Call call) {
        if (!call.integer(2)) {
            return;
        }
        call.keyspace().setActiveExpiry(call.parsed() != 0);
        call.reply().ok();
    }

    private static void log(final Call call) {
        if (call.count() > 2) {
            call.server().surroundings().log("DEBUG LOG: " + call.args().text(2).replaceAll("\\p{Cntrl}", " "));
        }
        call.reply().ok();
    }

    private static void help(final Call call) {
        Help.answer(
                call,
                "SLEEP <seconds>",
                "    Stop the server for <seconds>. Decimals allowed.",
                "OBJECT <key>",
                "    Show low level info about <key> and associated value.",
                "SET-ACTIVE-EXPIRE <0|1>",
                "    Setting it to 0 disables expiring keys in background.",
                "LOG <message>",
                "    Write <message> to the server log.");
    }
}
