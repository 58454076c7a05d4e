// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/** How large the vectors are that name received payload. */
public enum VectorMode {
    /** Small at first; they grow up to a limit when payload lies in many pieces. */
    DYNAMIC,
    /** As large from the start as they can ever be useful, each of them. */
    FIXED,
    /** Small for ever; payload in more pieces is copied. */
    INLINE
}
