// SPDX-License-Identifier: Apache-2.0
package goblin.net.uring;

import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.net.linux.UringCalls;
import goblin.net.linux.UringEntry;
import goblin.net.linux.UringParams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Why the kernel would refuse a {@link Ring}, in words for people. */
final class RingSupport {
    /** What every ring is made with: one thread submits, and completing happens when that thread asks for it. */
    static final int FLAGS = UringParams.COMPLETION_SIZE
            | UringParams.DISABLED
            | UringParams.SUBMIT_ALL
            | UringParams.TELL_WORK
            | UringParams.SINGLE_ISSUER
            | UringParams.DEFERRED;

    /** What every ring needs. */
    static final int FEATURES = UringParams.SINGLE_MAPPING
            | UringParams.NO_DROP
            | UringParams.SUBMIT_STABLE
            | UringParams.EXTENDED_ARGUMENT;

    private static final Path SWITCH = Path.of("/proc/sys/kernel/io_uring_disabled");

    private static final int[] OPERATIONS = {
        UringEntry.NOP,
        UringEntry.READV,
        UringEntry.WRITEV,
        UringEntry.FSYNC,
        UringEntry.POLL_ADD,
        UringEntry.TIMEOUT,
        UringEntry.CANCEL,
        UringEntry.FALLOCATE,
        UringEntry.RECV,
    };

    // struct io_uring_probe: the last operation's number, then 8 bytes for each operation.
    private static final int PROBED = 64;
    private static final int PROBE_HEADER = 16;
    private static final int PROBE_ENTRY = 8;
    private static final int PROBE_FLAGS = 2;
    private static final int SUPPORTED = 1;

    private RingSupport() {}

    static Optional<String> refusal() {
        final UringCalls calls = new UringCalls();
        final long params = Memory.allocate(UringParams.BYTES);
        final long probe = Memory.allocate(PROBE_HEADER + PROBED * PROBE_ENTRY);
        try {
            UringParams.write(params, FLAGS, 2);
            final int fd = calls.setup(1, params);
            if (fd < 0) {
                return Optional.of(setupRefused(-fd, theSwitch()));
            }
            Memory.fill(probe, PROBE_HEADER + PROBED * PROBE_ENTRY, (byte) 0);
            final int probed = calls.register(fd, UringCalls.REGISTER_PROBE, probe, PROBED);
            calls.close(fd);
            return probed < 0
                    ? Optional.of("it does not tell which operations of io_uring it has: " + Errno.name(-probed))
                    : missing(UringParams.features(params), probe);
        } finally {
            Memory.free(params);
            Memory.free(probe);
        }
    }

    /** In words why a ring could not be made; {@code disabled} is the text of the kernel's switch, or empty. */
    static String setupRefused(final int errno, final String disabled) {
        return switch (errno) {
            case Errno.ENOSYS -> "it has no io_uring";
            case Errno.EPERM ->
                switch (disabled) {
                    case "1" -> "io_uring is for privileged processes only (kernel.io_uring_disabled is 1)";
                    case "2" -> "io_uring is turned off (kernel.io_uring_disabled is 2)";
                    default -> "io_uring is forbidden here, as containers and system call filters do";
                };
            case Errno.EINVAL -> "its io_uring is too old (Linux 6.1 has what is needed)";
            case Errno.ENOMEM -> "it has no memory for a ring, or the limit of locked memory is too low";
            default -> "a ring cannot be made: " + Errno.name(errno);
        };
    }

    /** In words what is missing among features and operations; empty when nothing is. */
    static Optional<String> missing(final int features, final long probe) {
        if ((features & FEATURES) != FEATURES) {
            return Optional.of("its io_uring lacks features: " + Integer.toHexString(FEATURES & ~features));
        }
        for (final int operation : OPERATIONS) {
            final long entry = probe + PROBE_HEADER + (long) operation * PROBE_ENTRY;
            if ((Memory.getShort(entry + PROBE_FLAGS) & SUPPORTED) == 0) {
                return Optional.of("its io_uring lacks operation " + operation);
            }
        }
        return Optional.empty();
    }

    private static String theSwitch() {
        try {
            return Files.readString(SWITCH).strip();
        } catch (final IOException older) {
            // Kernels before 6.6 have no switch.
            return "";
        }
    }
}
