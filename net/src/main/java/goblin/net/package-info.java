// SPDX-License-Identifier: Apache-2.0

/** The contract between protocols and transports: loops, connections and lent segments. */
package goblin.net;
