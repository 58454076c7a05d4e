// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

/** An option is wrong; the message is the line for standard error. */
final class BadOption extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadOption(final String message) {
        super(message);
    }
}
