// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import goblin.nvmf.initiator.InitiatorException;

/**
 * Remembers which version each slot of a namespace has, a slot being the place of one command, and checks what reads
 * bring: each block whole, not older than what was complete when the read began, not newer than what was sent. A slot has
 * at most one write under way. Slots that were not written yet are not checked. Owned by one loop.
 */
final class Verifier {
    private final int blockBytes;
    private final int blocks;
    private final int[] complete;
    private final int[] sent;
    private long checked;

    Verifier(final long slots, final int ioBytes, final int blockBytes) {
        if (slots > Integer.MAX_VALUE - 8) {
            throw new InitiatorException("--verify of " + slots + " places is too much: give a smaller --span");
        }
        this.blockBytes = blockBytes;
        blocks = ioBytes / blockBytes;
        complete = new int[(int) slots];
        sent = new int[(int) slots];
    }

    /** The slot that can be written, this one or the next behind it; -1 when all have a write under way. */
    long writable(final long slot) {
        int found = (int) slot;
        for (int tries = 0; tries < sent.length; tries++) {
            if (complete[found] == sent[found]) {
                return found;
            }
            found = found + 1 == sent.length ? 0 : found + 1;
        }
        return -1;
    }

    void beforeWrite(final long slot, final long data) {
        final int version = ++sent[(int) slot];
        for (int i = 0; i < blocks; i++) {
            BlockStamp.write(data + (long) i * blockBytes, blockBytes, slot * blocks + i, version);
        }
    }

    void afterWrite(final long slot) {
        complete[(int) slot] = sent[(int) slot];
    }

    /** The oldest version that a read which begins now may bring. */
    int beforeRead(final long slot) {
        return complete[(int) slot];
    }

    void afterRead(final long slot, final int oldest, final long data) {
        if (oldest == 0) {
            return;
        }
        for (int i = 0; i < blocks; i++) {
            final long version = BlockStamp.check(data + (long) i * blockBytes, blockBytes, slot * blocks + i);
            if (version < oldest || version > sent[(int) slot]) {
                throw new InitiatorException("block " + (slot * blocks + i)
                        + (version == BlockStamp.TORN
                                ? " is torn or not from here"
                                : " has version " + version + ", expected " + oldest + " to " + sent[(int) slot]));
            }
            checked++;
        }
    }

    long checked() {
        return checked;
    }
}
