// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;
import java.util.List;

/** The Asymmetric Namespace Access log (0Ch): each group, its state and its namespaces. */
final class AnaLog {
    private static final int HEADER_BYTES = 16;
    private static final int GROUP_BYTES = 32;

    private AnaLog() {}

    /** Writes the log, without namespaces if asked so (RGO), and gives back its length. */
    static long write(final VectorWriter writer, final Subsystem subsystem, final boolean groupsOnly) {
        // First the count: a change meanwhile makes the host read again, never miss it.
        final long changes = subsystem.anaChangeCount();
        final List<AnaGroup> groups = subsystem.anaGroups();
        final NamespaceTable namespaces = subsystem.namespaces();
        Memory.putLong(writer.part(), changes);
        Memory.putShort(writer.part() + 8, (short) groups.size());
        writer.send(0, HEADER_BYTES);
        long at = HEADER_BYTES;
        for (final AnaGroup group : groups) {
            final int members = groupsOnly ? 0 : count(namespaces, group.id());
            final long entry = writer.part();
            Memory.putInt(entry, group.id());
            Memory.putInt(entry + 4, members);
            Memory.putLong(entry + 8, changes);
            Memory.putByte(entry + 16, (byte) group.state().code());
            writer.send(at, GROUP_BYTES);
            at += GROUP_BYTES;
            if (members > 0) {
                list(writer.part(), namespaces, group.id());
                writer.send(at, members * 4);
                at += members * 4L;
            }
        }
        return at;
    }

    private static int count(final NamespaceTable namespaces, final int group) {
        int count = 0;
        for (int nsid = 1; nsid <= namespaces.highestNsid(); nsid++) {
            if (isMember(namespaces, nsid, group)) {
                count++;
            }
        }
        return count;
    }

    private static void list(final long page, final NamespaceTable namespaces, final int group) {
        long at = page;
        for (int nsid = 1; nsid <= namespaces.highestNsid(); nsid++) {
            if (isMember(namespaces, nsid, group)) {
                Memory.putInt(at, nsid);
                at += 4;
            }
        }
    }

    private static boolean isMember(final NamespaceTable namespaces, final int nsid, final int group) {
        final NamespaceEntry entry = namespaces.find(nsid);
        return entry != null && entry.anaGroup() == group;
    }
}
