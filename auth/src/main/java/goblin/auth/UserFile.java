// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The users of {@code --auth-file}: lines {@code user:argon2id-hash}; blank lines and lines that begin with {@code #}
 * are skipped. Only the owner may have access to the file. Immutable; safe to share between threads.
 */
public final class UserFile {
    private static final long MAX_BYTES = 4 << 20;
    private static final Set<PosixFilePermission> OWNER_ONLY = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final Map<UserName, PhcHash> users;

    private UserFile(final Map<UserName, PhcHash> users) {
        this.users = users;
    }

    /**
     * Reads a users file.
     *
     * @param path the file, at most 4 MiB of UTF-8
     * @return its users, at least one
     * @throws UserFileException when it is missing, open to others, malformed, names a user twice or names none
     */
    public static UserFile load(final Path path) {
        checkAccess(path);
        final Map<UserName, PhcHash> users = new LinkedHashMap<>();
        final List<String> lines = lines(path);
        for (int i = 0; i < lines.size(); i++) {
            if (isEntry(lines.get(i))) {
                try {
                    add(users, lines.get(i).strip());
                } catch (final IllegalArgumentException e) {
                    throw new UserFileException("users file " + path + ", line " + (i + 1) + ": " + e.getMessage(), e);
                }
            }
        }
        if (users.isEmpty()) {
            throw new UserFileException("users file " + path + " names no user; goblin-core-auth makes lines for it");
        }
        return new UserFile(users);
    }

    /**
     * Counts the users.
     *
     * @return at least 1
     */
    public int size() {
        return users.size();
    }

    PhcHash hashOf(final UserName name) {
        return users.get(name);
    }

    /** What checking costs for most: the first user's. */
    Argon2Cost typicalCost() {
        return users.values().iterator().next().cost();
    }

    static boolean isEntry(final String line) {
        return !line.isBlank() && !line.strip().startsWith("#");
    }

    /** The name in an entry, or an IllegalArgumentException. */
    static UserName nameOf(final String entry) {
        final int colon = entry.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("not of the form user:hash");
        }
        return UserName.of(entry.substring(0, colon));
    }

    static void checkAccess(final Path path) {
        try {
            if (!Files.isRegularFile(path)) {
                throw new UserFileException(
                        "users file " + path + (Files.exists(path) ? " is not a regular file" : " does not exist"));
            }
            final Set<PosixFilePermission> extra = Files.getPosixFilePermissions(path);
            extra.removeAll(OWNER_ONLY);
            if (!extra.isEmpty()) {
                throw new UserFileException(
                        "users file " + path + " is open to others than its owner; run: chmod 600 " + path);
            }
        } catch (final IOException e) {
            throw unreadable(path, e);
        }
    }

    static List<String> lines(final Path path) {
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw new UserFileException("users file " + path + " is larger than " + MAX_BYTES + " bytes");
            }
            return new String(Files.readAllBytes(path), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (final IOException e) {
            throw unreadable(path, e);
        }
    }

    static UserFileException unreadable(final Path path, final IOException e) {
        final String why = switch (e) {
            case AccessDeniedException denied -> "permission denied";
            case NoSuchFileException missing -> "no such file";
            default -> e.getMessage();
        };
        return new UserFileException("users file " + path + ": " + why, e);
    }

    private static void add(final Map<UserName, PhcHash> users, final String entry) {
        final UserName name = nameOf(entry);
        final PhcHash hash = PhcHash.parse(entry.substring(entry.indexOf(':') + 1));
        if (users.putIfAbsent(name, hash) != null) {
            throw new IllegalArgumentException("user " + name + " is named twice");
        }
    }
}
