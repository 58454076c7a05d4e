// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.util.function.Function;
import java.util.function.Supplier;

/** One parameter of {@code CONFIG}. */
final class Setting {
    private final String name;
    private final String alias;
    private final Supplier<String> getter;
    private final Function<String, String> setter;

    /**
     * Makes one.
     *
     * @param name   in lower case
     * @param alias  another name for the same, or null
     * @param getter its value as text
     * @param setter takes a new value and answers null or why it is refused; null when it cannot be changed
     */
    Setting(
            final String name,
            final String alias,
            final Supplier<String> getter,
            final Function<String, String> setter) {
        this.name = name;
        this.alias = alias;
        this.getter = getter;
        this.setter = setter;
    }

    String name() {
        return name;
    }

    String alias() {
        return alias;
    }

    String text() {
        return getter.get();
    }

    boolean isFixed() {
        return setter == null;
    }

    /** Takes a new value; answers null, or why it is refused. */
    String set(final String text) {
        return setter.apply(text);
    }
}
