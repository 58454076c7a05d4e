// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.resp.Arguments;
import goblin.resp.NameTable;

/** The subcommands of one container command, e.g. {@code CLIENT}. */
final class EdgeCommandFamily {
    private final NameTable<EdgeCommand> subcommands = new NameTable<>();
    private final EdgeCommand otherwise;

    /**
     * Makes a family.
     *
     * @param otherwise what serves an unknown subcommand; null for the container itself
     */
    EdgeCommandFamily(final EdgeCommand otherwise) {
        this.otherwise = otherwise;
    }

    EdgeCommandFamily add(final String subcommand, final EdgeCommand command) {
        subcommands.put(subcommand, command);
        return this;
    }

    EdgeCommand resolve(final EdgeCommand container, final Arguments arguments) {
        if (arguments.argumentCount() < 2) {
            return container;
        }
        final EdgeCommand found = subcommands.get(arguments.argument(1), arguments.argumentLength(1));
        if (found != null) {
            return found;
        }
        return otherwise == null ? container : otherwise;
    }
}
