// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The steps of the program's end, one after the other, each on a thread of its own for a while: one that fails or hangs
 * keeps neither the others nor the process. One thread at a time.
 */
final class Ending {
    private final NvmfLog log;
    private boolean clean = true;

    Ending(final NvmfLog log) {
        this.log = log;
    }

    /** Does a step, and waits for it for so long; what it throws and its delay are told in one line. */
    void step(final String what, final long seconds, final Runnable step) {
        final CountDownLatch done = new CountDownLatch(1);
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        try {
            final Thread thread = new Thread(
                    () -> {
                        try {
                            step.run();
                        } catch (final Throwable failure) {
                            thrown.set(failure);
                        } finally {
                            done.countDown();
                        }
                    },
                    "ending");
            thread.setDaemon(true);
            thread.start();
            if (!done.await(seconds, TimeUnit.SECONDS)) {
                unclean(what + " took more than " + seconds + " s, and the target ends without");
            } else if (thrown.get() != null) {
                unclean(what + " failed: " + thrown.get());
            }
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            unclean(what + " was interrupted");
        } catch (final OutOfMemoryError noThread) {
            unclean(what + " failed: " + noThread);
        }
    }

    /** Tells of something that makes the end no clean one. */
    void unclean(final String line) {
        clean = false;
        try {
            log.line(line);
        } catch (final OutOfMemoryError full) {
            // There is nobody left to tell; the exit status says it.
        }
    }

    /** Whether all went as it should. */
    boolean isClean() {
        return clean;
    }
}
