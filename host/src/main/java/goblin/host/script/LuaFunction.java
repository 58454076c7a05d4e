// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

/** A Java function that Lua can call: arguments are the stack, results are left on its top. */
@FunctionalInterface
interface LuaFunction {

    /**
     * Works on a Lua stack, where 20 slots are free; must not let Lua raise an error.
     *
     * @param lua the thread of Lua that calls
     * @return how many results are on the top of the stack
     * @throws ScriptError when the script shall get an error
     */
    int call(long lua) throws ScriptError;
}
