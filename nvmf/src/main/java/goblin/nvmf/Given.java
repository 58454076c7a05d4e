// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.net.Endpoint;
import goblin.nvmf.target.Nqn;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One setting as it was given.
 *
 * @param origin where, for people: {@code --serial}, or {@code target.conf line 7: serial}
 * @param words  what followed it
 */
record Given(String origin, List<String> words) {
    private static final int HIGHEST_PORT = 0xFFFF;

    /** The only word. */
    String word() {
        return words.getFirst();
    }

    /** An error that shows what was given and says what is allowed. */
    BadOption bad(final String allowed) {
        return new BadOption(origin + " " + String.join(" ", words) + ": " + allowed);
    }

    /** An error for what belongs to a later release. */
    BadOption notYet(final String instead) {
        return new BadOption((origin + " " + String.join(" ", words)).strip() + " is not available yet; " + instead);
    }

    long number(final long least, final long most) {
        return parse(word(), least, most, "allowed is " + least + " to " + most);
    }

    /** Bytes, plain or with K, M, G or T (powers of 1024) at the end. */
    long bytes(final long least, final long most) {
        final String allowed = "allowed is " + least + " to " + most + " bytes; K, M, G and T may follow the number";
        final String text = word();
        final int last = text.isEmpty() ? 0 : text.charAt(text.length() - 1);
        final int power = "KMGT".indexOf(Character.toUpperCase(last)) + 1;
        final String digits = power == 0 ? text : text.substring(0, text.length() - 1);
        final long unit = 1L << (10 * power);
        final long value = parse(digits, 0, Long.MAX_VALUE / unit, allowed) * unit;
        if (value < least || value > most) {
            throw bad(allowed);
        }
        return value;
    }

    /** One of an enum's constants, written in lower case with dashes. */
    <E extends Enum<E>> E choice(final Class<E> type) {
        final E[] constants = type.getEnumConstants();
        for (final E constant : constants) {
            if (spelled(constant).equals(word())) {
                return constant;
            }
        }
        throw bad("allowed are " + Arrays.stream(constants).map(Given::spelled).collect(Collectors.joining(", ")));
    }

    private static String spelled(final Enum<?> constant) {
        // The kernel writes this one with an underscore, and so do people.
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-').replace("io-uring", "io_uring");
    }

    /** A literal address and a port; port 0 is for the kernel to choose. */
    Endpoint.Tcp endpoint(final int lowestPort) {
        final String host = words.getFirst();
        final int port = (int)
                parse(words.get(1), lowestPort, HIGHEST_PORT, "the port is a number from " + lowestPort + " to 65535");
        // Only literal addresses: looking a name up could take any time and give any address; "1" would be 0.0.0.1.
        if (host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || host.indexOf(':') >= 0) {
            try {
                return new Endpoint.Tcp(InetAddress.getByName(host), port);
            } catch (final UnknownHostException e) {
                // Said below.
            }
        }
        throw bad("the address must be a literal IPv4 or IPv6 address");
    }

    /** A path of a file system. */
    Path path() {
        try {
            return Path.of(word());
        } catch (final InvalidPathException e) {
            throw bad("this is no path: " + e.getReason());
        }
    }

    /** An NVMe qualified name. */
    String nqn() {
        if (!Nqn.isValid(word())) {
            throw bad("a name begins with nqn., goes on, and has at most " + Nqn.MAX_BYTES
                    + " bytes and no control characters");
        }
        return word();
    }

    /** Printable ASCII of 1 to so many characters, no space at either end. */
    String text(final int most) {
        final String text = word();
        if (text.isEmpty()
                || text.length() > most
                || !text.equals(text.strip())
                || !text.chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
            throw bad("allowed are 1 to " + most + " printable ASCII characters, no space at either end");
        }
        return text;
    }

    private long parse(final String digits, final long least, final long most, final String allowed) {
        if (!digits.matches("[0-9]{1,18}")) {
            throw bad(allowed);
        }
        final long value = Long.parseLong(digits);
        if (value < least || value > most) {
            throw bad(allowed);
        }
        return value;
    }
}
