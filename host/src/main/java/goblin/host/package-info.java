// SPDX-License-Identifier: Apache-2.0

/** The program {@code goblin-core}: its listeners, sessions and edges. */
package goblin.host;
