// SPDX-License-Identifier: Apache-2.0

/**
 * An NVMe/TCP host: an association with its queues on one event loop, for tests and for measuring. Knows the wire format
 * of {@code goblin.nvmf.tcp} and nothing of the target's insides.
 */
package goblin.nvmf.initiator;
