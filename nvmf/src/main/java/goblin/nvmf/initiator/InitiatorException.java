// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

/** What a target did wrong, or what it refused, in one line for people. */
public final class InitiatorException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param message one line
     */
    public InitiatorException(final String message) {
        super(message);
    }
}
