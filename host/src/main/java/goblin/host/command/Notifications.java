// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.net.NativeBuffer;
import goblin.pubsub.Kind;

/** Keyspace notifications: which classes are on, and their publication. */
public final class Notifications {
    private static final String ALL = "g$lshzxetd";

    private final Server server;
    private final NativeBuffer channel = new NativeBuffer();
    private final NativeBuffer payload = new NativeBuffer();
    private int flags;

    Notifications(final Server server) {
        this.server = server;
    }

    /**
     * Sets the classes from the text of {@code notify-keyspace-events}.
     *
     * @param text letters, {@code A} for all classes but {@code n} and {@code m}
     * @return false when a letter is unknown; then nothing has changed
     */
    public boolean set(final String text) {
        int bits = 0;
        for (int i = 0; i < text.length(); i++) {
            final int letter = bitsOf(text.charAt(i));
            if (letter == 0) {
                return false;
            }
            bits |= letter;
        }
        flags = bits;
        return true;
    }

    private static int bitsOf(final char letter) {
        int bits = 0;
        for (final EventClass one : EventClass.values()) {
            if (one.letter == letter || (letter == 'A' && ALL.indexOf(one.letter) >= 0)) {
                bits |= one.mask;
            }
        }
        return bits;
    }

    /**
     * The classes in canonical order.
     *
     * @return text that {@link #set} accepts
     */
    public String text() {
        final StringBuilder text = new StringBuilder();
        final int all = bitsOf('A');
        if ((flags & all) == all) {
            text.append('A');
        }
        for (final EventClass one : EventClass.values()) {
            if ((flags & one.mask) != 0 && (text.isEmpty() || text.charAt(0) != 'A' || (one.mask & all) == 0)) {
                text.append(one.letter);
            }
        }
        return text.toString();
    }

    boolean wants(final EventClass of) {
        return (flags & of.mask) != 0;
    }

    /**
     * Publishes an event to those who asked for its class: on the key's channel first, then on the event's.
     *
     * @param of    its class
     * @param event its name
     * @param key   the key it is about
     */
    public void publish(final EventClass of, final String event, final byte[] key) {
        if ((flags & of.mask) == 0) {
            return;
        }
        if ((flags & EventClass.KEYSPACE.mask) != 0) {
            channel.clear();
            channel.appendAscii("__keyspace@0__:");
            channel.append(key);
            payload.clear();
            payload.appendAscii(event);
            send();
        }
        if ((flags & EventClass.KEYEVENT.mask) != 0) {
            channel.clear();
            channel.appendAscii("__keyevent@0__:");
            channel.appendAscii(event);
            payload.clear();
            payload.append(key);
            send();
        }
    }

    private void send() {
        server.pubSub()
                .publish(
                        Kind.CHANNEL,
                        channel.address(),
                        (int) channel.length(),
                        payload.address(),
                        (int) payload.length(),
                        null,
                        server.clients().running());
    }
}
