// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/** Which way a command's data goes. */
public enum Transfer {
    /** No data. */
    NONE,
    /** From the host: the data must be there before the command runs. */
    FROM_HOST,
    /** To the host: memory must be there before the command runs, and its contents go before the completion. */
    TO_HOST
}
