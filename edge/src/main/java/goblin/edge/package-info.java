// SPDX-License-Identifier: Apache-2.0

/** The program {@code goblin-core-bluefield}: clients, local fanout, and the sessions to the host. */
package goblin.edge;
