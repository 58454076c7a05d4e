// SPDX-License-Identifier: Apache-2.0

/**
 * NVMe over TCP (NVM Express TCP Transport specification): its PDUs, the reader of their stream, and the connections
 * that carry the queues of a target.
 */
package goblin.nvmf.tcp;
