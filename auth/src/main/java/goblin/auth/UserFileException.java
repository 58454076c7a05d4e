// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

/** A users file cannot be used. The message is one line for people that names the file, the line and what to do. */
public final class UserFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UserFileException(final String message) {
        super(message);
    }

    UserFileException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
