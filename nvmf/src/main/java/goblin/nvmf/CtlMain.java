// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * The program {@code goblin-nvmf-ctl}: asks a running target. Exit status: 0 when it did it, 1 when it refused or cannot
 * be reached, 2 for a bad command line; the last two with one line on standard error.
 */
public final class CtlMain {
    private static final String NAME = "goblin-nvmf-ctl";
    private static final int USAGE_ERROR = 2;
    private static final String OK = "ok\n";

    private CtlMain() {}

    /**
     * Asks once and exits.
     *
     * @param args {@code --control PATH COMMAND [WORD...]}
     */
    public static void main(final String[] args) {
        System.exit(run(List.of(args)));
    }

    private static int run(final List<String> args) {
        if (args.equals(List.of("--help"))) {
            help(System.out);
            return 0;
        }
        if (args.equals(List.of("--version"))) {
            System.out.println(NAME + " " + Version.TEXT);
            return 0;
        }
        try {
            return ask(socket(args), args.subList(2, args.size()));
        } catch (final BadOption e) {
            complain(e.getMessage() + "; see --help");
            return USAGE_ERROR;
        } catch (final IOException e) {
            complain("cannot reach the target at " + args.get(1) + ": " + e.getMessage());
            return 1;
        }
    }

    private static Path socket(final List<String> args) {
        if (args.size() < 2 || !"--control".equals(args.getFirst())) {
            throw new BadOption("--control PATH must come first, then a command");
        }
        if (args.size() == 2) {
            throw new BadOption("a command is missing after --control " + args.get(1));
        }
        final String command = args.get(2);
        final ControlWord word =
                ControlWord.of(command).orElseThrow(() -> new BadOption("command '" + command + "' is unknown"));
        if (!word.takes(args.size() - 3)) {
            throw new BadOption("it is written " + word.usage());
        }
        for (final String part : args.subList(2, args.size())) {
            if (part.chars().anyMatch(c -> c < ' ') || part.isEmpty()) {
                throw new BadOption("words are not empty and hold no control characters");
            }
        }
        try {
            return Path.of(args.get(1));
        } catch (final InvalidPathException e) {
            throw new BadOption("--control " + args.get(1) + ": no path");
        }
    }

    private static int ask(final Path socket, final List<String> words) throws IOException {
        final byte[] reply;
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            final ByteBuffer line = ByteBuffer.wrap((String.join("\t", words) + "\n").getBytes(StandardCharsets.UTF_8));
            while (line.hasRemaining()) {
                channel.write(line);
            }
            final InputStream in = Channels.newInputStream(channel);
            reply = in.readAllBytes();
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

    private static void help(final PrintStream out) {
        out.println("Usage: " + NAME + " --control PATH COMMAND [WORD...]");
        out.println("Asks the goblin-nvmf that was started with the same --control PATH.");
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
