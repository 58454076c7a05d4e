// SPDX-License-Identifier: Apache-2.0

/** Operations handed to the kernel through shared rings: io_uring. */
package goblin.net.uring;
