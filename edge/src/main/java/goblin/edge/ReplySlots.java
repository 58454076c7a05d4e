// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

/** A loop's free list of {@link ReplySlot}s. */
final class ReplySlots {
    private static final int KEEP = 65_536;

    private ReplySlot free;
    private int kept;

    ReplySlot take(final SlotType type, final int flags) {
        ReplySlot slot = free;
        if (slot == null) {
            slot = new ReplySlot();
        } else {
            free = slot.next;
            slot.next = null;
            kept--;
        }
        slot.type = type;
        slot.flags = flags;
        return slot;
    }

    void giveBack(final ReplySlot slot) {
        slot.clear();
        if (kept < KEEP) {
            slot.next = free;
            free = slot;
            kept++;
        }
    }
}
