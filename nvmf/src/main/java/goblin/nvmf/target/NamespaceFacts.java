// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceIdentity;
import goblin.nvmf.namespace.NamespaceTraits;
import java.nio.ByteBuffer;

/**
 * What Identify Namespace depends on, at one moment.
 *
 * @param blocks     how many
 * @param blockBytes 512 or 4096
 * @param anaGroup   1 or more
 * @param identity   who it is
 * @param traits     what it can do
 */
record NamespaceFacts(long blocks, int blockBytes, int anaGroup, NamespaceIdentity identity, NamespaceTraits traits) {

    static NamespaceFacts of(final Namespace namespace, final int anaGroup) {
        return new NamespaceFacts(
                namespace.blocks(), namespace.blockBytes(), anaGroup, namespace.identity(), namespace.traits());
    }

    /** The NGUID as it is on the wire, big-endian. */
    byte[] nguid() {
        return ByteBuffer.allocate(16)
                .putLong(identity.nguidHigh())
                .putLong(identity.nguidLow())
                .array();
    }

    /** The UUID as it is on the wire, big-endian. */
    byte[] uuid() {
        return ByteBuffer.allocate(16)
                .putLong(identity.uuid().getMostSignificantBits())
                .putLong(identity.uuid().getLeastSignificantBits())
                .array();
    }
}
