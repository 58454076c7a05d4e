// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Iovec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCallsTest {
    private final FileCalls calls = new FileCalls();
    private final long memory = Memory.allocate(4096);
    private final long iovecs = Memory.allocate(2 * Iovec.BYTES);
    private final long status = Memory.allocate(FileStatus.BYTES);

    @TempDir
    private Path directory;

    private int fd;

    @BeforeEach
    void open() {
        fd = calls.open(directory.resolve("a").toString(), FileCalls.READ_WRITE | FileCalls.CREATE, 0600);
        assertThat(fd).isNotNegative();
    }

    @AfterEach
    void close() {
        assertThat(calls.close(fd)).isZero();
        calls.free();
        Memory.free(memory);
        Memory.free(iovecs);
        Memory.free(status);
    }

    @Test
    void shouldWriteAndReadVectorsAtOffsets() throws IOException {
        put("hello world");
        Iovec.put(iovecs, 0, memory + 6, 5);
        Iovec.put(iovecs, 1, memory, 5);
        assertThat(calls.write(fd, iovecs, 2, 100, false)).isEqualTo(10);
        assertThat(calls.write(fd, iovecs, 1, 200, true)).isEqualTo(5);
        assertThat(calls.syncData(fd)).isZero();
        final byte[] contents = Files.readAllBytes(directory.resolve("a"));
        assertThat(new String(contents, 100, 10, StandardCharsets.US_ASCII)).isEqualTo("worldhello");
        assertThat(new String(contents, 200, 5, StandardCharsets.US_ASCII)).isEqualTo("world");
        Iovec.put(iovecs, 0, memory + 1000, 3);
        Iovec.put(iovecs, 1, memory + 2000, 500);
        assertThat(calls.read(fd, iovecs, 2, 200)).as("the file ends").isEqualTo(5);
        assertThat(Memory.toBytes(memory + 2000, 2)).isEqualTo("ld".getBytes(StandardCharsets.US_ASCII));
        assertThat(calls.read(fd, iovecs, 2, 205)).isZero();
    }

    @Test
    void shouldTellWhatAFileIs() {
        assertThat(calls.truncate(fd, 5L << 30)).isZero();
        assertThat(calls.status(fd, status)).isZero();
        assertThat(FileStatus.isRegular(status)).isTrue();
        assertThat(FileStatus.isBlockDevice(status)).isFalse();
        assertThat(FileStatus.size(status)).isEqualTo(5L << 30);
        assertThat(FileStatus.blockBytes(status)).isPositive();
        if (FileStatus.knowsDirect(status) && FileStatus.directMemory(status) > 0) {
            assertThat(Integer.bitCount(FileStatus.directMemory(status))).isEqualTo(1);
            assertThat(FileStatus.directOffset(status)).isBetween(512, 1 << 16);
        }
        final int folder = calls.open(directory.toString(), FileCalls.READ_ONLY, 0);
        assertThat(calls.status(folder, status)).isZero();
        assertThat(FileStatus.isRegular(status)).isFalse();
        calls.close(folder);
    }

    @Test
    void shouldClearRangesOrSayThatItCannot() throws IOException {
        Memory.fill(memory, 4096, (byte) 1);
        Iovec.put(iovecs, 0, memory, 4096);
        calls.write(fd, iovecs, 1, 0, false);
        final int punched = calls.punch(fd, 100, 1000);
        final int zeroed = calls.zero(fd, 2000, 100);
        final byte[] contents = Files.readAllBytes(directory.resolve("a"));
        assertThat(contents).hasSize(4096);
        assertThat(contents[99]).isEqualTo((byte) 1);
        assertThat(contents[100]).isEqualTo((byte) (punched == 0 ? 0 : 1));
        assertThat(contents[2050]).isEqualTo((byte) (zeroed == 0 ? 0 : 1));
        assertThat(punched).isIn(0, -Errno.EOPNOTSUPP);
        assertThat(zeroed).isIn(0, -Errno.EOPNOTSUPP);
    }

    @Test
    void shouldClaimAFileForOneOnly() {
        final int other = calls.open(directory.resolve("a").toString(), FileCalls.READ_ONLY, 0);
        assertThat(calls.claim(fd, false)).isZero();
        assertThat(calls.claim(other, true)).isEqualTo(-Errno.EAGAIN);
        assertThat(calls.claim(fd, true)).isZero();
        assertThat(calls.claim(other, true)).isZero();
        calls.close(other);
    }

    @Test
    void shouldReturnTheNegatedErrno() {
        assertThat(calls.open(directory.resolve("no/such").toString(), FileCalls.READ_ONLY, 0))
                .isEqualTo(-Errno.ENOENT);
        assertThat(calls.open(directory.toString(), FileCalls.READ_WRITE, 0)).isEqualTo(-Errno.EISDIR);
        assertThat(calls.deviceBytes(fd)).isNegative();
        assertThat(calls.deviceSectorBytes(fd)).isNegative();
        assertThat(calls.deviceDiscard(fd, 0, 4096)).isNegative();
        assertThat(calls.deviceZero(fd, 0, 4096)).isNegative();
        assertThat(calls.syncData(-1)).isEqualTo(-Errno.EBADF);
        assertThat(calls.read(-1, iovecs, 1, 0)).isEqualTo(-Errno.EBADF);
        assertThat(calls.write(-1, iovecs, 1, 0, true)).isEqualTo(-Errno.EBADF);
    }

    @Test
    void shouldGiveDiscardedPagesBackAsZeros() {
        final long pages = Pages.map(4L * Pages.PAGE_BYTES);
        Memory.fill(pages, 4L * Pages.PAGE_BYTES, (byte) 3);
        assertThat(Pages.discard(pages + Pages.PAGE_BYTES, 2L * Pages.PAGE_BYTES))
                .isTrue();
        assertThat(Memory.toBytes(pages + Pages.PAGE_BYTES, 2 * Pages.PAGE_BYTES))
                .containsOnly(0);
        assertThat(Memory.toBytes(pages, Pages.PAGE_BYTES)).containsOnly(3);
        assertThat(Memory.toBytes(pages + 3L * Pages.PAGE_BYTES, Pages.PAGE_BYTES))
                .containsOnly(3);
        Pages.unmap(pages, 4L * Pages.PAGE_BYTES);
    }

    private void put(final String text) {
        Memory.copyIn(text.getBytes(StandardCharsets.US_ASCII), 0, memory, text.length());
    }
}
