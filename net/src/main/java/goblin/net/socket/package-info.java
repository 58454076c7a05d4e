// SPDX-License-Identifier: Apache-2.0

/** What the backends of kernel sockets share; not exported. A backend says how events and bytes come. */
package goblin.net.socket;
