// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

import goblin.net.linux.Memory;

/**
 * What a host must know of a controller.
 *
 * @param id             CNTLID
 * @param capabilities   CAP
 * @param version        VS
 * @param maxTransfer    the most bytes of one command (MDTS); {@link Integer#MAX_VALUE} for no limit
 * @param inCapsuleBytes how much of a write goes with its capsule (IOCCSZ)
 * @param keepAliveUnit  granularity of the Keep Alive Timeout, milliseconds; 0 when there is no Keep Alive
 * @param eventLimit     asynchronous event requests that may be outstanding
 */
public record ControllerInfo(
        int id,
        long capabilities,
        int version,
        int maxTransfer,
        int inCapsuleBytes,
        int keepAliveUnit,
        int eventLimit) {
    private static final int MDTS = 77;
    private static final int CNTLID = 78;
    private static final int CNTRLTYPE = 111;
    private static final int DISCOVERY_CONTROLLER = 2;
    private static final int AERL = 259;
    private static final int KAS = 320;
    private static final int IOCCSZ = 1792;
    private static final int ICDOFF = 1800;
    private static final int SQE_UNITS = 4;
    private static final int UNIT_BYTES = 16;
    private static final int PAGE_BYTES = 4096;

    /** Reads the Identify Controller page. */
    static ControllerInfo of(final long page, final int connectedAs, final long capabilities, final int version) {
        final int id = Memory.getShort(page + CNTLID) & 0xFFFF;
        final int capsule = Memory.getInt(page + IOCCSZ);
        if (id != connectedAs) {
            throw new InitiatorException("Identify says controller " + id + ", Connect said " + connectedAs);
        }
        // Of a controller without I/O queues these fields mean nothing.
        final boolean discovery = Memory.getByte(page + CNTRLTYPE) == DISCOVERY_CONTROLLER;
        if (!discovery && (capsule < SQE_UNITS || Memory.getShort(page + ICDOFF) != 0)) {
            throw new InitiatorException("IOCCSZ is " + capsule + ", ICDOFF is " + Memory.getShort(page + ICDOFF));
        }
        final int mdts = Memory.getByte(page + MDTS) & 0xFF;
        final long pageBytes = (long) PAGE_BYTES << ((capabilities >>> 48) & 0xF);
        final long most = mdts == 0 || mdts > 31 ? Integer.MAX_VALUE : pageBytes << mdts;
        return new ControllerInfo(
                id,
                capabilities,
                version,
                (int) Math.min(most, Integer.MAX_VALUE),
                Math.max(0, capsule - SQE_UNITS) * UNIT_BYTES,
                (Memory.getShort(page + KAS) & 0xFFFF) * 100,
                (Memory.getByte(page + AERL) & 0xFF) + 1);
    }

    /**
     * The most entries of a queue less one (MQES), which is also the most commands outstanding.
     *
     * @return 1 to 65535
     */
    public int maxOutstanding() {
        return (int) (capabilities & 0xFFFF);
    }

    /** How long the controller may take to become ready or disabled. */
    static long readyTimeoutNs(final long capabilities) {
        return Math.max(1, (capabilities >>> 24) & 0xFF) * 500_000_000L;
    }
}
