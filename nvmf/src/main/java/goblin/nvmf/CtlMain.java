// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The program {@code goblin-nvmf-ctl}: asks a running target. Exit status: 0 when it did it, 1 when it refused, cannot be
 * reached or does not answer, 2 for a bad command line; the last two with one line on standard error.
 */
public final class CtlMain {
    private static final String NAME = "goblin-nvmf-ctl";
    private static final int USAGE_ERROR = 2;
    private static final String OK = "ok\n";
    private static final long DEFAULT_SECONDS = 60;
    private static final long MOST_SECONDS = 86_400;
    private static final int PIECE = 16 << 10;

    private CtlMain() {}

    /**
     * Asks once and exits.
     *
     * @param args {@code --control PATH [--timeout SECONDS] COMMAND [WORD...]}
     */
    public static void main(final String[] args) {
        System.exit(run(List.of(args)));
    }

    static int run(final List<String> args) {
        if (args.equals(List.of("--help"))) {
            help(System.out);
            return 0;
        }
        if (args.equals(List.of("--version"))) {
            System.out.println(NAME + " " + Version.TEXT);
            return 0;
        }
        try {
            final List<String> rest = new ArrayList<>(args);
            final Path socket = socket(rest);
            final long seconds = seconds(rest);
            check(rest, socket);
            return ask(socket, seconds, rest);
        } catch (final BadOption e) {
            complain(e.getMessage() + "; see --help");
            return USAGE_ERROR;
        } catch (final IOException e) {
            complain("cannot reach the target at " + args.get(1) + ": " + e.getMessage());
            return 1;
        }
    }

    /** Takes the socket from the front of the words. */
    private static Path socket(final List<String> words) {
        if (words.size() < 2 || !"--control".equals(words.getFirst())) {
            throw new BadOption("--control PATH must come first, then a command");
        }
        return new Given(words.removeFirst(), List.of(words.removeFirst())).path();
    }

    /** Takes the time from the front of the words, if it is there. */
    private static long seconds(final List<String> words) {
        if (words.isEmpty() || !"--timeout".equals(words.getFirst())) {
            return DEFAULT_SECONDS;
        }
        words.removeFirst();
        if (words.isEmpty()) {
            throw new BadOption("--timeout: SECONDS must follow");
        }
        return new Given("--timeout", List.of(words.removeFirst())).number(1, MOST_SECONDS);
    }

    private static void check(final List<String> words, final Path socket) {
        if (words.isEmpty()) {
            throw new BadOption("a command is missing after --control " + socket);
        }
        final String command = words.getFirst();
        final ControlWord word =
                ControlWord.of(command).orElseThrow(() -> new BadOption("command '" + command + "' is unknown"));
        if (!word.takes(words.size() - 1)) {
            throw new BadOption("it is written " + word.usage());
        }
        for (final String part : words) {
            if (part.chars().anyMatch(c -> c < ' ') || part.isEmpty()) {
                throw new BadOption("words are not empty and hold no control characters");
            }
        }
    }

    private static int ask(final Path socket, final long seconds, final List<String> words) throws IOException {
        final String line = String.join("\t", words) + "\n";
        final byte[] reply;
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            reply = exchange(channel, line.getBytes(StandardCharsets.UTF_8), seconds);
        }
        if (reply == null) {
            complain("no answer within " + seconds + " s; the target may do it yet");
            return 1;
        }
        final String text = new String(reply, StandardCharsets.UTF_8);
        if (text.startsWith(OK)) {
            System.out.print(text.substring(OK.length()));
            System.out.flush();
            return 0;
        }
        complain(
                text.isEmpty()
                        ? "the target ended before it answered"
                        : text.strip().replaceFirst("^error: ", ""));
        return 1;
    }

    /** Sends the line and reads until the end; null when that takes too long. */
    private static byte[] exchange(final SocketChannel channel, final byte[] line, final long seconds)
            throws IOException {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        final ByteArrayOutputStream reply = new ByteArrayOutputStream();
        final ByteBuffer out = ByteBuffer.wrap(line);
        final ByteBuffer in = ByteBuffer.allocate(PIECE);
        channel.configureBlocking(false);
        try (Selector selector = Selector.open()) {
            final SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
            while (true) {
                final long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (leftMs <= 0) {
                    return null;
                }
                selector.select(leftMs);
                if (out.hasRemaining()) {
                    channel.write(out);
                    key.interestOps(out.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
                } else if (channel.read(in.clear()) < 0) {
                    return reply.toByteArray();
                } else {
                    reply.write(in.array(), 0, in.position());
                }
            }
        }
    }

    private static void help(final PrintStream out) {
        out.println("Usage: " + NAME + " --control PATH [--timeout SECONDS] COMMAND [WORD...]");
        out.println("Asks the goblin-nvmf that was started with the same --control PATH, and waits " + DEFAULT_SECONDS
                + " s for the answer, or SECONDS.");
        for (final ControlWord word : ControlWord.values()) {
            out.println("  " + word.usage());
            out.println("      " + word.text());
        }
        out.println("  --help, --version");
    }

    private static void complain(final String text) {
        System.err.println(NAME + ": " + text);
    }
}
