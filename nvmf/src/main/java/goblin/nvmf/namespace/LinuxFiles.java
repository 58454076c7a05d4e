// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.Iovec;
import goblin.net.linux.Errno;
import goblin.net.linux.FileCalls;
import goblin.net.linux.FileStatus;
import goblin.net.linux.Memory;
import goblin.net.linux.Pages;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Opens a {@link LinuxFile}: claims it, gives it its size, finds out what it can do. Used once, by one thread. */
final class LinuxFiles {
    private static final int NEW_FILE_MODE = 0600;

    private final FileCalls calls = new FileCalls();
    private final long status = Memory.allocate(FileStatus.BYTES);
    private final List<Integer> opened = new ArrayList<>();
    private final NamespaceSpec spec;
    private final int blockBytes;
    private final int lanes;

    private LinuxFiles(final NamespaceSpec spec, final int blockBytes, final int lanes) {
        this.spec = spec;
        this.blockBytes = blockBytes;
        this.lanes = lanes;
    }

    /**
     * Opens the file of a specification.
     *
     * @throws NamespaceException with a message that names the file and the cause
     */
    static LinuxFile open(final NamespaceSpec spec, final int blockBytes, final int lanes) throws NamespaceException {
        final LinuxFiles files = new LinuxFiles(spec, blockBytes, lanes);
        try {
            return files.open();
        } catch (final NamespaceException wrong) {
            files.opened.forEach(files.calls::close);
            throw wrong;
        } finally {
            Memory.free(files.status);
            files.calls.free();
        }
    }

    /** The size of a file or device; or the negated errno. */
    static long bytes(final FileCalls calls, final int fd, final boolean device) {
        if (device) {
            return calls.deviceBytes(fd);
        }
        final long status = Memory.allocate(FileStatus.BYTES);
        try {
            final int outcome = calls.status(fd, status);
            return outcome < 0 ? outcome : FileStatus.size(status);
        } finally {
            Memory.free(status);
        }
    }

    private LinuxFile open() throws NamespaceException {
        final int access = spec.readOnly() ? FileCalls.READ_ONLY : FileCalls.READ_WRITE;
        int control = calls.open(spec.path(), access | FileCalls.NONBLOCK, 0);
        if (control == -Errno.ENOENT && spec.bytes() > 0) {
            control = create();
        }
        if (control == -Errno.ENOENT) {
            throw wrong("does not exist; size=… makes it");
        }
        keep("cannot be opened", control);
        check("cannot be examined", calls.status(control, status));
        final boolean device = FileStatus.isBlockDevice(status);
        if (!device && !FileStatus.isRegular(status)) {
            throw wrong("is neither a file nor a block device");
        }
        if (device && !spec.readOnly()) {
            // Nobody may have it mounted.
            final int alone = keep("cannot be had alone", calls.open(self(control), access | FileCalls.EXCLUSIVE, 0));
            calls.close(control);
            opened.removeFirst();
            control = alone;
        }
        final int claimed = calls.claim(control, spec.readOnly());
        if (claimed == -Errno.EAGAIN) {
            throw wrong("is in use by another namespace or process");
        }
        check("cannot be claimed", claimed);
        size(control, device);
        final int direct = spec.direct() ? FileCalls.DIRECT : 0;
        final int[] descriptors = new int[lanes];
        for (int i = 0; i < lanes; i++) {
            final int descriptor = calls.open(self(control), access | direct, 0);
            descriptors[i] = keep(spec.direct() ? "cannot be used directly" : "cannot be opened again", descriptor);
        }
        return new LinuxFile(control, descriptors, facts(control, descriptors[0], device));
    }

    private int create() throws NamespaceException {
        final int created =
                calls.open(spec.path(), FileCalls.READ_WRITE | FileCalls.CREATE | FileCalls.EXCLUSIVE, NEW_FILE_MODE);
        if (created < 0) {
            return created;
        }
        // A file whose name is lost with the power promises nothing.
        final Path parent = Path.of(spec.path()).toAbsolutePath().getParent();
        final int directory = calls.open(parent.toString(), FileCalls.READ_ONLY, 0);
        if (directory >= 0) {
            calls.syncData(directory);
            calls.close(directory);
        }
        return created;
    }

    private void size(final int control, final boolean device) throws NamespaceException {
        final long now = bytes(calls, control, device);
        check("has no size", (int) Math.min(now, 0));
        if (now >= spec.bytes()) {
            return;
        }
        if (device) {
            throw wrong("has only " + now + " bytes");
        }
        check("cannot be extended", calls.truncate(control, spec.bytes()));
        check("cannot be made durable", calls.syncData(control));
    }

    private FileFacts facts(final int control, final int lane, final boolean device) throws NamespaceException {
        int memory = 1;
        int length = 1;
        if (spec.direct()) {
            check("cannot be examined", calls.status(lane, status));
            if (FileStatus.knowsDirect(status)) {
                memory = FileStatus.directMemory(status);
                length = FileStatus.directOffset(status);
            } else {
                memory = Pages.PAGE_BYTES;
                length = device ? calls.deviceSectorBytes(control) : blockBytes;
            }
            if (memory < 1 || length < 1) {
                throw wrong("cannot be used directly");
            }
            if (blockBytes % length != 0) {
                throw wrong("can be used directly only with blocks of " + length + " bytes");
            }
            tryDirect(lane);
        }
        check("cannot be examined", calls.status(control, status));
        final int preferred = Math.max(FileStatus.blockBytes(status), length);
        final boolean punches = !device && !spec.readOnly() && punches(control);
        return new FileFacts(
                device,
                spec.readOnly(),
                spec.direct(),
                memory,
                length,
                device ? !spec.readOnly() : punches,
                punches,
                preferred);
    }

    /** Where nothing says which alignment is right, only trying tells. */
    private void tryDirect(final int lane) throws NamespaceException {
        final long page = Pages.map(Pages.PAGE_BYTES);
        final long iovec = Memory.allocate(Iovec.BYTES);
        Iovec.put(iovec, 0, page, blockBytes);
        final long read = calls.read(lane, iovec, 1, blockBytes);
        Memory.free(iovec);
        Pages.unmap(page, Pages.PAGE_BYTES);
        if (read == -Errno.EINVAL) {
            throw wrong("cannot be used directly with blocks of " + blockBytes + " bytes");
        }
    }

    /** Punches where there is nothing: behind the end. */
    private boolean punches(final int control) {
        final long end = Pages.rounded(bytes(calls, control, false));
        return calls.punch(control, end, Pages.PAGE_BYTES) == 0;
    }

    private static String self(final int descriptor) {
        return "/proc/self/fd/" + descriptor;
    }

    private int keep(final String what, final int descriptor) throws NamespaceException {
        check(what, descriptor);
        opened.add(descriptor);
        return descriptor;
    }

    private void check(final String what, final int outcome) throws NamespaceException {
        if (outcome < 0) {
            throw wrong(what + ": " + Errno.name(-outcome));
        }
    }

    private NamespaceException wrong(final String what) {
        return new NamespaceException("namespace \"" + spec + "\": " + spec.path() + " " + what);
    }
}
