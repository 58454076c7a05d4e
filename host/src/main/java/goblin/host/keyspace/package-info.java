// SPDX-License-Identifier: Apache-2.0

/** Keys, values, expiry and who watches them. Knows nothing about clients or the wire. */
package goblin.host.keyspace;
