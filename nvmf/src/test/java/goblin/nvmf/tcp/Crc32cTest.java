// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import goblin.net.linux.Pages;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class Crc32cTest {
    private static final int POLYNOMIAL = 0x82F6_3B78;
    private static final int[] TABLE = new int[256];

    static {
        for (int i = 0; i < TABLE.length; i++) {
            int value = i;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                value = (value & 1) == 0 ? value >>> 1 : value >>> 1 ^ POLYNOMIAL;
            }
            TABLE[i] = value;
        }
    }

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

    @Test
    void shouldGiveTheDigestOfTheWholeWhereverSegmentsCutIt() {
        final int length = 4096 + 37;
        final byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        final long whole = of(bytes);
        // Two pieces of memory far from each other, as two segments may be: the data is in one up to the cut.
        final long first = Pages.map(length);
        final long second = Memory.allocate(length);
        try {
            Memory.copyIn(bytes, 0, first, length);
            Memory.copyIn(bytes, 0, second, length);
            for (int cut = 0; cut <= length; cut++) {
                crc.reset();
                crc.update(first, cut);
                crc.update(second + cut, length - cut);
                if (crc.value() != whole) {
                    assertThat(crc.value()).as("cut at %d", cut).isEqualTo(whole);
                }
            }
            crc.reset();
            for (int at = 0; at < length; at++) {
                crc.update((at & 1) == 0 ? first + at : second + at, 1);
            }
            assertThat(crc.value()).as("byte by byte").isEqualTo(whole);
        } finally {
            Pages.unmap(first, length);
            Memory.free(second);
        }
    }

    @Test
    void shouldUseTheProcessorsInstruction() {
        final byte[] bytes = new byte[65_536];
        final long block = Memory.allocate(bytes.length);
        Memory.copyIn(bytes, 0, block, bytes.length);
        long ours = Long.MAX_VALUE;
        long byTable = Long.MAX_VALUE;
        // The best of many, so that it does not matter what else the machine does; the instruction is 20 times as fast.
        for (int i = 0; i < 2_000; i++) {
            final long beginNs = System.nanoTime();
            crc.of(block, bytes.length);
            final long betweenNs = System.nanoTime();
            ours = Math.min(ours, betweenNs - beginNs);
            if (i % 20 == 0) {
                assertThat(byTable(bytes)).isEqualTo(crc.value());
                byTable = Math.min(byTable, System.nanoTime() - betweenNs);
            }
        }
        Memory.free(block);

        assertThat(ours).as("ns for 64 KiB, %d by a table", byTable).isLessThan(byTable / 10);
    }

    private static long byTable(final byte[] bytes) {
        int crc = -1;
        for (final byte each : bytes) {
            crc = TABLE[(crc ^ each) & 0xFF] ^ crc >>> 8;
        }
        return ~crc & 0xFFFF_FFFFL;
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
