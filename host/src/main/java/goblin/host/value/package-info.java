// SPDX-License-Identifier: Apache-2.0

/** The collections a key can hold, independent of commands and of the keyspace. */
package goblin.host.value;
