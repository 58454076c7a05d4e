// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.auth.UserFile;
import goblin.auth.UserFileException;
import goblin.auth.Verifier;
import goblin.net.linux.Memory;
import goblin.resp.ErrorTexts;
import java.nio.charset.StandardCharsets;

/**
 * Who may use this edge: everybody, or the users of {@code --auth-file}. Passwords are checked off the loops, by one thread
 * for all of them; outcomes come back on the client's own.
 */
final class Authentication implements AutoCloseable {
    /** What to do with the outcome of a check. */
    interface Outcome {
        /**
         * The check has ended.
         *
         * @param error null when the pair is right, else the error reply's text
         */
        void onChecked(String error);
    }

    /** Longer names and passwords cannot be right, and would only cost memory. */
    private static final int MOST_BYTES = 16 * 1024;

    private static final String BUSY = "ERR too many logins are being verified, try again";
    private static final String FAILED = "ERR the login could not be verified, try again";

    private final Verifier verifier;

    private Authentication(final Verifier verifier) {
        this.verifier = verifier;
    }

    /**
     * Reads the users file, if there is one.
     *
     * @throws EdgeContext.BadOption when the file is not usable
     */
    static Authentication of(final EdgeContext context) {
        if (context.authFile() == null) {
            return new Authentication(null);
        }
        try {
            return new Authentication(new Verifier(UserFile.load(context.authFile()), Runnable::run));
        } catch (final UserFileException e) {
            throw new EdgeContext.BadOption("--auth-file: " + e.getMessage(), e);
        }
    }

    boolean isRequired() {
        return verifier != null;
    }

    /**
     * Checks a pair; nothing further of the client is handled until the outcome.
     *
     * @param user  address and length of the name; a length of -1 means the default user
     * @param client becomes authenticated before the outcome is told
     */
    void check(
            final ClientSession client,
            final long user,
            final int userLength,
            final long password,
            final int passwordLength,
            final Outcome outcome) {
        if (userLength > MOST_BYTES || passwordLength > MOST_BYTES) {
            outcome.onChecked(ErrorTexts.WRONGPASS);
            return;
        }
        final byte[] name = userLength < 0 ? Verifier.defaultUser() : Memory.toBytes(user, userLength);
        if (verifier == null) {
            // As Redis without users: the default user has no password and accepts any.
            final boolean isDefault = new String(name, StandardCharsets.UTF_8).equals("default");
            outcome.onChecked(isDefault ? null : ErrorTexts.WRONGPASS);
            return;
        }
        final byte[] secret = Memory.toBytes(password, passwordLength);
        final String nameText = new String(name, StandardCharsets.UTF_8);
        if (verifier.tryCached(name, secret)) {
            java.util.Arrays.fill(secret, (byte) 0);
            accept(client, nameText);
            outcome.onChecked(null);
            return;
        }
        client.busy(true);
        final boolean queued = verifier.verify(
                name, secret, result -> client.edge().tell(() -> checked(client, nameText, result, outcome)));
        if (!queued) {
            outcome.onChecked(BUSY);
            client.busy(false);
        }
    }

    private static void checked(
            final ClientSession client, final String user, final Verifier.Result result, final Outcome outcome) {
        if (result == Verifier.Result.ACCEPTED) {
            accept(client, user);
        }
        if (!client.isGone()) {
            outcome.onChecked(
                    switch (result) {
                        case ACCEPTED -> null;
                        case REFUSED -> ErrorTexts.WRONGPASS;
                        case FAILED -> FAILED;
                    });
            client.busy(false);
        }
    }

    private static void accept(final ClientSession client, final String user) {
        client.authenticated(true);
        client.attributes().user(user);
    }

    @Override
    public void close() {
        if (verifier != null) {
            verifier.close();
        }
    }
}
