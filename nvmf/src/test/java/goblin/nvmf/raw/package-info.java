// SPDX-License-Identifier: Apache-2.0

/** A host made of blocking sockets and byte arrays, a second reading of the wire format. */
package goblin.nvmf.raw;
