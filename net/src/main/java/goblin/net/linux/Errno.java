// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

/** The kernel's error numbers that sockets and files meet, equal on x86-64 and aarch64. */
public final class Errno {
    /** Not permitted. */
    public static final int EPERM = 1;
    /** No such file. */
    public static final int ENOENT = 2;
    /** Interrupted by a signal; the call is made again. */
    public static final int EINTR = 4;
    /** Input or output failed. */
    public static final int EIO = 5;
    /** No such device or address. */
    public static final int ENXIO = 6;
    /** The descriptor is not open. */
    public static final int EBADF = 9;
    /** Would block. */
    public static final int EAGAIN = 11;
    /** No memory. */
    public static final int ENOMEM = 12;
    /** Permission denied. */
    public static final int EACCES = 13;
    /** In use. */
    public static final int EBUSY = 16;
    /** The file exists. */
    public static final int EEXIST = 17;
    /** No such device. */
    public static final int ENODEV = 19;
    /** Not a directory. */
    public static final int ENOTDIR = 20;
    /** A directory. */
    public static final int EISDIR = 21;
    /** Invalid argument. */
    public static final int EINVAL = 22;
    /** The system has no free file. */
    public static final int ENFILE = 23;
    /** The process has no free descriptor. */
    public static final int EMFILE = 24;
    /** Larger than a file may be. */
    public static final int EFBIG = 27;
    /** The device has no room left. */
    public static final int ENOSPC = 28;
    /** The file system takes no writes. */
    public static final int EROFS = 30;
    /** Nobody reads the other end. */
    public static final int EPIPE = 32;
    /** The kernel does not know this call. */
    public static final int ENOSYS = 38;
    /** The time is up. */
    public static final int ETIME = 62;
    /** Protocol error. */
    public static final int EPROTO = 71;
    /** The file system or device cannot do that. */
    public static final int EOPNOTSUPP = 95;
    /** Address in use. */
    public static final int EADDRINUSE = 98;
    /** The address does not belong to this machine, or no port is left. */
    public static final int EADDRNOTAVAIL = 99;
    /** The network is unreachable. */
    public static final int ENETUNREACH = 101;
    /** Aborted before or after it was accepted. */
    public static final int ECONNABORTED = 103;
    /** Reset by the peer. */
    public static final int ECONNRESET = 104;
    /** No buffer space. */
    public static final int ENOBUFS = 105;
    /** The transport is shut down. */
    public static final int ESHUTDOWN = 108;
    /** Not connected. */
    public static final int ENOTCONN = 107;
    /** Timed out. */
    public static final int ETIMEDOUT = 110;
    /** Refused. */
    public static final int ECONNREFUSED = 111;
    /** The host is unreachable. */
    public static final int EHOSTUNREACH = 113;
    /** In progress. */
    public static final int EINPROGRESS = 115;
    /** The quota is used up. */
    public static final int EDQUOT = 122;

    /** Cancelled before it completed. */
    public static final int ECANCELED = 125;

    private Errno() {}

    /**
     * The text for people.
     *
     * @param errno an error number
     * @return for example {@code ECONNREFUSED (connection refused)}, or {@code errno 200} for an unknown one
     */
    public static String name(final int errno) {
        return switch (errno) {
            case EPERM -> "EPERM (operation not permitted)";
            case ENOENT -> "ENOENT (no such file or directory)";
            case EINTR -> "EINTR (interrupted)";
            case EIO -> "EIO (input/output error)";
            case ENXIO -> "ENXIO (no such device or address)";
            case EBADF -> "EBADF (bad file descriptor)";
            case EAGAIN -> "EAGAIN (would block)";
            case ENOMEM -> "ENOMEM (out of memory)";
            case EACCES -> "EACCES (permission denied)";
            case EBUSY -> "EBUSY (device or resource busy)";
            case EEXIST -> "EEXIST (file exists)";
            case ENODEV -> "ENODEV (no such device)";
            case ENOTDIR -> "ENOTDIR (not a directory)";
            case EISDIR -> "EISDIR (is a directory)";
            case EINVAL -> "EINVAL (invalid argument)";
            case ENFILE -> "ENFILE (too many open files in the system)";
            case EMFILE -> "EMFILE (too many open files)";
            case EFBIG -> "EFBIG (file too large)";
            case ENOSPC -> "ENOSPC (no space left on device)";
            case EROFS -> "EROFS (read-only file system)";
            case EPIPE -> "EPIPE (broken pipe)";
            case ENOSYS -> "ENOSYS (not implemented by this kernel)";
            case ETIME -> "ETIME (timer expired)";
            case EPROTO -> "EPROTO (protocol error)";
            case EOPNOTSUPP -> "EOPNOTSUPP (operation not supported)";
            case EADDRINUSE -> "EADDRINUSE (address in use)";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL (address not available)";
            case ENETUNREACH -> "ENETUNREACH (network unreachable)";
            case ECONNABORTED -> "ECONNABORTED (connection aborted)";
            case ECONNRESET -> "ECONNRESET (connection reset by peer)";
            case ENOBUFS -> "ENOBUFS (no buffer space)";
            case ENOTCONN -> "ENOTCONN (not connected)";
            case ESHUTDOWN -> "ESHUTDOWN (shut down)";
            case ETIMEDOUT -> "ETIMEDOUT (timed out)";
            case ECONNREFUSED -> "ECONNREFUSED (connection refused)";
            case EHOSTUNREACH -> "EHOSTUNREACH (host unreachable)";
            case EINPROGRESS -> "EINPROGRESS (in progress)";
            case EDQUOT -> "EDQUOT (disk quota exceeded)";
            case ECANCELED -> "ECANCELED (operation cancelled)";
            default -> "errno " + errno;
        };
    }
}
