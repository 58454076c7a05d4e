// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Puts one user's line into a users file: the file is written anew beside the old one, synced and renamed over it. */
final class UserFileEditor {
    private UserFileEditor() {}

    /** Creates the file (owner only) or changes it; tells whether the user was there before. */
    static boolean put(final Path path, final UserName name, final PhcHash hash) {
        try {
            final Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                UserFile.checkAccess(target);
            }
            final List<String> lines = new ArrayList<>(Files.exists(target) ? UserFile.lines(target) : List.of());
            final boolean replaced = putLine(lines, name, name + ":" + hash);
            write(target, String.join("\n", lines) + "\n");
            return replaced;
        } catch (final IOException e) {
            throw UserFile.unreadable(path, e);
        }
    }

    private static boolean putLine(final List<String> lines, final UserName name, final String entry) {
        for (int i = 0; i < lines.size(); i++) {
            if (isOf(lines.get(i), name)) {
                lines.set(i, entry);
                return true;
            }
        }
        lines.add(entry);
        return false;
    }

    private static boolean isOf(final String line, final UserName name) {
        return UserFile.isEntry(line) && line.strip().startsWith(name + ":");
    }

    private static void write(final Path target, final String text) throws IOException {
        final Path beside = target.resolveSibling(target.getFileName() + ".new");
        Files.deleteIfExists(beside);
        try {
            try (FileChannel out = FileChannel.open(
                    beside,
                    Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                final ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(beside);
        }
    }
}
