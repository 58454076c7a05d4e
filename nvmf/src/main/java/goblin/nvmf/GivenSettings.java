// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings as they were given for the process or for one subsystem, before anything is checked but their number. */
final class GivenSettings {
    private final Map<Key, List<Given>> all = new EnumMap<>(Key.class);

    /**
     * Adds one.
     *
     * @throws BadOption when a key that stands once was there already
     */
    void add(final Key key, final Given given) {
        final List<Given> list = all.computeIfAbsent(key, _ -> new ArrayList<>());
        if (!list.isEmpty() && !key.repeatable()) {
            throw new BadOption(given.origin() + ": given twice, before as "
                    + list.getFirst().origin());
        }
        list.add(given);
    }

    /** Takes over the keys that are not given here; a repeatable one as well only if it is not here at all. */
    void addMissing(final GivenSettings others) {
        others.all.forEach(all::putIfAbsent);
    }

    /** Forgets a key. */
    void remove(final Key key) {
        all.remove(key);
    }

    List<Given> list(final Key key) {
        return all.getOrDefault(key, List.of());
    }

    Optional<Given> get(final Key key) {
        return list(key).stream().findFirst();
    }

    boolean has(final Key key) {
        return all.containsKey(key);
    }

    /** The first given of a scope. */
    Optional<Given> firstOf(final Key.Scope scope) {
        return all.entrySet().stream()
                .filter(entry -> entry.getKey().scope() == scope)
                .map(entry -> entry.getValue().getFirst())
                .findFirst();
    }
}
