// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class Crc32cTest {
    private final Crc32c crc = new Crc32c();

    private long of(final byte[] bytes) {
        final long block = Memory.allocate(bytes.length);
        Memory.copyIn(bytes, 0, block, bytes.length);
        final long value = crc.of(block, bytes.length);
        Memory.free(block);
        return value;
    }

    @Test
    void shouldGiveTheKnownCheckValues() {
        final byte[] ones = new byte[32];
        Arrays.fill(ones, (byte) 0xFF);

        assertThat(of(new byte[32])).isEqualTo(0x8A91_36AAL);
        assertThat(of(ones)).isEqualTo(0x62A8_AB43L);
        assertThat(of("123456789".getBytes(StandardCharsets.US_ASCII))).isEqualTo(0xE306_9283L);
    }

    @Test
    void shouldSealAHeaderWithTheLowestByteFirst() {
        final long block = Memory.allocate(36);
        Memory.fill(block, 32, (byte) 0);
        crc.seal(block, 32);

        assertThat(Memory.toBytes(block + 32, 4)).containsExactly(0xAA, 0x36, 0x91, 0x8A);
        Memory.free(block);
    }

    @Property(tries = 300)
    void shouldGoOnOverPiecesWhereverTheyLie(
            @ForAll @Size(min = 1, max = 300) final byte[] bytes,
            @ForAll @IntRange(max = 300) final int cut,
            @ForAll @IntRange(max = 8) final int shift) {
        final CRC32C expected = new CRC32C();
        expected.update(bytes);
        final long block = Memory.allocate(bytes.length + shift);
        Memory.copyIn(bytes, 0, block + shift, bytes.length);
        final int first = Math.min(cut, bytes.length);
        crc.reset();
        crc.update(block + shift, first);
        crc.update(block + shift + first, bytes.length - first);

        assertThat(crc.value()).isEqualTo(expected.getValue());
        Memory.free(block);
    }
}
