// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import goblin.net.NativeBuffer;

/** What a running script needs of the server around it. All methods are called on the server's thread. */
public interface ScriptHost {

    /**
     * Runs one command for the running script.
     *
     * @param addresses where each argument begins, the command's name first; valid during the call
     * @param lengths   bytes of each argument
     * @param count     how many arguments there are, at least 1
     * @param reply     gets exactly one reply; what a script may not do is refused by an error reply
     * @param protocol  2 or 3, the reply's version
     */
    void call(long[] addresses, int[] lengths, int count, NativeBuffer reply, int protocol);

    /**
     * Lets the server look after what cannot wait for the end of a long script: heartbeats, refusals, kills. Called
     * about every five milliseconds while a script runs.
     *
     * @return true to kill the script
     */
    boolean poll();

    /**
     * Writes a script's line to the server's log.
     *
     * @param level   0 debug, 1 verbose, 2 notice, 3 warning
     * @param address first byte of the text
     * @param length  bytes
     */
    void log(int level, long address, int length);
}
