// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinuxCallsTest {

    @Test
    void shouldMapZeroedAlignedPagesThatCanBeLockedAndUnmapped() {
        final long bytes = 3 * Pages.PAGE_BYTES - 5;
        final long address = Pages.map(bytes);
        assertThat(address % Pages.PAGE_BYTES).isZero();
        Pages.prefault(address, bytes);
        assertThat(Memory.toBytes(address, (int) bytes)).containsOnly(0);
        assertThat(Pages.lock(address, bytes)).isEqualTo(Limits.lockedMemoryLimit() >= Pages.rounded(bytes));
        Memory.fill(address, bytes, (byte) 7);
        Pages.unmap(address, bytes);
    }

    @Test
    void shouldRaiseTheLimitOfOpenFiles() {
        final long before = Limits.openFiles();
        assertThat(Limits.setOpenFiles(before - 1)).isTrue();
        assertThat(Limits.openFiles()).isEqualTo(before - 1);
        assertThat(Limits.raiseOpenFiles()).isGreaterThanOrEqualTo(before);
        assertThat(Limits.setOpenFiles(before)).isTrue();
    }

    @Test
    void shouldReturnTheNegatedErrno() {
        final SocketCalls calls = new SocketCalls();
        assertThat(calls.close(-1)).isEqualTo(-Errno.EBADF);
        assertThat(calls.receive(-1, 0, 1)).isEqualTo(-Errno.EBADF);
        assertThat(Errno.name(Errno.EBADF)).startsWith("EBADF");
        assertThat(Errno.name(4242)).isEqualTo("errno 4242");
        calls.free();
    }

    @Test
    void shouldRefuseACpuThatCannotBe() {
        assertThat(Affinity.pinCurrentThread(-1)).isEqualTo(Errno.EINVAL);
        assertThat(Affinity.pinCurrentThread(1 << 20)).isEqualTo(Errno.EINVAL);
        assertThat(Affinity.mayRunOn(-1)).isFalse();
    }

    @Test
    void shouldWriteAndReadSocketAddresses() {
        final long at = Memory.allocate(SocketAddress.MAX_BYTES);
        final byte[] four = {10, 0, 0, (byte) 200};
        assertThat(SocketAddress.writeInternet(at, four, 0, 65_000)).isEqualTo(16);
        assertThat(SocketAddress.family(at)).isEqualTo(SocketAddress.INET);
        assertThat(SocketAddress.port(at)).isEqualTo(65_000);
        assertThat(SocketAddress.ip(at)).isEqualTo(four);

        final byte[] six = new byte[16];
        six[0] = (byte) 0xFE;
        six[15] = 9;
        assertThat(SocketAddress.writeInternet(at, six, 3, 80)).isEqualTo(28);
        assertThat(SocketAddress.family(at)).isEqualTo(SocketAddress.INET6);
        assertThat(SocketAddress.ip(at)).isEqualTo(six);
        Memory.free(at);
    }
}
