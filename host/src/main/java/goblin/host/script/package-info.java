// SPDX-License-Identifier: Apache-2.0

/**
 * Scripts in real Lua 5.1, called through its C interface.
 *
 * <p>Everything here runs on the server's one thread. Bytes go between Lua and the server by native address; no Java
 * string is made of what a client or a script sent. Two rules keep the C library and the JVM apart: a Java function
 * called by Lua never lets Lua raise an error through it (it returns the error and a few lines of Lua raise it), and
 * Lua's memory limit applies only while Lua itself runs (see {@link goblin.host.script.LuaMemory}).
 */
package goblin.host.script;
