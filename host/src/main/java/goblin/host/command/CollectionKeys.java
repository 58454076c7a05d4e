// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.keyspace.Entry;
import goblin.host.keyspace.Value;
import goblin.host.keyspace.ValueType;
import goblin.host.value.HashValue;
import goblin.host.value.ListValue;
import goblin.host.value.SetValue;
import goblin.host.value.SortedSetValue;

/** What the families of collections share: typed access to keys, option parsing, and the end of emptied keys. */
final class CollectionKeys {
    private CollectionKeys() {}

    /** The list of an entry; null for no entry, a {@link Refusal} for another type. */
    static ListValue list(Entry entry) {
        return (ListValue) typed(entry, ValueType.LIST);
    }

    /** The hash of an entry; null for no entry, a {@link Refusal} for another type. */
    static HashValue hash(Entry entry) {
        return (HashValue) typed(entry, ValueType.HASH);
    }

    /** The set of an entry; null for no entry, a {@link Refusal} for another type. */
    static SetValue set(Entry entry) {
        return (SetValue) typed(entry, ValueType.SET);
    }

    /** The sorted set of an entry; null for no entry, a {@link Refusal} for another type. */
    static SortedSetValue sortedSet(Entry entry) {
        return (SortedSetValue) typed(entry, ValueType.SORTED_SET);
    }

    private static Value typed(Entry entry, ValueType expected) {
        if (entry == null) {
            return null;
        }
        if (entry.value().type() != expected) {
            throw Refusal.wrongType();
        }
        return entry.value();
    }

    /**
     * Tells of elements added or changed.
     *
     * @param elements how many changes the command counts for, at least 0
     */
    static void changed(Call call, Entry entry, EventClass of, String event, long elements) {
        call.modified(entry, of, event);
        call.keyspace().addChanges(elements - 1);
    }

    /** Tells of elements removed, and removes the key with its last element. */
    static void removed(Call call, Entry entry, boolean isEmpty, EventClass of, String event, long elements) {
        if (isEmpty) {
            call.keyspace().delete(entry);
            call.event(of, event, entry.key());
            call.event(EventClass.GENERIC, "del", entry.key());
        } else {
            call.modified(entry, of, event);
        }
        call.keyspace().addChanges(elements - 1);
    }

    /**
     * Stores the result of a command under a key whatever it held, or removes the key when there is no result.
     *
     * @param value null for an empty result
     */
    static void store(Call call, int key, Value value, EventClass of, String event) {
        Entry old = call.write(key);
        if (value == null) {
            if (old != null) {
                call.delete(old);
            }
            return;
        }
        if (old == null) {
            call.modified(call.add(key, value), of, event);
        } else {
            call.keyspace().setExpiry(old, Entry.NEVER);
            call.keyspace().replace(old, value);
            call.modified(old, of, event);
        }
    }

    static long integer(Call call, int index) {
        if (!call.args().parseLong(index)) {
            throw Refusal.notAnInteger();
        }
        return call.args().parsed();
    }

    /** Reads a number that must be 0 or more. */
    static long natural(Call call, int index) {
        return integer(call, index, 0, Errors.NOT_POSITIVE);
    }

    /** Reads a number inside bounds; anything else is refused with one text. */
    static long integer(Call call, int index, long least, String refusal) {
        if (!call.args().parseLong(index) || call.args().parsed() < least) {
            throw new Refusal(refusal);
        }
        return call.args().parsed();
    }

    /** Reads a number whose negative must exist as well. */
    static long symmetric(Call call, int index) {
        long value = integer(call, index);
        if (value == Long.MIN_VALUE) {
            throw new Refusal(
                    "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807");
        }
        return value;
    }

    static double real(Call call, int index, String refusal) {
        double value = Numbers.parseDouble(call.address(index), call.length(index));
        if (Double.isNaN(value)) {
            throw new Refusal(refusal);
        }
        return value;
    }

    /** Turns an index that may count from the end into one from the start; may be outside. */
    static long fromStart(long index, int size) {
        return index < 0 ? index + size : index;
    }

    /** Answers an element; a large one is copied only once on its way out. */
    static void bulk(Call call, byte[] element) {
        call.bulk(element, element.length);
    }
}
