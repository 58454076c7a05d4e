// SPDX-License-Identifier: Apache-2.0
package goblin.net.uring;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.net.linux.UringEntry;
import org.junit.jupiter.api.Test;

class RingSupportTest {
    private static final int PROBE_BYTES = 16 + 64 * 8;

    @Test
    void shouldSayInWordsWhyAKernelRefuses() {
        assertThat(RingSupport.setupRefused(Errno.ENOSYS, "")).isEqualTo("it has no io_uring");
        assertThat(RingSupport.setupRefused(Errno.EPERM, "2")).contains("turned off", "kernel.io_uring_disabled is 2");
        assertThat(RingSupport.setupRefused(Errno.EPERM, "1")).contains("privileged");
        assertThat(RingSupport.setupRefused(Errno.EPERM, "0")).contains("forbidden");
        assertThat(RingSupport.setupRefused(Errno.EPERM, "")).contains("forbidden");
        assertThat(RingSupport.setupRefused(Errno.EINVAL, "0")).contains("too old");
        assertThat(RingSupport.setupRefused(Errno.ENOMEM, "0")).contains("memory");
        assertThat(RingSupport.setupRefused(Errno.EMFILE, "0")).contains("EMFILE");
    }

    @Test
    void shouldNameWhatIsMissing() {
        final long probe = Memory.allocate(PROBE_BYTES);
        Memory.fill(probe, PROBE_BYTES, (byte) 0);
        for (int operation = 0; operation < 64; operation++) {
            Memory.putShort(probe + 16 + operation * 8L + 2, (short) 1);
        }
        assertThat(RingSupport.missing(RingSupport.FEATURES, probe)).isEmpty();
        assertThat(RingSupport.missing(RingSupport.FEATURES | 1 << 30, probe)).isEmpty();
        assertThat(RingSupport.missing(RingSupport.FEATURES & ~2, probe))
                .hasValueSatisfying(text -> assertThat(text).contains("features: 2"));
        Memory.putShort(probe + 16 + UringEntry.RECV * 8L + 2, (short) 0);
        assertThat(RingSupport.missing(RingSupport.FEATURES, probe))
                .hasValueSatisfying(text -> assertThat(text).contains("operation 27"));
        Memory.free(probe);
    }
}
