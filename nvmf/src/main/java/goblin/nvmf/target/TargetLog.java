// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/** Where a target tells people what happened; lines that could come in floods are limited before they get here. */
@FunctionalInterface
public interface TargetLog {
    /** Writes lines to standard error. */
    TargetLog STANDARD_ERROR = System.err::println;

    /**
     * Something worth a line happened. Called on any thread; must not block for long.
     *
     * @param line for people, without a line end
     */
    void line(String line);
}
