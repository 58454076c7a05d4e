// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

import goblin.net.linux.Memory;

/**
 * What a host must know of a namespace.
 *
 * @param nsid       its identifier
 * @param blocks     its size (NSZE)
 * @param blockBytes bytes of a block
 */
public record NamespaceInfo(int nsid, long blocks, int blockBytes) {
    private static final int FLBAS = 26;
    private static final int LBA_FORMATS = 128;
    private static final int FORMAT_BYTES = 4;
    private static final int LBADS = 2;

    /** Reads the Identify Namespace page; a page of zeros is a namespace that is not there. */
    static NamespaceInfo of(final long page, final int nsid) {
        final long blocks = Memory.getLong(page);
        if (blocks == 0) {
            throw new InitiatorException("there is no namespace " + nsid);
        }
        final int format = Memory.getByte(page + FLBAS) & 0xF;
        final int shift = Memory.getByte(page + LBA_FORMATS + (long) format * FORMAT_BYTES + LBADS) & 0xFF;
        if (shift < 9 || shift > 16) {
            throw new InitiatorException("namespace " + nsid + " has blocks of 2^" + shift + " bytes");
        }
        return new NamespaceInfo(nsid, blocks, 1 << shift);
    }
}
