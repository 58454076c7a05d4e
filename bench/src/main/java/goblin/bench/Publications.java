// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.net.linux.Memory;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A series of publications: each window of it as commands to send, as the frames that every subscriber must receive for
 * them, and as the replies. Memory of a window is valid until the next one is made. One thread.
 */
final class Publications implements AutoCloseable {
    /** Visits all names before one comes again, but not in their order: it has no factor in common with any count. */
    private static final int STRIDE = 7919;

    private static final int NAMES_A_COMMAND = 64;

    private final String channel;
    private final String pattern;
    private final int names;
    private final int window;
    private final PublicationTemplate command;
    private final PublicationTemplate frame;
    private final long commands;
    private final long frames;
    private final byte[] replies;
    private long sequence;

    private Publications(
            final String channel,
            final String pattern,
            final boolean matched,
            final int names,
            final int payload,
            final int window,
            final int receivers) {
        this.channel = channel;
        this.pattern = pattern;
        this.names = names;
        this.window = window;
        final byte[] filled = RespBytes.ascii("x".repeat(payload));
        final byte[] name = RespBytes.ascii(channel);
        command = new PublicationTemplate(RespBytes.publish(name, filled), payload);
        final byte[] received = pattern == null
                ? RespBytes.message(name, filled)
                : RespBytes.command(RespBytes.ascii("pmessage"), RespBytes.ascii(pattern), name, filled);
        frame = matched ? new PublicationTemplate(received, payload) : null;
        commands = Memory.allocate((long) window * command.length());
        frames = matched ? Memory.allocate((long) window * frame.length()) : 0;
        final StringBuilder answers = new StringBuilder();
        for (int i = 0; i < window; i++) {
            answers.append(':').append(matched ? receivers : 0).append("\r\n");
        }
        replies = RespBytes.ascii(answers.toString());
    }

    /**
     * To one of so many channels in turn, all of which every subscriber has.
     *
     * @param channel   its name; with {@link PublicationTemplate#NAME} in it when there are several
     * @param payload   bytes
     * @param window    publications that are sent together
     * @param receivers what each is answered
     */
    static Publications toChannels(
            final String channel, final int names, final int payload, final int window, final int receivers) {
        return new Publications(channel, null, true, names, payload, window, receivers);
    }

    /** To channels of which each matches just one of so many patterns. */
    static Publications toPatterns(
            final String channel, final String pattern, final int names, final int payload, final int window) {
        return new Publications(channel, pattern, true, names, payload, window, 1);
    }

    /** To channels that match none of so many patterns. */
    static Publications past(
            final String channel, final String pattern, final int names, final int payload, final int window) {
        return new Publications(channel, pattern, false, names, payload, window, 1);
    }

    /** Makes the next window. */
    void next() {
        for (int i = 0; i < window; i++) {
            final int name = (int) (sequence * STRIDE % names);
            command.write(commands + (long) i * command.length(), sequence, name);
            if (frame != null) {
                frame.write(frames + (long) i * frame.length(), sequence, name);
            }
            sequence++;
        }
    }

    int window() {
        return window;
    }

    long commands() {
        return commands;
    }

    int commandsLength() {
        return window * command.length();
    }

    long frames() {
        return frames;
    }

    /** Bytes that every subscriber receives for a window; 0 when nobody receives any. */
    int framesLength() {
        return frame == null ? 0 : window * frame.length();
    }

    byte[] replies() {
        return replies;
    }

    /** What a subscriber sends, and what it is answered. */
    List<Exchange> subscriptions() {
        final String kind = pattern == null ? "subscribe" : "psubscribe";
        final String template = pattern == null ? channel : pattern;
        final List<Exchange> exchanges = new ArrayList<>();
        for (int first = 0; first < names; first += NAMES_A_COMMAND) {
            final List<String> words = new ArrayList<>(List.of(kind.toUpperCase(Locale.ROOT)));
            final ByteArrayOutputStream answer = new ByteArrayOutputStream();
            for (int i = first; i < Math.min(names, first + NAMES_A_COMMAND); i++) {
                final String name = PublicationTemplate.name(template, i);
                words.add(name);
                answer.writeBytes(RespBytes.confirmation(kind, RespBytes.ascii(name), i + 1));
            }
            exchanges.add(new Exchange(RespBytes.command(words.toArray(String[]::new)), answer.toByteArray()));
        }
        return exchanges;
    }

    /**
     * A command and its answer.
     *
     * @param command bytes to send
     * @param answer  bytes to receive
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Exchange(byte[] command, byte[] answer) {}

    @Override
    public void close() {
        command.close();
        Memory.free(commands);
        if (frame != null) {
            frame.close();
            Memory.free(frames);
        }
    }
}
