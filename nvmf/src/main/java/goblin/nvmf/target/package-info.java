// SPDX-License-Identifier: Apache-2.0

/**
 * What a target is, whatever carries its commands: subsystems, controllers, queues, commands. A transport sees
 * {@link goblin.nvmf.target.QueuePair} and {@link goblin.nvmf.target.Request}; the target sees the transport as
 * {@link goblin.nvmf.target.QueueTransport}.
 */
package goblin.nvmf.target;
