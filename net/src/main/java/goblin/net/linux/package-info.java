// SPDX-License-Identifier: Apache-2.0

/** The one place with Linux calls and native layouts, for x86-64 and aarch64. */
package goblin.net.linux;
