// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

/** Something a script did wrong; its message goes to the script or the client, one character for each byte. */
final class ScriptError extends Exception {
    private static final long serialVersionUID = 1L;

    ScriptError(final String message) {
        super(message, null, false, false);
    }
}
