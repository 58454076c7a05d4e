// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

/** The classes of keyspace events, with their letters in {@code notify-keyspace-events}. */
public enum EventClass {
    /** Commands on keys of any type. */
    GENERIC(0, 'g'),
    /** Strings. */
    STRING(1, '$'),
    /** Lists. */
    LIST(2, 'l'),
    /** Sets. */
    SET(3, 's'),
    /** Hashes. */
    HASH(4, 'h'),
    /** Sorted sets. */
    SORTED_SET(5, 'z'),
    /** Keys whose time has come. */
    EXPIRED(6, 'x'),
    /** Keys evicted for memory. */
    EVICTED(7, 'e'),
    /** Streams. */
    STREAM(8, 't'),
    /** Modules. */
    MODULE(9, 'd'),
    /** New keys. */
    NEW(10, 'n'),
    /** Not a class: publish on {@code __keyspace@0__:key}. */
    KEYSPACE(11, 'K'),
    /** Not a class: publish on {@code __keyevent@0__:event}. */
    KEYEVENT(12, 'E'),
    /** Lookups that found nothing. */
    KEY_MISS(13, 'm');

    final int mask;
    final char letter;

    EventClass(final int bit, final char letter) {
        this.mask = 1 << bit;
        this.letter = letter;
    }
}
