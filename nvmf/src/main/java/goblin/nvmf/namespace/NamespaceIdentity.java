// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.util.UUID;

/**
 * What hosts know a namespace by.
 *
 * @param uuid  never nil
 * @param nguid 16 bytes as they stand in Identify, never all zero; not shared, not to be changed
 */
public record NamespaceIdentity(UUID uuid, byte[] nguid) {}
