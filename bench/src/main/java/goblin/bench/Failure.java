// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

/** Why a program ends with status 1; the message is the one line that it prints. */
final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    Failure(final String message) {
        super(message);
    }

    Failure(final String message, final Throwable cause) {
        super(message, cause);
    }
}
