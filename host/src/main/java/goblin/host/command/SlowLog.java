// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.ADMIN;
import static goblin.host.command.Flag.LOADING;
import static goblin.host.command.Flag.STALE;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The commands that took long, newest first, and SLOWLOG. */
final class SlowLog {
    private static final int MOST_WORDS = 32;
    private static final int LONGEST_WORD = 128;

    private final ArrayDeque<Slow> entries = new ArrayDeque<>();
    private long lastId = -1;

    /** One command that took long. */
    private record Slow(long id, long seconds, long micros, List<String> words, String peer, String name) {}

    static void register(final CommandTable table) {
        final CommandSpec slowlog = table.add("slowlog", -2, SlowLog::help).group("server", "2.2.12");
        slowlog.sub("get", -2, SlowLog::get, ADMIN, LOADING, STALE);
        slowlog.sub("len", 2, call -> call.reply().integer(log(call).entries.size()), ADMIN, LOADING, STALE);
        slowlog.sub("reset", 2, SlowLog::reset, ADMIN, LOADING, STALE);
        slowlog.sub("help", 2, SlowLog::help, LOADING, STALE);
    }

    private static SlowLog log(final Call call) {
        return call.server().slowLog();
    }

    void add(final Call call, final long nanos) {
        final List<String> words = new ArrayList<>();
        final int count = Math.min(call.count(), MOST_WORDS);
        final int open = call.spec().secretFrom();
        for (int i = 0; i < count; i++) {
            if (i >= open) {
                words.add("(redacted)");
            } else if (i == MOST_WORDS - 1 && call.count() > MOST_WORDS) {
                words.add("... (" + (call.count() - MOST_WORDS + 1) + " more arguments)");
            } else {
                words.add(word(call, i));
            }
        }
        entries.addFirst(new Slow(
                ++lastId,
                call.nowMs() / 1000,
                nanos / 1000,
                words,
                call.client().peerName(),
                call.client().nameText()));
        while (entries.size() > call.server().settings().slowLogLength()) {
            entries.removeLast();
        }
    }

    private static String word(final Call call, final int index) {
        final String text = call.args().text(index);
        return text.length() <= LONGEST_WORD
                ? text
                : text.substring(0, LONGEST_WORD) + "... (" + (text.length() - LONGEST_WORD) + " more bytes)";
    }

    private static void get(final Call call) {
        long count = 10;
        if (call.count() == 3) {
            if (!call.args().parseLong(2) || call.parsed() < -1) {
                call.error("ERR count should be greater than or equal to -1");
                return;
            }
            count = call.parsed() == -1 ? Long.MAX_VALUE : call.parsed();
        } else if (call.count() > 3) {
            call.syntaxError();
            return;
        }
        final List<Slow> found = log(call).entries.stream().limit(count).toList();
        call.reply().array(found.size());
        for (final Slow one : found) {
            call.reply().array(6);
            call.reply().integer(one.id());
            call.reply().integer(one.seconds());
            call.reply().integer(one.micros());
            call.reply().array(one.words().size());
            for (final String word : one.words()) {
                call.reply().bulk(word.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            }
            call.reply().bulkAscii(one.peer());
            call.reply().bulkAscii(one.name());
        }
    }

    private static void reset(final Call call) {
        log(call).entries.clear();
        call.reply().ok();
    }

    private static void help(final Call call) {
        Help.answer(call, "GET [<count>], LEN, RESET", "    The commands that took long.");
    }
}
