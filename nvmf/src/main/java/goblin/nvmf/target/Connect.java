// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;

/** The Connect command: who may have which queue, and what is said to those who may not. */
final class Connect {
    // Where the command's own fields are, for the host that sent a wrong one.
    private static final int SGL_LENGTH_AT = 32;
    private static final int FORMAT_AT = 40;
    private static final int QID_AT = 42;
    private static final int SQSIZE_AT = 44;
    private static final int ATTRIBUTES_AT = 46;
    private static final int KEEP_ALIVE_AT = 48;

    private static final int NO_FLOW_CONTROL = 1 << 2;
    private static final int ANY_CONTROLLER = 0xFFFF;
    /** IATTR: the field is in the data, not in the command. */
    private static final int IN_DATA = 1 << 16;

    private static final int INVALID = Status.CONNECT_INVALID_PARAMETERS | Status.DO_NOT_RETRY;

    private Connect() {}

    static boolean begin(final TargetQueue queue, final Request request) {
        if (Sqe.sglLength(request.sqe()) != ConnectData.BYTES) {
            request.result = SGL_LENGTH_AT;
            final String text = "its data is " + Sqe.sglLength(request.sqe()) + " bytes";
            refusal(queue, null, RefusalReason.DATA_LENGTH, text);
            return TargetQueue.refuse(request, INVALID);
        }
        return TargetQueue.take(request, Transfer.FROM_HOST, ConnectData.BYTES);
    }

    static void execute(final TargetQueue queue, final Request request) {
        final ConnectData data = new ConnectData(VectorBytes.read(request.vector(), ConnectData.BYTES));
        if (field16(request, FORMAT_AT) != 0) {
            final String text = "record format " + field16(request, FORMAT_AT);
            refuse(queue, request, data, RefusalReason.FORMAT, Status.CONNECT_INCOMPATIBLE_FORMAT, 0, text);
        } else if (field16(request, QID_AT) == 0) {
            admin(queue, request, data);
        } else {
            io(queue, request, data);
        }
    }

    private static void admin(final TargetQueue queue, final Request request, final ConnectData data) {
        final Subsystem subsystem = subsystem(queue, request, data);
        if (subsystem == null || !hostIsGood(queue, request, data, subsystem)) {
            return;
        }
        if (data.controllerId != ANY_CONTROLLER) {
            invalidData(
                    queue,
                    request,
                    data,
                    RefusalReason.STATIC_CONTROLLER,
                    ConnectData.CONTROLLER_ID_AT,
                    "it wants controller " + data.controllerId);
            return;
        }
        if (!sizeIsGood(queue, request, data, TargetOptions.ADMIN_QUEUE_DEPTH)) {
            return;
        }
        if (subsystem.isDraining()) {
            final String text = "the subsystem is being drained";
            refuse(queue, request, data, RefusalReason.DRAINING, Status.CONNECT_CONTROLLER_BUSY, 0, text);
            return;
        }
        final Controller controller = subsystem.newController(queue, data);
        if (controller == null) {
            final String text = "all controller identifiers are in use";
            refuse(queue, request, data, RefusalReason.NO_CONTROLLER_LEFT, Status.CONNECT_CONTROLLER_BUSY, 0, text);
            return;
        }
        controller.keepAlive().timeout(Memory.getInt(request.sqe() + KEEP_ALIVE_AT) & 0xFFFF_FFFFL);
        queue.target().counters().add(TargetCounter.ADMIN_CONNECTS);
        queue.target()
                .log()
                .important("connect", controller.name() + " begins, from " + queue.peerName(), System.nanoTime());
        accept(queue, request, controller, 0);
        if (subsystem.isDraining() || !subsystem.allows(controller.hostNqn())) {
            // Whoever changed that may not have seen the new controller.
            controller.end("not wanted any more", false);
        }
    }

    private static void io(final TargetQueue queue, final Request request, final ConnectData data) {
        final int qid = field16(request, QID_AT);
        final Subsystem subsystem = subsystem(queue, request, data);
        if (subsystem == null || !hostIsGood(queue, request, data, subsystem)) {
            return;
        }
        if (subsystem.isDiscovery()) {
            final String text = "discovery has no I/O queues";
            refuse(queue, request, data, RefusalReason.DISCOVERY, INVALID, QID_AT, text);
            return;
        }
        final Controller controller = subsystem.controller(data.controllerId);
        if (controller == null) {
            unknownController(queue, request, data);
        } else if (!controller.isHost(data)) {
            final String text = "controller " + controller.id() + " belongs to " + Nqn.printable(controller.hostNqn());
            invalidData(queue, request, data, RefusalReason.OTHER_HOST, ConnectData.HOST_AT, text);
        } else if (!controller.hasHostId(data.hostId)) {
            final String text = "controller " + controller.id() + " belongs to a host with another identifier";
            invalidData(queue, request, data, RefusalReason.OTHER_HOST, ConnectData.HOST_ID_AT, text);
        } else if (sizeIsGood(queue, request, data, queue.target().options().maxQueueDepth())) {
            final RefusalReason refused = controller.attach(queue, qid);
            if (refused == null) {
                queue.target().counters().add(TargetCounter.IO_CONNECTS);
                accept(queue, request, controller, qid);
            } else {
                refuseIo(queue, request, data, refused, qid);
            }
        }
    }

