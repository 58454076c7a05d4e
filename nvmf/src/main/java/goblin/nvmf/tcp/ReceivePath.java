// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/** What becomes of received payload. */
public enum ReceivePath {
    /** It stays in the segments that the stack lends, as long as there are enough of them. */
    LENT,
    /** As {@link #LENT}, and the stack is told what comes, so that it can put payload at the beginning of a page. */
    PLACED,
    /** It is copied into page-aligned memory at once. */
    COPIED
}
