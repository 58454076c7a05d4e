// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/** A namespace cannot be made or changed; the message is for people and names the medium and the cause. */
public final class NamespaceException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param message for people
     */
    public NamespaceException(final String message) {
        super(message);
    }
}
