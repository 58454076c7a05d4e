// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.auth.Verifier.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VerifierTest {
    @TempDir
    private Path directory;

    private final BlockingQueue<Runnable> loop = new LinkedBlockingQueue<>();
    private Verifier verifier;

    @BeforeEach
    void makeUsers() throws IOException {
        final Argon2Cost cost = new Argon2Cost(64, 1, 1);
        final Path path = Files.writeString(
                directory.resolve("users"),
                "default:" + PhcHash.create(bytes("pw"), cost, new SecureRandom()) + "\nada:"
                        + PhcHash.create(bytes("lovelace"), cost, new SecureRandom()));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        verifier = new Verifier(UserFile.load(path), loop::add);
    }

    @AfterEach
    void closeVerifier() {
        verifier.close();
    }

    @Test
    void shouldAcceptTheRightPairAndRefuseOthers() throws InterruptedException {
        assertThat(verify("ada", "lovelace")).isEqualTo(Result.ACCEPTED);
        assertThat(verify("ada", "Lovelace")).isEqualTo(Result.REFUSED);
        assertThat(verify("ada", "")).isEqualTo(Result.REFUSED);
        assertThat(verify("nobody", "lovelace")).isEqualTo(Result.REFUSED);
        assertThat(verify("default", "lovelace")).isEqualTo(Result.REFUSED);
        assertThat(verify(new String(Verifier.defaultUser(), StandardCharsets.US_ASCII), "pw"))
                .isEqualTo(Result.ACCEPTED);
    }

    @Test
    void shouldAnswerAtOnceForAPairThatWasAcceptedBefore() throws InterruptedException {
        assertThat(verifier.tryCached(bytes("ada"), bytes("lovelace"))).isFalse();
        verify("ada", "lovelace");

        assertThat(verifier.tryCached(bytes("ada"), bytes("lovelace"))).isTrue();
        assertThat(verifier.tryCached(bytes("ada"), bytes("lovelac"))).isFalse();
        assertThat(verifier.tryCached(bytes("adal"), bytes("ovelace"))).isFalse();
        assertThat(verifier.tryCached(bytes("default"), bytes("pw"))).isFalse();
    }

    @Test
    void shouldRememberNoRefusedPair() throws InterruptedException {
        verify("ada", "guess");
        verify("nobody", "guess");

        assertThat(verifier.tryCached(bytes("ada"), bytes("guess"))).isFalse();
        assertThat(verifier.tryCached(bytes("nobody"), bytes("guess"))).isFalse();
    }

    @Test
    void shouldWipeThePasswordItWasGiven() throws InterruptedException {
        final byte[] password = bytes("lovelace");
        verifier.verify(bytes("ada"), password, result -> {});
        loop.take();

        assertThat(password).containsOnly(0);
    }

    @Test
    void shouldRefuseMoreThanItsQueueHoldsAndWipeThat() throws InterruptedException {
        final CountDownLatch blocked = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final List<Runnable> done = new ArrayList<>();
        final AtomicBoolean first = new AtomicBoolean(true);
        final BooleanSupplier blockOnce = () -> first.getAndSet(false);
        try (Verifier slow = new Verifier(UserFile.load(directory.resolve("users")), task -> {
            if (blockOnce.getAsBoolean()) {
                blocked.countDown();
                awaitQuietly(goOn);
            }
            synchronized (done) {
                done.add(task);
            }
        })) {
            slow.verify(bytes("nobody"), bytes("x"), result -> {});
            assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < Verifier.QUEUE_LENGTH; i++) {
                assertThat(slow.verify(bytes("nobody"), bytes("x"), result -> {}))
                        .isTrue();
            }
            final byte[] password = bytes("x");

            assertThat(slow.verify(bytes("ada"), password, result -> {})).isFalse();
            assertThat(password).containsOnly(0);
            goOn.countDown();
        }
    }

    @Test
    void shouldTakeNothingAfterItsEnd() {
        verifier.close();

        assertThat(verifier.verify(bytes("ada"), bytes("lovelace"), result -> {}))
                .isFalse();
    }

    private Result verify(final String user, final String password) throws InterruptedException {
        final List<Result> results = new ArrayList<>();
        assertThat(verifier.verify(bytes(user), bytes(password), results::add)).isTrue();
        loop.take().run();
        assertThat(results).hasSize(1);
        return results.getFirst();
    }

    private static void awaitQuietly(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
