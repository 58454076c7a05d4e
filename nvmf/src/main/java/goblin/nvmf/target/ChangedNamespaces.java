// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/** The namespaces that changed since the host read the list. On the admin queue's loop only. */
final class ChangedNamespaces {
    /** Entries of the list at most. */
    static final int LIMIT = 1024;

    private final int[] nsids = new int[LIMIT];
    private int count;
    private boolean overflown;

    void add(final int nsid) {
        int at = 0;
        while (at < count && Integer.compareUnsigned(nsids[at], nsid) < 0) {
            at++;
        }
        if (at < count && nsids[at] == nsid) {
            return;
        }
        if (count == LIMIT) {
            overflown = true;
            return;
        }
        System.arraycopy(nsids, at, nsids, at + 1, count - at);
        nsids[at] = nsid;
        count++;
    }

    /** Whether more changed than the list holds; then it says only that. */
    boolean overflown() {
        return overflown;
    }

    int count() {
        return count;
    }

    /** The identifiers, ascending. */
    int nsid(final int index) {
        return nsids[index];
    }

    void clear() {
        count = 0;
        overflown = false;
    }
}
