// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.auth.UserFile;
import goblin.auth.Verifier;
import goblin.host.command.Client;
import goblin.host.command.Surroundings.Verdict;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Verifies passwords off the loop; the client that waits for a verdict is not read meanwhile. */
final class LoginDesk implements AutoCloseable {
    private final Verifier verifier;

    private LoginDesk(final Verifier verifier) {
        this.verifier = verifier;
    }

    /**
     * Reads the users.
     *
     * @param file null when no authentication is configured
     * @param loop runs what comes after a verification
     * @return null when no authentication is configured
     */
    static LoginDesk open(final Path file, final Executor loop) {
        return file == null ? null : new LoginDesk(new Verifier(UserFile.load(file), loop));
    }

    /** Answers at once when the pair was proven before, else null and later; the password is wiped in any case. */
    Verdict verify(final Client client, final byte[] user, final byte[] password, final Consumer<Verdict> later) {
        if (verifier.tryCached(user, password)) {
            Arrays.fill(password, (byte) 0);
            return Verdict.ACCEPTED;
        }
        client.hold();
        final boolean queued = verifier.verify(user, password, result -> {
            if (client.isOpen()) {
                later.accept(
                        switch (result) {
                            case ACCEPTED -> Verdict.ACCEPTED;
                            case REFUSED -> Verdict.REFUSED;
                            case FAILED -> Verdict.FAILED;
                        });
            }
            client.release();
        });
        if (!queued) {
            client.release();
            return Verdict.BUSY;
        }
        return null;
    }

    @Override
    public void close() {
        verifier.close();
    }
}
