// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Checks names and passwords off the loop, one at a time ("Authentication" in the edge's specification).
 *
 * <p>Argon2id runs on one daemon thread, which inherits the CPU mask of the thread that makes the verifier: make it
 * before the loop pins itself. At most {@value #QUEUE_LENGTH} checks wait. After a success a keyed hash of the pair
 * (random key per process) answers for it at once, so that a storm of reconnects costs nothing. An unknown user costs
 * the same time as a wrong password. Passwords given to it are wiped.
 */
public final class Verifier implements AutoCloseable {
    /** Checks that may wait; one more is refused. */
    public static final int QUEUE_LENGTH = 1_024;

    private static final byte[] DEFAULT_USER = UserName.DEFAULT.getBytes(StandardCharsets.US_ASCII);

    private final UserFile users;
    private final Executor loop;
    private final PhcHash dummy;
    private final PairHash pairHash;
    private final Map<UserName, byte[]> proven = new ConcurrentHashMap<>();
    private final BlockingQueue<Request> queue = new ArrayBlockingQueue<>(QUEUE_LENGTH);
    private final Thread worker;
    private volatile boolean closed;

    /** What a check came to. */
    public enum Result {
        /** The pair is right. */
        ACCEPTED,
        /** No such user, or not his password. */
        REFUSED,
        /** The check itself failed, for want of memory for example; nothing is known about the pair. */
        FAILED
    }

    /** Told the outcome of one check, on the loop. */
    @FunctionalInterface
    public interface Callback {
        /**
         * The check has ended.
         *
         * @param result what it came to
         */
        void onVerified(Result result);
    }

    /** One check that waits or runs; its password is wiped in place. */
    private static final class Request {
        private final byte[] user;
        private final byte[] password;
        private final Callback callback;

        private Request(final byte[] user, final byte[] password, final Callback callback) {
            this.user = user;
            this.password = password;
            this.callback = callback;
        }
    }

    /**
     * Starts the thread.
     *
     * @param users who may log in
     * @param loop runs callbacks, such as the loop's {@code execute}
     */
    public Verifier(final UserFile users, final Executor loop) {
        this.users = users;
        this.loop = loop;
        final SecureRandom random = new SecureRandom();
        dummy = PhcHash.unmatchable(users.typicalCost(), random);
        pairHash = new PairHash(random);
        worker = new Thread(this::work, "auth");
        worker.setDaemon(true);
        worker.start();
    }

    /**
     * The user that {@code AUTH password} means.
     *
     * @return a fresh array
     */
    public static byte[] defaultUser() {
        return DEFAULT_USER.clone();
    }

    /**
     * Answers at once when this pair was accepted before. Nothing is wiped: {@link #verify} may follow.
     *
     * @param user the name
     * @param password the password
     * @return true when the pair is right; false tells nothing
     */
    public boolean tryCached(final byte[] user, final byte[] password) {
        final byte[] known = proven.get(new UserName(user));
        if (known == null) {
            return false;
        }
        final byte[] computed = pairHash.of(user, password);
        final boolean equal = MessageDigest.isEqual(known, computed);
        Arrays.fill(computed, (byte) 0);
        return equal;
    }

    /**
     * Checks a pair on the verifier's thread. Both arrays belong to the verifier from here on; the password is wiped,
     * also when the answer is false.
     *
     * @param user the name
     * @param password the password
     * @param callback told the outcome on the loop, exactly once, unless the answer is false
     * @return false when too many checks wait already, or the verifier is closed
     */
    public boolean verify(final byte[] user, final byte[] password, final Callback callback) {
        if (!closed && queue.offer(new Request(user, password, callback))) {
            return true;
        }
        Arrays.fill(password, (byte) 0);
        return false;
    }

    /** Ends the thread; checks that still wait are wiped and get no callback. Idempotent. */
    @Override
    public void close() {
        closed = true;
        worker.interrupt();
        wipeQueue();
    }

    private void work() {
        try {
            while (!closed) {
                final Request request = queue.take();
                final Result result = check(request);
                Arrays.fill(request.password, (byte) 0);
                loop.execute(() -> request.callback.onVerified(result));
            }
        } catch (final InterruptedException e) {
            // Only close() interrupts.
            closed = true;
        }
        wipeQueue();
    }

    private Result check(final Request request) {
        try {
            if (tryCached(request.user, request.password)) {
                return Result.ACCEPTED;
            }
            final UserName name = new UserName(request.user);
            final PhcHash hash = users.hashOf(name);
            if (hash == null) {
                dummy.matches(request.password);
                return Result.REFUSED;
            }
            if (!hash.matches(request.password)) {
                return Result.REFUSED;
            }
            proven.put(name, pairHash.of(request.user, request.password));
            return Result.ACCEPTED;
        } catch (final RuntimeException | OutOfMemoryError e) {
            return Result.FAILED;
        }
    }

    private void wipeQueue() {
        for (Request request = queue.poll(); request != null; request = queue.poll()) {
            Arrays.fill(request.password, (byte) 0);
        }
    }
}
