// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/**
 * The open-addressing part that the registry's tables share: objects in slots, found from a hash on, no tombstones. At
 * most half full; gives room back when it became almost empty.
 *
 * @param <T> what is kept; never null
 */
abstract class HashSlots<T> {
    private static final int SMALLEST = 16;

    private Object[] slots = new Object[SMALLEST];
    private int size;

    /** The hash an object was put under. */
    abstract int hashOf(T object);

    final int size() {
        return size;
    }

    /** The number of slots, for those who walk through all of them. */
    final int slotCount() {
        return slots.length;
    }

    /** What is in a slot, or null. */
    @SuppressWarnings("unchecked")
    final T at(final int slot) {
        return (T) slots[slot];
    }

    final int firstSlot(final int hash) {
        return hash & (slots.length - 1);
    }

    final int nextSlot(final int slot) {
        return (slot + 1) & (slots.length - 1);
    }

    /** Adds an object that is not there yet. */
    final void add(final T object) {
        if ((size + 1) * 2 > slots.length) {
            resize(slots.length * 2);
        }
        place(object);
        size++;
    }

    /** Takes an object out, found by identity. */
    final void remove(final T object) {
        int hole = firstSlot(hashOf(object));
        while (slots[hole] != object) {
            hole = nextSlot(hole);
        }
        // Those behind it that could not have their own place move up, until one is free.
        for (int slot = nextSlot(hole); slots[slot] != null; slot = nextSlot(slot)) {
            final int wanted = firstSlot(hashOf(at(slot)));
            final int distanceToSlot = (slot - wanted) & (slots.length - 1);
            final int distanceToHole = (slot - hole) & (slots.length - 1);
            if (distanceToSlot >= distanceToHole) {
                slots[hole] = slots[slot];
                hole = slot;
            }
        }
        slots[hole] = null;
        size--;
        if (slots.length > SMALLEST && size * 8 < slots.length) {
            resize(slots.length / 2);
        }
    }

    final void clear() {
        slots = new Object[SMALLEST];
        size = 0;
    }

    private void place(final T object) {
        int slot = firstSlot(hashOf(object));
        while (slots[slot] != null) {
            slot = nextSlot(slot);
        }
        slots[slot] = object;
    }

    private void resize(final int length) {
        final Object[] old = slots;
        slots = new Object[length];
        for (final Object object : old) {
            if (object != null) {
                placeUnchecked(object);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void placeUnchecked(final Object object) {
        place((T) object);
    }
}
