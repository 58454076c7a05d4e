// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.HashMap;
import java.util.Map;

/**
 * One name of one subscriber, from its confirmation to the confirmation of its end. Made by {@link InvariantChecker}.
 *
 * <p>Of each stream the messages received are consecutive; the first is not behind the first one sent after the
 * confirmation; when the end is confirmed, all that were acknowledged before it was asked for are there.
 */
final class Subscription {
    private static final long NOTHING = -1;

    private final String description;
    private final long channels;
    private final int bornBefore;
    private final Map<PublicationStream, Window> windows = new HashMap<>();
    private boolean ending;

    /**
     * Begins at the moment its confirmation is read.
     *
     * @param description for messages
     * @param channels    the channels it matches, as bits
     * @param bornBefore  how many streams there were
     */
    Subscription(final String description, final long channels, final int bornBefore) {
        this.description = description;
        this.channels = channels;
        this.bornBefore = bornBefore;
    }

    boolean matches(final int channel) {
        return (channels >>> channel & 1) != 0;
    }

    long channels() {
        return channels;
    }

    int bornBefore() {
        return bornBefore;
    }

    boolean ending() {
        return ending;
    }

    /** A stream that was there before: what was sent in it until now may or may not come. */
    void knows(final PublicationStream stream) {
        windows.put(stream, new Window(stream.sent()));
    }

    /** A stream that was begun later: all of it comes. */
    void awaitsAll(final PublicationStream stream) {
        windows.computeIfAbsent(stream, missing -> new Window(0));
    }

    /** Takes a received message. */
    void received(final PublicationStream stream, final long sequence) throws Failure {
        if (sequence >= stream.sent()) {
            throw violation(stream, "message " + sequence + " was never published");
        }
        // Older and unknown here: its publisher had vanished before this began, nothing of it is awaited.
        final Window window = windows.computeIfAbsent(
                stream, missing -> new Window(stream.birth() >= bornBefore ? 0 : stream.sent()));
        if (window.next == NOTHING && sequence > window.firstAwaited) {
            throw violation(stream, "lost " + window.firstAwaited + ", " + sequence + " came first");
        }
        if (window.next != NOTHING && sequence != window.next) {
            final String what = sequence < window.next ? "twice or out of order: " : "lost before: ";
            throw violation(stream, what + sequence + " received instead of " + window.next);
        }
        window.next = sequence + 1;
    }

    /** The end is asked for: all acknowledged until now is awaited, what comes later may or may not come. */
    void end() {
        ending = true;
        windows.forEach((stream, window) -> window.awaitedEnd = stream.acknowledged());
    }

    /** The end is confirmed. */
    void verify() throws Failure {
        for (final Map.Entry<PublicationStream, Window> entry : windows.entrySet()) {
            final Window window = entry.getValue();
            // What was sent before the confirmation was read is never awaited, even if its like has come.
            final long reached = Math.max(window.firstAwaited, window.next);
            if (window.awaitedEnd > reached) {
                throw violation(
                        entry.getKey(),
                        "lost: " + reached + " to " + (window.awaitedEnd - 1) + " did not come before the end");
            }
        }
    }

    private Failure violation(final PublicationStream stream, final String what) {
        return new Failure("invariant broken: " + description + ", " + stream + ": " + what);
    }

    /** What is awaited of one stream. */
    private static final class Window {
        private final long firstAwaited;
        private long awaitedEnd;
        private long next = NOTHING;

        private Window(final long firstAwaited) {
            this.firstAwaited = firstAwaited;
        }
    }
}
