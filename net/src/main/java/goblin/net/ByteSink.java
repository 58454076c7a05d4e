// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/** Takes bytes at its end, whatever it does with them: an encoder writes into one without knowing which it is. */
public interface ByteSink {

    /**
     * Appends native bytes.
     *
     * @param address first byte; only read during the call
     * @param length bytes, 0 or more
     */
    void append(long address, long length);
}
