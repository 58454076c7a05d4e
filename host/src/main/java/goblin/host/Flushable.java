// SPDX-License-Identifier: Apache-2.0
package goblin.host;

/** Something that gathered output during a turn and sends it at the turn's end. */
interface Flushable {

    /** Sends what was gathered. Called once for each time it was marked. */
    void flush();
}
