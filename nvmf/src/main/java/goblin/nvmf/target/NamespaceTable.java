// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.NamespaceSpec;
import java.util.Arrays;

/** The namespaces of a subsystem at one moment, by identifier. Never changes: a subsystem replaces it. */
public final class NamespaceTable {
    /** The highest identifier that may be used. */
    public static final int MAX_NSID = NamespaceSpec.MAX_NSID;

    /** The table without namespaces. */
    static final NamespaceTable EMPTY = new NamespaceTable(new NamespaceEntry[0], 0);

    private final NamespaceEntry[] byNsid;
    private final int count;

    private NamespaceTable(final NamespaceEntry[] byNsid, final int count) {
        this.byNsid = byNsid;
        this.count = count;
    }

    /**
     * Finds a namespace.
     *
     * @param nsid any identifier, unsigned
     * @return null when there is none
     */
    public NamespaceEntry find(final int nsid) {
        // 0 becomes the largest index there is.
        final int index = nsid - 1;
        return Integer.compareUnsigned(index, byNsid.length) < 0 ? byNsid[index] : null;
    }

    /**
     * How many there are.
     *
     * @return 0 or more
     */
    public int count() {
        return count;
    }

    /**
     * The highest identifier in use.
     *
     * @return 0 when there are none
     */
    public int highestNsid() {
        return byNsid.length;
    }

    /** The lowest identifier not in use; {@link #MAX_NSID} + 1 when all are. */
    int lowestFree() {
        int nsid = 1;
        while (find(nsid) != null) {
            nsid++;
        }
        return nsid;
    }

    NamespaceTable with(final NamespaceEntry entry) {
        final NamespaceEntry[] copy = Arrays.copyOf(byNsid, Math.max(byNsid.length, entry.nsid()));
        copy[entry.nsid() - 1] = entry;
        return new NamespaceTable(copy, count + 1);
    }

    NamespaceTable without(final int nsid) {
        final NamespaceEntry[] copy = byNsid.clone();
        copy[nsid - 1] = null;
        int length = copy.length;
        while (length > 0 && copy[length - 1] == null) {
            length--;
        }
        return new NamespaceTable(Arrays.copyOf(copy, length), count - 1);
    }
}
