// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/** What becomes of vectors that have grown, once their data is done. */
public enum VectorRetention {
    /** They stay with their object for as long as that lives. */
    KEEP,
    /** They are given back at once. */
    RELEASE,
    /** They are given back when nothing has needed them for a while. */
    DECAY
}
