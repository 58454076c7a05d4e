// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/**
 * Get Log Page (NVM Express Base specification 2.0). A log may be read in pieces at offsets that are multiples of 4; what
 * is behind its end is zero, and to begin there is an error. On the admin queue's loop.
 */
final class LogPageCommand {
    private static final int INVALID_FIELD = Status.INVALID_FIELD | Status.DO_NOT_RETRY;
    private static final int ALL_NAMESPACES = 0xFFFF_FFFF;
    private static final int RETAIN_EVENT = 1 << 15;
    private static final int OFFSET_IS_INDEX = 1 << 23;
    private static final int GROUPS_ONLY = 1 << 8;

    private LogPageCommand() {}

    /** Checks a command; its data is as long as NUMD says, bounded as all data is. */
    static boolean begin(final TargetQueue queue, final Request request) {
        final long sqe = request.sqe();
        final LogPage page =
                LogPage.find(Sqe.dword(sqe, 10) & 0xFF, queue.controller().isDiscovery());
        if (page == null) {
            return TargetQueue.refuse(request, Status.INVALID_LOG_PAGE | Status.DO_NOT_RETRY);
        }
        final int nsid = Sqe.nsid(sqe);
        final long length = length(sqe);
        final boolean otherSet = page == LogPage.EFFECTS && Sqe.dword(sqe, 14) >>> 24 != 0;
        if ((nsid != 0 && nsid != ALL_NAMESPACES)
                || length > queue.target().options().maxIoBytes()
                || (offset(sqe) & 3) != 0
                || (Sqe.dword(sqe, 14) & OFFSET_IS_INDEX) != 0
                || otherSet) {
            return TargetQueue.refuse(request, INVALID_FIELD);
        }
        return TargetQueue.take(request, Transfer.TO_HOST, (int) length);
    }

    /**
     * Answers.
     *
     * @return the status; the request's vector is filled when that is success
     */
    static int execute(final TargetQueue queue, final Request request) {
        final Controller controller = queue.controller();
        final long sqe = request.sqe();
        final LogPage page = LogPage.find(Sqe.dword(sqe, 10) & 0xFF, controller.isDiscovery());
        final boolean retain = (Sqe.dword(sqe, 10) & RETAIN_EVENT) != 0;
        final long offset = offset(sqe);
        final long length;
        try (VectorWriter writer = new VectorWriter()) {
            writer.open(request.vector(), offset);
            length = switch (page) {
                case SUPPORTED -> FixedLogs.supported(writer, controller.isDiscovery());
                case ERRORS -> FixedLogs.errors(writer, controller.errors());
                case SMART -> FixedLogs.smart(writer, controller);
                case FIRMWARE ->
                    FixedLogs.firmware(writer, controller.target().options().firmware());
                case CHANGED_NAMESPACES -> FixedLogs.changed(writer, controller.changedNamespaces());
                case EFFECTS -> FixedLogs.effects(writer);
                case ANA -> AnaLog.write(writer, controller.subsystem(), (Sqe.dword(sqe, 10) & GROUPS_ONLY) != 0);
                case DISCOVERY ->
                    DiscoveryLog.write(
                            writer,
                            controller.target(),
                            controller.hostNqn(),
                            queue.transport().localName());
            };
        }
        if (Long.compareUnsigned(offset, length) > 0) {
            return INVALID_FIELD;
        }
        if (!retain) {
            controller.logRead(page.id());
        }
        return Status.SUCCESS;
    }

    private static long length(final long sqe) {
        final long lower = (Sqe.dword(sqe, 10) >>> 16) & 0xFFFFL;
        final long upper = Sqe.dword(sqe, 11) & 0xFFFFL;
        return (((upper << 16) | lower) + 1) * 4;
    }

    private static long offset(final long sqe) {
        return (Sqe.dword(sqe, 12) & 0xFFFF_FFFFL) | ((long) Sqe.dword(sqe, 13) << 32);
    }
}
