// SPDX-License-Identifier: Apache-2.0
package goblin.net.uring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.Iovec;
import goblin.net.NetException;
import goblin.net.linux.Affinity;
import goblin.net.linux.EpollCalls;
import goblin.net.linux.Errno;
import goblin.net.linux.FileCalls;
import goblin.net.linux.Memory;
import goblin.net.linux.SocketCalls;
import goblin.net.linux.UringEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class RingTest {
    private static final int INPUT = 1;
    private static final long LONG_NS = 20_000_000_000L;
    private static final int ZERO_RANGE = 0x10;

    private final Ring ring = new Ring(8, 16);
    private final FileCalls files = new FileCalls();
    private final SocketCalls sockets = new SocketCalls();
    private final EpollCalls polls = new EpollCalls();
    private final long memory = Memory.allocate(4096);

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        ring.close();
        ring.close();
        Memory.free(memory);
        files.free();
        sockets.free();
        polls.free();
    }

    @Test
    void shouldNotBeRefusedHere() {
        assertThat(Ring.refusal()).isEmpty();
    }

    @Test
    void shouldLimitTheKernelsWorkersOnceItHasSubmitted() {
        UringEntry.nop(ring.entry(), 1);
        assertThat(ring.submit()).isZero();
        assertThat(ring.workers(4, Affinity.mask())).isZero();
        assertThat(ring.workers(8, null)).isZero();
    }

    @Test
    void shouldSayWhyARingCannotBeMade() {
        assertThatThrownBy(() -> new Ring(1 << 20, 1 << 21))
                .isInstanceOf(NetException.class)
                .hasMessageContaining("EINVAL");
    }

    @Test
    void shouldCompleteInOrderWhatDoesNothing() {
        assertThat(ring.needsSubmit()).isFalse();
        assertThat(ring.submit()).isZero();
        for (int i = 1; i <= 3; i++) {
            UringEntry.nop(ring.entry(), i);
        }
        assertThat(ring.queued()).isEqualTo(3);
        assertThat(ring.needsSubmit()).isTrue();
        assertThat(ring.hasCompletion()).isFalse();
        assertThat(ring.submit()).isZero();
        assertThat(ring.queued()).isZero();
        assertThat(ring.hasCompletion()).isTrue();
        assertThat(completions()).containsExactly("1:0", "2:0", "3:0");
        assertThat(ring.flags()).isZero();
    }

    @Test
    void shouldSayThatTheQueueIsFullUntilItIsSubmitted() {
        for (int i = 0; i < 8; i++) {
            UringEntry.nop(ring.entry(), i);
        }
        assertThat(ring.entry()).isZero();
        assertThat(ring.queued()).isEqualTo(8);
        assertThat(ring.submit()).isZero();
        final long entry = ring.entry();
        assertThat(entry).isNotZero();
        UringEntry.nop(entry, 8);
        ring.submit();
        assertThat(completions()).hasSize(9);
    }

    @Test
    void shouldKeepCompletionsThatDoNotFitTheirQueue() {
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            UringEntry.nop(ring.entry(), i);
            expected.add(i + ":0");
            if (ring.queued() == 8) {
                ring.submit();
            }
        }
        final List<String> got = new ArrayList<>();
        while (got.size() < 100) {
            ring.submit();
            got.addAll(completions());
        }
        assertThat(got).isEqualTo(expected);
        assertThat(ring.needsSubmit()).isFalse();
    }

    @Test
    void shouldReadAndWriteRunsOfAFileAndMakeThemDurable() {
        final int fd = files.open(directory.resolve("file").toString(), FileCalls.CREATE | FileCalls.READ_WRITE, 0600);
        final long iovecs = memory;
        final long data = memory + 64;
        Memory.copyIn("0123456789abcdef".getBytes(US_ASCII), 0, data, 16);
        Iovec.put(iovecs, 0, data + 10, 6);
        Iovec.put(iovecs, 1, data, 10);
        UringEntry.writev(ring.entry(), fd, iovecs, 2, 100, 0, 1);
        assertThat(completed()).isEqualTo("1:16");
        UringEntry.fsync(ring.entry(), fd, true, 2);
        assertThat(completed()).isEqualTo("2:0");
        UringEntry.fallocate(ring.entry(), fd, ZERO_RANGE, 102, 2, 3);
        assertThat(completed()).isIn("3:0", "3:" + -Errno.EOPNOTSUPP);
        final boolean cleared = ring.result() == 0;

        Iovec.put(iovecs, 0, data + 100, 4);
        Iovec.put(iovecs, 1, data + 200, 100);
        UringEntry.readv(ring.entry(), fd, iovecs, 2, 98, 4);
        assertThat(completed()).isEqualTo("4:18");
        assertThat(Memory.toBytes(data + 100, 4)).isEqualTo("\0\0ab".getBytes(US_ASCII));
        assertThat(Memory.toBytes(data + 200, 14))
                .isEqualTo((cleared ? "\0\0ef0123456789" : "cdef0123456789").getBytes(US_ASCII));
        UringEntry.readv(ring.entry(), -1, iovecs, 2, 98, 5);
        assertThat(completed()).isEqualTo("5:" + -Errno.EBADF);
        files.close(fd);
    }

    @Test
    void shouldCompleteWhenATimeIsUpAndEndItsSleepWhenNothingCompletes() {
        Memory.putLong(memory, 0);
        Memory.putLong(memory + 8, 1_000_000);
        UringEntry.timeout(ring.entry(), memory, 7);
        assertThat(ring.submit()).isZero();
        assertThat(completed()).isEqualTo("7:" + -Errno.ETIME);
        assertThat(ring.await(1_000_000)).isZero();
        assertThat(ring.hasCompletion()).isFalse();
    }

    @Test
    void shouldWatchADescriptorUntilThatIsCancelled() {
        final int eventfd = polls.eventfd();
        UringEntry.watch(ring.entry(), eventfd, INPUT, 1);
        ring.submit();
        assertThat(ring.hasCompletion()).isFalse();
        for (int i = 0; i < 2; i++) {
            EpollCalls.signal(eventfd);
            assertThat(ring.needsSubmit()).isTrue();
            assertThat(completed()).isEqualTo("1:" + INPUT);
            assertThat(ring.flags() & Ring.MORE).isNotZero();
        }
        UringEntry.cancel(ring.entry(), 1, 2);
        ring.submit();
        assertThat(completions()).containsExactlyInAnyOrder("1:" + -Errno.ECANCELED, "2:0");
        UringEntry.cancel(ring.entry(), 1, 3);
        assertThat(completed()).isEqualTo("3:" + -Errno.ENOENT);
        UringEntry.poll(ring.entry(), eventfd, INPUT, 4);
        assertThat(completed()).isEqualTo("4:" + INPUT);
        assertThat(ring.flags() & Ring.MORE).isZero();
        sockets.close(eventfd);
    }

    @Test
    void shouldCancelAll() {
        final int eventfd = polls.eventfd();
        UringEntry.watch(ring.entry(), eventfd, INPUT, 1);
        UringEntry.poll(ring.entry(), eventfd, INPUT, 2);
        ring.submit();
        UringEntry.cancelAll(ring.entry(), 3);
        ring.submit();
        assertThat(completions()).containsExactlyInAnyOrder("1:" + -Errno.ECANCELED, "2:" + -Errno.ECANCELED, "3:2");
        sockets.close(eventfd);
    }

    @Test
    void shouldSignalCompletionsOnlyWhileNotifying() {
        final int eventfd = polls.eventfd();
        final int epoll = polls.create();
        final long events = memory;
        polls.add(epoll, eventfd, INPUT, 0);
        assertThat(ring.registerEventfd(eventfd)).isZero();
        ring.notifying(false);
        UringEntry.nop(ring.entry(), 1);
        ring.submit();
        assertThat(completions()).hasSize(1);
        assertThat(polls.poll(epoll, events, 1)).isZero();
        ring.notifying(true);
        UringEntry.nop(ring.entry(), 2);
        ring.submit();
        assertThat(polls.poll(epoll, events, 1)).isEqualTo(1);
        assertThat(completions()).hasSize(1);
        sockets.close(epoll);
        sockets.close(eventfd);
    }

    @Test
    void shouldBelongToTheThreadThatUsesItFirst() throws InterruptedException {
        UringEntry.nop(ring.entry(), 1);
        final AtomicReference<String> there = new AtomicReference<>();
        Thread.ofPlatform().start(() -> there.set(completed())).join();
        assertThat(there.get()).isEqualTo("1:0");
        UringEntry.nop(ring.entry(), 2);
        assertThat(ring.submit()).isNegative();
    }

    private String completed() {
        assertThat(ring.await(LONG_NS)).isZero();
        assertThat(ring.next()).isTrue();
        return ring.userData() + ":" + ring.result();
    }

    private List<String> completions() {
        final List<String> all = new ArrayList<>();
        while (ring.next()) {
            all.add(ring.userData() + ":" + ring.result());
        }
        return all;
    }
}
