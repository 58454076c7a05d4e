// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.ALLOW_BUSY;
import static goblin.host.command.Flag.LOADING;
import static goblin.host.command.Flag.LONG;
import static goblin.host.command.Flag.MAY_REPLICATE;
import static goblin.host.command.Flag.NOSCRIPT;
import static goblin.host.command.Flag.READONLY;
import static goblin.host.command.Flag.SKIP_MONITOR;
import static goblin.host.command.Flag.STALE;

import goblin.host.script.Script;
import goblin.host.script.ScriptEngine;

/** Lua scripts: EVAL and its kin, SCRIPT. */
final class ScriptCommands {
    /** Where the keys begin: behind the name, the script and the number of keys. */
    static final int FIRST_KEY = 3;

    private static final String GROUP = "scripting";
    private static final String NO_SCRIPT = "NOSCRIPT No matching script. Please use EVAL.";
    private static final int DIGEST_LENGTH = 40;

    private final Scripting scripting;

    private ScriptCommands(final Scripting scripting) {
        this.scripting = scripting;
    }

    static void register(final CommandTable table, final Scripting scripting) {
        final ScriptCommands commands = new ScriptCommands(scripting);
        final Flag[] writing = {NOSCRIPT, SKIP_MONITOR, MAY_REPLICATE, STALE, LONG, Flag.MOVABLE_KEYS};
        final Flag[] reading = {NOSCRIPT, SKIP_MONITOR, READONLY, STALE, LONG, Flag.MOVABLE_KEYS};
        final KeysFinder keys = KeysFinder.counted(2);
        table.add("eval", -3, call -> commands.eval(call, false), writing)
                .keys(keys)
                .group(GROUP, "2.6.0");
        table.add("evalsha", -3, call -> commands.evalByName(call, false), writing)
                .keys(keys)
                .group(GROUP, "2.6.0");
        table.add("eval_ro", -3, call -> commands.eval(call, true), reading)
                .keys(keys)
                .group(GROUP, "7.0.0");
        table.add("evalsha_ro", -3, call -> commands.evalByName(call, true), reading)
                .keys(keys)
                .group(GROUP, "7.0.0");
        final CommandSpec script = table.add("script", -2, ScriptCommands::help).group(GROUP, "2.6.0");
        script.sub("load", 3, commands::load, NOSCRIPT, STALE);
        script.sub("exists", -3, commands::exists, NOSCRIPT);
        script.sub("flush", -2, commands::flush, NOSCRIPT);
        script.sub("kill", 2, commands::kill, NOSCRIPT, ALLOW_BUSY);
        script.sub("debug", 3, ScriptCommands::debug, NOSCRIPT);
        script.sub("help", 2, ScriptCommands::help, LOADING, STALE);
    }

    private void eval(final Call call, final boolean readOnly) {
        if (!checkKeys(call)) {
            return;
        }
        final int keys = (int) call.parsed();
        final Script script = scripting.engine().load(call.address(1), call.length(1), false, call.reply());
        if (script != null) {
            scripting.run(call, script, keys, readOnly);
        }
    }

    private void evalByName(final Call call, final boolean readOnly) {
        if (call.length(1) != DIGEST_LENGTH) {
            call.error(NO_SCRIPT);
            return;
        }
        if (!checkKeys(call)) {
            return;
        }
        final int keys = (int) call.parsed();
        final Script script = scripting.engine().find(call.address(1), call.length(1));
        if (script == null) {
            call.error(NO_SCRIPT);
        } else {
            scripting.run(call, script, keys, readOnly);
        }
    }

    private static boolean checkKeys(final Call call) {
        if (!call.integer(2)) {
            return false;
        }
        if (call.parsed() > call.count() - FIRST_KEY) {
            call.error("ERR Number of keys can't be greater than number of args");
            return false;
        }
        if (call.parsed() < 0) {
            call.error("ERR Number of keys can't be negative");
            return false;
        }
        return true;
    }

    private void load(final Call call) {
        final Script script = scripting.engine().load(call.address(2), call.length(2), true, call.reply());
        if (script != null) {
            call.reply().bulkAscii(script.name());
        }
    }

    private void exists(final Call call) {
        final ScriptEngine engine = scripting.engine();
        call.reply().array(call.count() - 2L);
        for (int i = 2; i < call.count(); i++) {
            call.reply().integer(engine.find(call.address(i), call.length(i)) == null ? 0 : 1);
        }
    }

    private void flush(final Call call) {
        if (call.count() > 3 || (call.count() == 3 && !call.is(2, "SYNC") && !call.is(2, "ASYNC"))) {
            call.error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
            return;
        }
        scripting.engine().flush();
        call.reply().ok();
    }

    private void kill(final Call call) {
        if (!scripting.isRunning()) {
            call.error("NOTBUSY No scripts in execution right now.");
        } else if (scripting.hasWritten()) {
            call.error("UNKILLABLE Sorry the script already executed write commands against the dataset. You can either"
                    + " wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE"
                    + " command.");
        } else {
            scripting.kill();
            call.reply().ok();
        }
    }

    private static void debug(final Call call) {
        call.error("ERR SCRIPT DEBUG is not available: this server has no debugger for scripts");
    }

    private static void help(final Call call) {
        Help.answer(
                call,
                "DEBUG (YES|SYNC|NO)",
                "    Not available.",
                "EXISTS <sha1> [<sha1> ...]",
                "    Return information about the existence of the scripts in the script cache.",
                "FLUSH [ASYNC|SYNC]",
                "    Forget all scripts.",
                "KILL",
                "    Kill the currently executing Lua script.",
                "LOAD <script>",
                "    Load a script into the scripts cache without executing it.");
    }
}
