// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one {@link NamespaceSpec}. */
final class SpecParser {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,19})(?:([KMGT])(?:IB)?|B)?");
    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final Pattern NSID_TEXT = Pattern.compile("[0-9]{1,9}");
    private static final UUID NIL = new UUID(0, 0);

    private final String text;
    private final Set<String> seen = new HashSet<>();
    private NamespaceSpec.Kind medium;
    private long bytes;
    private boolean direct;
    private boolean readOnly;
    private UUID uuid;
    private int nsid;

    SpecParser(final String text) {
        this.text = text;
    }

    NamespaceSpec parse() throws NamespaceException {
        final int colon = text.indexOf(':');
        medium = medium(colon < 0 ? "" : text.substring(0, colon));
        final String[] parts = text.substring(colon + 1).split(",", -1);
        for (int i = 1; i < parts.length; i++) {
            option(parts[i]);
        }
        String path = "";
        if (medium == NamespaceSpec.Kind.FILE) {
            path = parts[0];
            if (path.isEmpty()) {
                throw wrong("the path is missing");
            }
            if (path.indexOf('\0') >= 0) {
                throw wrong("a path holds no zero byte");
            }
            if (readOnly && bytes > 0) {
                throw wrong("a read-only file cannot be given a size");
            }
        } else {
            bytes = sizeHere(parts[0]);
        }
        return new NamespaceSpec(text, medium, path, bytes, direct, readOnly, uuid, nsid);
    }

    /** Reads a size; see {@link NamespaceSpec#parseSize}. */
    static long size(final String text) throws NamespaceException {
        final Matcher matcher = SIZE.matcher(text.toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new NamespaceException(
                    "\"" + text + "\" is not a size: write bytes, or a number with K, M, G or T, for example 64M");
        }
        final String unit = matcher.group(2);
        final int shift = unit == null ? 0 : 10 * (1 + "KMGT".indexOf(unit));
        try {
            final long value = Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
            if (value == 0) {
                throw new NamespaceException("a size of 0 is too small");
            }
            return value;
        } catch (final ArithmeticException | NumberFormatException tooLarge) {
            throw new NamespaceException("the size " + text + " is too large");
        }
    }

    private NamespaceSpec.Kind medium(final String name) throws NamespaceException {
        return switch (name) {
            case "mem" -> NamespaceSpec.Kind.MEMORY;
            case "file" -> NamespaceSpec.Kind.FILE;
            case "null" -> NamespaceSpec.Kind.NULL;
            default -> throw wrong("it must begin with mem:, file: or null:");
        };
    }

    private void option(final String option) throws NamespaceException {
        final int equals = option.indexOf('=');
        final String name = equals < 0 ? option : option.substring(0, equals);
        final String value = equals < 0 ? null : option.substring(equals + 1);
        final boolean known = switch (name) {
            case "uuid", "nsid" -> true;
            case "size", "direct", "read-only" -> medium == NamespaceSpec.Kind.FILE;
            default -> false;
        };
        if (!known) {
            throw wrong("\"" + name + "\" is no option of it; there "
                    + (medium == NamespaceSpec.Kind.FILE
                            ? "are size=SIZE, direct, read-only, uuid=UUID and nsid=N, and a path holds no comma"
                            : "are uuid=UUID and nsid=N"));
        }
        if (!seen.add(name)) {
            throw wrong(name + " is given twice");
        }
        final boolean flag = name.equals("direct") || name.equals("read-only");
        if (flag != (value == null)) {
            throw wrong(flag ? name + " takes no value" : name + " needs a value: " + name + "=…");
        }
        switch (name) {
            case "uuid" -> uuid = uuid(value);
            case "nsid" -> nsid = nsid(value);
            case "size" -> bytes = sizeHere(value);
            case "direct" -> direct = true;
            default -> readOnly = true;
        }
    }

    private UUID uuid(final String value) throws NamespaceException {
        if (!UUID_TEXT.matcher(value).matches()) {
            throw wrong("\"" + value + "\" is not a UUID");
        }
        final UUID parsed = UUID.fromString(value);
        if (parsed.equals(NIL)) {
            throw wrong("the nil UUID names nothing");
        }
        return parsed;
    }

    private int nsid(final String value) throws NamespaceException {
        final int number = NSID_TEXT.matcher(value).matches() ? Integer.parseInt(value) : 0;
        if (number < 1 || number > NamespaceSpec.MAX_NSID) {
            throw wrong("\"" + value + "\" is not an NSID from 1 to " + NamespaceSpec.MAX_NSID);
        }
        return number;
    }

    private long sizeHere(final String value) throws NamespaceException {
        try {
            return size(value);
        } catch (final NamespaceException wrong) {
            throw wrong(wrong.getMessage());
        }
    }

    private NamespaceException wrong(final String what) {
        return new NamespaceException("namespace \"" + text + "\": " + what);
    }
}
