// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

/** Finds a command's keys when their places depend on its arguments. */
@FunctionalInterface
public interface KeysFinder {

    /** What became of the search. */
    interface Found {
        /**
         * One word is a key.
         *
         * @param index its place, at least 1
         */
        void key(int index);
    }

    /**
     * Names each key's place. Says nothing when the arguments make no sense.
     *
     * @param args  the command
     * @param found told of each key, in order
     */
    void find(Arguments args, Found found);

    /**
     * The usual shape: a count at a fixed place and the keys right behind it.
     *
     * @param place    where the count stands, at least 1
     * @param leading  places of keys before the count, such as a destination
     * @return the finder
     */
    static KeysFinder counted(final int place, final int... leading) {
        return (args, found) -> {
            for (final int key : leading) {
                if (key < args.count()) {
                    found.key(key);
                }
            }
            if (place < args.count() && args.parseLong(place)) {
                final long keys = args.parsed();
                if (keys >= 0 && keys <= args.count() - place - 1) {
                    for (int i = 0; i < keys; i++) {
                        found.key(place + 1 + i);
                    }
                }
            }
        };
    }
}
