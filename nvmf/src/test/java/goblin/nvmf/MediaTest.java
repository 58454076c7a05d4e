// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.BlockOperation;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceIdentity;
import goblin.nvmf.namespace.NamespaceTraits;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class MediaTest {
    private final CountDownLatch never = new CountDownLatch(1);

    @Test
    void shouldNameThoseThatFailOrHangAndCloseTheOthers() {
        final EndingNamespace good = new EndingNamespace("good", () -> {});
        final EndingNamespace failing = new EndingNamespace("failing", () -> {
            throw new NamespaceException("failing: the last sync failed");
        });
        final EndingNamespace broken = new EndingNamespace("broken", () -> {
            throw new IllegalStateException("of a test");
        });
        final EndingNamespace hanging = new EndingNamespace("hanging", this::hang);

        final List<String> lines = Media.closeAll(List.of(hanging, failing, broken, good), 1);
        never.countDown();

        assertThat(good.ended).isTrue();
        assertThat(lines)
                .hasSize(3)
                .contains("failing: the last sync failed")
                .anyMatch(line -> line.startsWith("broken failed at its end") && line.contains("of a test"))
                .anyMatch(line -> line.startsWith("hanging does not end"));
    }

    @Test
    void shouldHaveNothingToSayWhenAllAreDurable() {
        assertThat(Media.closeAll(List.of(new EndingNamespace("a", () -> {}), new EndingNamespace("b", () -> {})), 10))
                .isEmpty();
        assertThat(Media.closeAll(List.of(), 10)).isEmpty();
    }

    private void hang() {
        try {
            never.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @FunctionalInterface
    private interface End {
        void run() throws NamespaceException;
    }

    /** A medium of which only the end matters. */
    private static final class EndingNamespace implements Namespace {
        private final String name;
        private final End end;
        private volatile boolean ended;

        EndingNamespace(final String name, final End end) {
            this.name = name;
            this.end = end;
        }

        @Override
        public void submit(final BlockOperation operation, final CompletionInbox inbox) {
            throw new UnsupportedOperationException();
        }

        @Override
        public NamespaceIdentity identity() {
            return new NamespaceIdentity(new UUID(1, 2), 3, 4);
        }

        @Override
        public int blockBytes() {
            return 512;
        }

        @Override
        public long blocks() {
            return 1;
        }

        @Override
        public NamespaceTraits traits() {
            return new NamespaceTraits(false, true, true, true, 1);
        }

        @Override
        public String specification() {
            return name;
        }

        @Override
        public void resize(final long blocks) throws NamespaceException {
            throw new NamespaceException("of a test");
        }

        @Override
        public void retire() {
            // It takes nothing anyway.
        }

        @Override
        public void closeDurably() throws NamespaceException {
            end.run();
            ended = true;
        }

        @Override
        public void close() {
            ended = true;
        }
    }
}
