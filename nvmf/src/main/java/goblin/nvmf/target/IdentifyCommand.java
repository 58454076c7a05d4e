// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;

/** Identify (NVM Express Base specification 2.0, Identify command). On the admin queue's loop. */
final class IdentifyCommand {
    /** Bytes of every structure. */
    static final int BYTES = 4096;

    private static final int NAMESPACE = 0x00;
    private static final int CONTROLLER = 0x01;
    private static final int ACTIVE_NAMESPACES = 0x02;
    private static final int DESCRIPTORS = 0x03;
    private static final int NAMESPACE_OF_SET = 0x05;
    private static final int CONTROLLER_OF_SET = 0x06;
    private static final int ACTIVE_NAMESPACES_OF_SET = 0x07;
    private static final int NAMESPACE_OF_ANY_SET = 0x08;
    private static final int COMMAND_SETS = 0x1C;

    private static final int INVALID_FIELD = Status.INVALID_FIELD | Status.DO_NOT_RETRY;
    private static final int INVALID_NAMESPACE = Status.INVALID_NAMESPACE | Status.DO_NOT_RETRY;

    private static final int NVM = 0;
    private static final int THIS_CONTROLLER = 0xFFFF;

    // Types of namespace identification descriptors.
    private static final int NGUID = 2;
    private static final int UUID = 3;
    private static final int COMMAND_SET = 4;

    private IdentifyCommand() {}

    /**
     * Answers.
     *
     * @return the status; the request's vector is filled when that is success
     */
    static int execute(final Controller controller, final Request request) {
        try (VectorWriter writer = new VectorWriter()) {
            writer.open(request.vector(), 0);
            final int status = put(controller, request.sqe(), writer.part());
            if (status == Status.SUCCESS) {
                writer.send(0, BYTES);
            }
            return status;
        }
    }

    private static int put(final Controller controller, final long sqe, final long page) {
        final int structure = Sqe.dword(sqe, 10) & 0xFF;
        if (structure == CONTROLLER) {
            ControllerPage.ROWS.put(facts(controller), page);
            return Status.SUCCESS;
        }
        if (controller.isDiscovery()) {
            return INVALID_FIELD;
        }
        final int set = Sqe.dword(sqe, 11) >>> 24;
        final NamespaceTable namespaces = controller.subsystem().namespaces();
        final int nsid = Sqe.nsid(sqe);
        return switch (structure) {
            case NAMESPACE -> namespace(namespaces, nsid, NamespacePage.NVM, page);
            case NAMESPACE_OF_ANY_SET -> namespace(namespaces, nsid, NamespacePage.ANY, page);
            case ACTIVE_NAMESPACES -> active(namespaces, nsid, page);
            case DESCRIPTORS -> descriptors(namespaces, nsid, page);
            case NAMESPACE_OF_SET ->
                set == NVM ? namespace(namespaces, nsid, NamespacePage.NVM_SET, page) : INVALID_FIELD;
            // Of the limits of the NVM command set we have none, which zeros say.
            case CONTROLLER_OF_SET -> set == NVM ? Status.SUCCESS : INVALID_FIELD;
            case ACTIVE_NAMESPACES_OF_SET -> set == NVM ? active(namespaces, nsid, page) : INVALID_FIELD;
            case COMMAND_SETS -> commandSets(controller, Sqe.dword(sqe, 10) >>> 16, page);
            default -> INVALID_FIELD;
        };
    }

    private static ControllerFacts facts(final Controller controller) {
        final Subsystem subsystem = controller.subsystem();
        final TargetOptions options = controller.target().options();
        return new ControllerFacts(
                controller.isDiscovery(),
                controller.id(),
                subsystem.nqn(),
                subsystem.serial(),
                subsystem.model(),
                options.firmware(),
                options.maxIoBytes(),
                options.inCapsuleBytes(),
                Math.min(options.maxQueueDepth(), 0xFFFF),
                NamespaceTable.MAX_NSID,
                KeepAlive.GRANULARITY,
                Subsystem.MAX_ANA_GROUP,
                Subsystem.MAX_ANA_GROUP,
                controller.cachePromise().tell(subsystem.hasVolatileCache()),
                controller.events().supported());
    }

    /** N45: an identifier that no namespace can have is an error; one that none has now gives zeros. */
    private static int namespace(
            final NamespaceTable namespaces,
            final int nsid,
            final PageTable<NamespaceFacts> structure,
            final long page) {
        if (Integer.compareUnsigned(nsid - 1, NamespaceTable.MAX_NSID) >= 0) {
            return INVALID_NAMESPACE;
        }
        final NamespaceEntry entry = namespaces.find(nsid);
        if (entry != null) {
            structure.put(NamespaceFacts.of(entry.namespace(), entry.anaGroup()), page);
        }
        return Status.SUCCESS;
    }

    private static int active(final NamespaceTable namespaces, final int after, final long page) {
        if (Integer.compareUnsigned(after, 0xFFFF_FFFE) >= 0) {
            return INVALID_NAMESPACE;
        }
        int count = 0;
        for (long nsid = Integer.toUnsignedLong(after) + 1; nsid <= namespaces.highestNsid(); nsid++) {
            if (namespaces.find((int) nsid) != null) {
                Memory.putInt(page + 4L * count++, (int) nsid);
            }
        }
        return Status.SUCCESS;
    }

    private static int descriptors(final NamespaceTable namespaces, final int nsid, final long page) {
        final NamespaceEntry entry = namespaces.find(nsid);
        if (entry == null) {
            return INVALID_NAMESPACE;
        }
        final NamespaceFacts facts = NamespaceFacts.of(entry.namespace(), entry.anaGroup());
        long at = descriptor(page, UUID, facts.uuid());
        at = descriptor(at, NGUID, facts.nguid());
        descriptor(at, COMMAND_SET, new byte[] {NVM});
        return Status.SUCCESS;
    }

    private static long descriptor(final long at, final int type, final byte[] value) {
        Memory.putByte(at, (byte) type);
        Memory.putByte(at + 1, (byte) value.length);
        Memory.copyIn(value, 0, at + 4, value.length);
        return at + 4 + value.length;
    }

    /** One combination, of the NVM command set alone. */
    private static int commandSets(final Controller controller, final int id, final long page) {
        if (id != THIS_CONTROLLER && id != controller.id()) {
            return INVALID_FIELD;
        }
        Memory.putLong(page, 1L << NVM);
        return Status.SUCCESS;
    }
}
