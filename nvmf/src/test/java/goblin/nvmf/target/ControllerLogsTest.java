// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.target.IoCounters.Kind;
import org.junit.jupiter.api.Test;

class ControllerLogsTest {

    @Test
    void shouldKeepTheLastFailuresNewestFirst() {
        final ErrorLog log = new ErrorLog();
        for (int i = 1; i <= 70; i++) {
            log.add(i % 3, i, Status.LBA_OUT_OF_RANGE | Status.DO_NOT_RETRY, 1000L + i, i + 5);
        }
        assertThat(log.total()).isEqualTo(70);
        final Bytes page = Native.written(4096, log::put);
        for (int i = 0; i < 64; i++) {
            final int entry = i * 64;
            final int number = 70 - i;
            assertThat(page.u64(entry)).as("error count").isEqualTo(number);
            assertThat(page.u16(entry + 8)).as("SQID").isEqualTo(number % 3);
            assertThat(page.u16(entry + 10)).as("CID").isEqualTo(number);
            assertThat(page.u16(entry + 12) >>> 1).as("status").isEqualTo(0x4080);
            assertThat(page.u64(entry + 16)).as("LBA").isEqualTo(1000 + number);
            assertThat(page.u32(entry + 24)).as("NSID").isEqualTo(number + 5);
            assertThat(page.u8(entry + 29)).as("TCP").isEqualTo(3);
        }
    }

    @Test
    void shouldLeaveEntriesZeroThatNeverWere() {
        final ErrorLog log = new ErrorLog();
        log.add(1, 2, Status.INTERNAL_ERROR, 0, 1);
        final Bytes page = Native.written(4096, log::put);
        assertThat(page.u64(0)).isEqualTo(1);
        assertThat(page.isZero(64, 4032)).isTrue();
    }

    @Test
    void shouldSumWhatQueuesDidThoseThatAreGoneIncluded() {
        final SmartCounters smart = new SmartCounters(5);
        final IoCounters first = smart.open();
        final IoCounters second = smart.open();
        first.add(Kind.READ_BYTES, 512_000);
        first.add(Kind.READS, 3);
        second.add(Kind.READ_BYTES, 1);
        second.add(Kind.READS, 1);
        second.add(Kind.WRITTEN_BYTES, 512);
        second.add(Kind.WRITES, 1);
        second.add(Kind.MEDIA_ERRORS, 2);
        smart.close(second);
        smart.close(second);
        final Bytes page = Native.written(SmartCounters.PAGE_BYTES, at -> smart.put(at, 5 + 7_200_000_000_000L, 11));
        assertThat(page.u8(0)).as("critical warning").isZero();
        assertThat(page.u8(3)).as("available spare").isEqualTo(100);
        assertThat(page.u64(32)).as("data units read").isEqualTo(2);
        assertThat(page.u64(48)).as("data units written").isEqualTo(1);
        assertThat(page.u64(64)).as("host reads").isEqualTo(4);
        assertThat(page.u64(80)).as("host writes").isEqualTo(1);
        assertThat(page.u64(128)).as("power-on hours").isEqualTo(2);
        assertThat(page.u64(160)).as("media errors").isEqualTo(2);
        assertThat(page.u64(176)).as("error log entries").isEqualTo(11);
    }
}
