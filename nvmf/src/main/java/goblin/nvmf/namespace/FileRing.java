// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/** Reads and writes files for a loop without making it wait. On the loop's thread. */
interface FileRing {

    /**
     * Starts to read or write an operation's whole range with its vector as it is; {@link FileNamespace#moved} follows on
     * the same thread, never from inside this call.
     *
     * @return false when it cannot be taken now; nothing was done
     */
    boolean start(FileNamespace namespace, BlockOperation operation, BackingFile file);
}
