// SPDX-License-Identifier: Apache-2.0

/** Publications and control messages between the loops of one edge, in one total order; knows nothing of clients. */
package goblin.edge.exchange;
