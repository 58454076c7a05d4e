// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;

/** Fabrics commands (NVMe over Fabrics): Connect, properties, Disconnect. Authentication is not there yet. */
final class FabricsCommands {
    private static final int EIGHT_BYTES = 1;
    private static final int INVALID_PROPERTY = Status.CONNECT_INVALID_PARAMETERS | Status.DO_NOT_RETRY;

    private FabricsCommands() {}

    static boolean begin(final TargetQueue queue, final Request request) {
        final int type = Sqe.fabricsType(request.sqe());
        if (queue.controller() == null) {
            return type == Opcode.FABRICS_CONNECT
                    ? Connect.begin(queue, request)
                    : TargetQueue.refuse(request, Status.SEQUENCE_ERROR | Status.DO_NOT_RETRY);
        }
        if (type == Opcode.FABRICS_CONNECT) {
            return TargetQueue.refuse(request, Status.SEQUENCE_ERROR | Status.DO_NOT_RETRY);
        }
        final boolean admin = queue.qid() == 0;
        if (admin && (type == Opcode.FABRICS_PROPERTY_GET || type == Opcode.FABRICS_PROPERTY_SET)) {
            return TargetQueue.take(request);
        }
        if (type == Opcode.FABRICS_DISCONNECT) {
            return admin
                    ? TargetQueue.refuse(request, Status.INVALID_QUEUE_TYPE | Status.DO_NOT_RETRY)
                    : TargetQueue.take(request);
        }
        return TargetQueue.refuse(request, Status.INVALID_OPCODE | Status.DO_NOT_RETRY);
    }

    static void execute(final TargetQueue queue, final Request request) {
        switch (Sqe.fabricsType(request.sqe())) {
            case Opcode.FABRICS_CONNECT -> Connect.execute(queue, request);
            case Opcode.FABRICS_PROPERTY_GET -> queue.complete(request, get(queue.controller(), request));
            case Opcode.FABRICS_PROPERTY_SET -> queue.complete(request, set(queue.controller(), request));
            default -> disconnect(queue, request);
        }
    }

    private static int get(final Controller controller, final Request request) {
        final int offset = Memory.getInt(request.sqe() + 44);
        final boolean whole = (Memory.getByte(request.sqe() + 40) & 7) == EIGHT_BYTES;
        if ((Memory.getByte(request.sqe() + 40) & 7) > EIGHT_BYTES) {
            return INVALID_PROPERTY;
        }
        final long capabilities =
                ControllerProperties.capabilities(controller.target().options());
        if (whole) {
            request.result = capabilities;
            return offset == ControllerProperties.CAP ? Status.SUCCESS : INVALID_PROPERTY;
        }
        switch (offset) {
            case ControllerProperties.CAP -> request.result = capabilities & 0xFFFF_FFFFL;
            case ControllerProperties.CAP + 4 -> request.result = capabilities >>> 32;
            case ControllerProperties.VS -> request.result = ControllerProperties.VERSION;
            case ControllerProperties.CC -> request.result = controller.configuration() & 0xFFFF_FFFFL;
            case ControllerProperties.CSTS -> request.result = controller.status();
            case ControllerProperties.CRTO -> request.result = ControllerProperties.readyTimeouts();
            default -> {
                return INVALID_PROPERTY;
            }
        }
        return Status.SUCCESS;
    }

    private static int set(final Controller controller, final Request request) {
        final int offset = Memory.getInt(request.sqe() + 44);
        if (offset != ControllerProperties.CC || (Memory.getByte(request.sqe() + 40) & 7) != 0) {
            return INVALID_PROPERTY;
        }
        return controller.configure(Memory.getInt(request.sqe() + 48));
    }

    private static void disconnect(final TargetQueue queue, final Request request) {
        if ((Memory.getShort(request.sqe() + 40) & 0xFFFF) != 0) {
            queue.complete(request, Status.CONNECT_INCOMPATIBLE_FORMAT | Status.DO_NOT_RETRY);
        } else {
            queue.disconnectAfter(request);
        }
    }
}
