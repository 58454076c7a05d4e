// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.util.UUID;

/**
 * What hosts know a namespace by.
 *
 * @param uuid      never nil
 * @param nguidHigh the first 8 bytes of the NGUID, as a big-endian number
 * @param nguidLow  its last 8 bytes, likewise; never zero together with the first
 */
public record NamespaceIdentity(UUID uuid, long nguidHigh, long nguidLow) {}
