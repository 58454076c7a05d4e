// SPDX-License-Identifier: Apache-2.0

/** Both ends of the SBE link: what is sent, in which order, and when a peer is refused or dead. */
package goblin.link;
