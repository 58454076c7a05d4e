// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

import goblin.net.Endpoint;
import goblin.net.NetException;
import goblin.net.linux.Errno;
import goblin.net.linux.SocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;

/**
 * The file of a listening Unix socket: made by bind, taken over when its former owner is dead, removed at the end if it
 * is still the same file.
 */
final class UnixSocketFile {
    private final Path path;
    private final Object identity;

    private UnixSocketFile(final Path path, final Object identity) {
        this.path = path;
        this.identity = identity;
    }

    static UnixSocketFile bind(final SocketCore core, final int fd, final Endpoint.Unix endpoint, final int mode) {
        final int length = Addresses.write(endpoint, core.addressScratch);
        int outcome = core.calls.bind(fd, core.addressScratch, length);
        if (outcome == -Errno.EADDRINUSE && isStale(core, endpoint, length)) {
            delete(endpoint.path());
            outcome = core.calls.bind(fd, core.addressScratch, length);
        }
        if (outcome < 0) {
            throw new NetException("cannot listen on " + endpoint + ": " + Errno.name(-outcome), -outcome);
        }
        final UnixSocketFile file = new UnixSocketFile(endpoint.path(), identity(endpoint.path()));
        try {
            // Before listen(): until then nobody can connect, so the umask's mode lets nobody in.
            Files.setAttribute(endpoint.path(), "unix:mode", mode);
        } catch (final IOException failed) {
            file.remove();
            throw new NetException("cannot set the mode of " + endpoint + ": " + failed.getMessage(), Errno.EACCES);
        }
        return file;
    }

    void remove() {
        if (identity != null && identity.equals(identity(path))) {
            delete(path);
        }
    }

    /** A socket file that refuses a connection has no process behind it. Other files are never touched. */
    private static boolean isStale(final SocketCore core, final Endpoint.Unix endpoint, final int length) {
        if (!isSocket(endpoint.path())) {
            return false;
        }
        final int probe = core.calls.socket(SocketAddress.UNIX);
        if (probe < 0) {
            return false;
        }
        final int outcome = core.calls.connect(probe, core.addressScratch, length);
        core.calls.close(probe);
        return outcome == -Errno.ECONNREFUSED;
    }

    private static boolean isSocket(final Path path) {
        final int typeMask = 0170000;
        final int socket = 0140000;
        try {
            final Map<String, Object> attributes = Files.readAttributes(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return ((int) attributes.get("mode") & typeMask) == socket;
        } catch (final IOException unreadable) {
            return false;
        }
    }

    private static Object identity(final Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
        } catch (final IOException gone) {
            return null;
        }
    }

    private static void delete(final Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (final IOException undeletable) {
            // The next bind, ours or a later process's, names the problem.
            return;
        }
    }
}
