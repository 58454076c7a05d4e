// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.Namespace;

/**
 * A namespace as its subsystem shows it.
 *
 * @param nsid      its identifier, 1 or more
 * @param namespace the medium
 * @param group     how it is reached
 */
public record NamespaceEntry(int nsid, Namespace namespace, AnaGroup group) {
    /**
     * The number of its ANA group.
     *
     * @return 1 or more
     */
    public int anaGroup() {
        return group.id();
    }

    /**
     * How it can be reached now.
     *
     * @return the latest
     */
    public AnaState anaState() {
        return group.state();
    }
}
