// SPDX-License-Identifier: Apache-2.0

/**
 * The commands: one table of what each is like, one file a family of what each does, and the rules between them
 * (authentication, MULTI, subscribed mode, memory). Sessions and scripts both run commands through the dispatcher.
 */
package goblin.host.command;