    private static void accept(
            final TargetQueue queue, final Request request, final Controller controller, final int qid) {
        final boolean noFlowControl = (Memory.getByte(request.sqe() + ATTRIBUTES_AT) & NO_FLOW_CONTROL) != 0;
        queue.connected(controller, qid, field16(request, SQSIZE_AT) + 1, noFlowControl);
        request.result = controller.id();
        queue.complete(request, Status.SUCCESS);
    }

    private static void refuseIo(
            final TargetQueue queue,
            final Request request,
            final ConnectData data,
            final RefusalReason reason,
            final int qid) {
        switch (reason) {
            case QUEUE_ID -> {
                final int status = Status.INVALID_QUEUE_ID | Status.DO_NOT_RETRY;
                refuse(queue, request, data, reason, status, 0, "queue " + qid + " was not granted");
            }
            case QUEUE_IN_USE ->
                // The connection before may be about to go.
                refuse(queue, request, data, reason, Status.SEQUENCE_ERROR, 0, "queue " + qid + " is in use");
            case CONTROLLER_NOT_READY -> {
                final int status = Status.CONNECT_INVALID_PARAMETERS;
                refuse(queue, request, data, reason, status, QID_AT, "the controller is not enabled for I/O");
            }
            default -> unknownController(queue, request, data);
        }
    }

    private static void unknownController(final TargetQueue queue, final Request request, final ConnectData data) {
        // Hosts give up for good when told not to retry, and an association that has just ended may be made anew.
        refuse(
                queue,
                request,
                data,
                RefusalReason.UNKNOWN_CONTROLLER,
                Status.CONNECT_INVALID_PARAMETERS,
                IN_DATA | ConnectData.CONTROLLER_ID_AT,
                "there is no controller " + data.controllerId);
    }

    private static Subsystem subsystem(final TargetQueue queue, final Request request, final ConnectData data) {
        final Subsystem subsystem =
                data.subsystem == null ? null : queue.target().subsystem(data.subsystem);
        if (subsystem == null) {
            // It may be there soon: the host may try again.
            refuse(
                    queue,
                    request,
                    data,
                    RefusalReason.UNKNOWN_SUBSYSTEM,
                    Status.CONNECT_INVALID_PARAMETERS,
                    IN_DATA | ConnectData.SUBSYSTEM_AT,
                    "there is no subsystem " + data.subsystemText);
        }
        return subsystem;
    }

    private static boolean hostIsGood(
            final TargetQueue queue, final Request request, final ConnectData data, final Subsystem subsystem) {
        if (data.host == null || !Nqn.isValid(data.host)) {
            final String text = "not a name of a host: " + data.hostText;
            invalidData(queue, request, data, RefusalReason.HOST_NQN, ConnectData.HOST_AT, text);
            return false;
        }
        if (!data.hasHostId() && !subsystem.isDiscovery()) {
            final String text = "its host identifier is zero";
            invalidData(queue, request, data, RefusalReason.HOST_ID, ConnectData.HOST_ID_AT, text);
            return false;
        }
        if (!subsystem.allows(data.host)) {
            // Whoever runs the target may let it in yet.
            final String text = "it is not on the list of allowed hosts";
            refuse(queue, request, data, RefusalReason.HOST_NOT_ALLOWED, Status.CONNECT_INVALID_HOST, 0, text);
            return false;
        }
        return true;
    }

    private static boolean sizeIsGood(
            final TargetQueue queue, final Request request, final ConnectData data, final int most) {
        final int size = field16(request, SQSIZE_AT);
        if (size == 0 || size >= most) {
            final String text = "a queue of " + (size + 1) + " entries, not of 2 to " + most;
            refuse(queue, request, data, RefusalReason.QUEUE_SIZE, INVALID, SQSIZE_AT, text);
            return false;
        }
        return true;
    }

    private static void invalidData(
            final TargetQueue queue,
            final Request request,
            final ConnectData data,
            final RefusalReason reason,
            final int offset,
            final String text) {
        refuse(queue, request, data, reason, INVALID, IN_DATA | offset, text);
    }

    private static void refuse(
            final TargetQueue queue,
            final Request request,
            final ConnectData data,
            final RefusalReason reason,
            final int status,
            final int result,
            final String text) {
        refusal(queue, data, reason, text);
        request.result = result;
        queue.complete(request, status);
    }

    private static void refusal(
            final TargetQueue queue, final ConnectData data, final RefusalReason reason, final String text) {
        final String host = data == null ? "" : data.hostText;
        final String subsystem = data == null ? "" : data.subsystemText;
        final Target target = queue.target();
        target.counters().add(reason);
        target.refusals().add(host, subsystem, queue.peerName(), reason, text);
        target.log()
                .line(
                        reason.label(),
                        "refused " + host + " from " + queue.peerName() + " at " + subsystem + ": " + text,
                        System.nanoTime());
    }

    private static int field16(final Request request, final int offset) {
        return Memory.getShort(request.sqe() + offset) & 0xFFFF;
    }
}
