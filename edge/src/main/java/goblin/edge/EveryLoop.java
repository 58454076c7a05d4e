// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A question to every loop of the edge, for the rare commands that look at all of it. With one loop it is answered at
 * once; else each loop answers on its own thread, and nothing further of the client that asks is handled meanwhile.
 *
 * @param <T> an answer, which must not refer to what belongs to its loop's thread
 */
final class EveryLoop<T> {
    private final ClientSession client;
    private final Consumer<List<T>> then;
    private final List<T> answers = new ArrayList<>();
    private final boolean keepBusy;
    private int missing;
    private boolean waits;

    private EveryLoop(final ClientSession client, final Consumer<List<T>> then, final boolean keepBusy) {
        this.client = client;
        this.then = then;
        this.keepBusy = keepBusy;
    }

    /**
     * Asks for the sake of a command, which is answered when all loops have.
     *
     * @param question asked once on each loop's thread
     * @param then     given the answers, in no particular order; not called when the client is gone by then
     */
    static <T> void ask(final ClientSession client, final Function<Edge, T> question, final Consumer<List<T>> then) {
        new EveryLoop<>(client, then, true).ask(question);
    }

    /** As {@link #ask}, but the client's further commands are handled meanwhile. */
    static <T> void askAside(
            final ClientSession client, final Function<Edge, T> question, final Consumer<List<T>> then) {
        new EveryLoop<>(client, then, false).ask(question);
    }

    private void ask(final Function<Edge, T> question) {
        final Edge own = client.edge();
        final List<Edge> all = own.all().all();
        missing = all.size();
        waits = missing > 1 && keepBusy;
        if (waits) {
            client.busy(true);
        }
        for (final Edge each : all) {
            if (each == own) {
                answered(question.apply(own));
            } else {
                each.tell(() -> answerFrom(each, question));
            }
        }
    }

    private void answerFrom(final Edge loop, final Function<Edge, T> question) {
        T answer = null;
        try {
            answer = question.apply(loop);
        } finally {
            // A loop that cannot answer leaves the others' answers; its fault is reported.
            final T given = answer;
            client.edge().tell(() -> answered(given));
        }
    }

    private void answered(final T answer) {
        if (answer != null) {
            answers.add(answer);
        }
        if (--missing > 0 || client.isGone()) {
            return;
        }
        then.accept(answers);
        if (waits) {
            client.busy(false);
        }
    }
}
