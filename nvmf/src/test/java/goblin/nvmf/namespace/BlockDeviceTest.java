// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real block devices: loop devices, where they may be made. */
@ParameterizedClass
@EnumSource(FileIo.class)
class BlockDeviceTest {
    private static final int BYTES = 32 << 20;
    private static final int BLOCK = 4096;
    /** Which of a device's figures, counted from 1. */
    private static final int FLUSHES = 16;

    private final MediumRig rig;
    private final List<String> devices = new ArrayList<>();

    BlockDeviceTest(final FileIo files) {
        rig = new MediumRig(files);
    }

    @TempDir
    private Path directory;

    @AfterEach
    void stop() throws IOException, InterruptedException {
        for (final String device : devices) {
            call("losetup", "-d", device);
        }
        rig.close();
        assertThat(rig.faults).isEmpty();
    }

    @Test
    void shouldKeepBlocksOnADevice() throws IOException, InterruptedException {
        final String device = device(512);
        final NamespaceIdentity identity;
        try (Namespace namespace = rig.open("file:" + device, 512)) {
            assertThat(namespace.blocks()).isEqualTo(BYTES / 512);
            identity = namespace.identity();
            assertThat(rig.run(
                            namespace,
                            TestOperation.write(512, data(10 * 512)).cut(100).durably()))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(rig.run(namespace, TestOperation.flush())).isEqualTo(BlockOutcome.DONE);
        }
        try (Namespace namespace = rig.open("file:" + device + ",direct", 512)) {
            assertThat(namespace.identity()).isEqualTo(identity);
            assertThat(rig.read(namespace, 512, 10 * 512)).isEqualTo(data(10 * 512));
            assertThat(rig.run(
                            namespace,
                            TestOperation.write(7 * 512, data(512)).cut(100).durably()))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(rig.read(namespace, 7 * 512, 512)).isEqualTo(data(512));
            assertThat(namespace.copiedBytes()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",direct"})
    void shouldHaveTheDeviceEmptyItsCacheWhenDataMustBeDurable(final String how)
            throws IOException, InterruptedException {
        final String device = device(512);
        try (Namespace namespace = rig.open("file:" + device + how, BLOCK)) {
            assertThat(rig.run(namespace, TestOperation.write(0, data(BLOCK)))).isEqualTo(BlockOutcome.DONE);
            final long before = flushes(device);
            assertThat(rig.run(namespace, TestOperation.write(0, data(BLOCK)).durably()))
                    .isEqualTo(BlockOutcome.DONE);
            final long afterWrite = flushes(device);
            assertThat(afterWrite).as("a durable write").isGreaterThan(before);
            assertThat(rig.run(namespace, TestOperation.flush())).isEqualTo(BlockOutcome.DONE);
            assertThat(flushes(device)).as("a flush").isGreaterThan(afterWrite);
        }
    }

    /** How often the kernel had the device empty its cache. */
    private static long flushes(final String device) throws IOException {
        final String statistics =
                Files.readString(Path.of("/sys/block/" + Path.of(device).getFileName() + "/stat"));
        final String[] figures = statistics.strip().split(" +", -1);
        assumeTrue(figures.length >= FLUSHES, () -> "this kernel counts no flushes: " + statistics);
        return Long.parseLong(figures[FLUSHES - 1]);
    }

    @Test
    void shouldClearAndDeallocateOnADevice() throws IOException, InterruptedException {
        try (Namespace namespace = rig.open("file:" + device(512), BLOCK)) {
            final byte[] data = data(1 << 20);
            rig.run(namespace, TestOperation.write(0, data));
            assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.WRITE_ZEROES, BLOCK, 64 << 10)))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.DEALLOCATE, 512 << 10, 64 << 10)))
                    .isEqualTo(BlockOutcome.DONE);
            Arrays.fill(data, BLOCK, BLOCK + (64 << 10), (byte) 0);
            assertThat(rig.read(namespace, 0, 512 << 10)).isEqualTo(Arrays.copyOf(data, 512 << 10));
            assertThat(rig.read(namespace, 576 << 10, 64 << 10))
                    .isEqualTo(Arrays.copyOfRange(data, 576 << 10, 640 << 10));
            assertThat(namespace.traits().deallocatedReadZero())
                    .as("no device is believed to do that")
                    .isFalse();
        }
    }

    @Test
    void shouldSpareTheNeighboursInAPageThatIsStillCached() throws IOException, InterruptedException {
        try (Namespace namespace = rig.open("file:" + device(512), 512)) {
            final byte[] data = data(64 * 512);
            rig.run(namespace, TestOperation.write(0, data));
            for (int block = 1; block < 64; block += 3) {
                assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.WRITE_ZEROES, block * 512L, 512)))
                        .isEqualTo(BlockOutcome.DONE);
                Arrays.fill(data, block * 512, (block + 1) * 512, (byte) 0);
            }
            assertThat(rig.read(namespace, 0, 64 * 512)).isEqualTo(data);
            rig.run(namespace, TestOperation.flush());
            assertThat(rig.read(namespace, 0, 64 * 512)).isEqualTo(data);
        }
    }

    @Test
    void shouldServeSmallBlocksOfADeviceWithLargeSectorsThroughTheCacheOnly() throws IOException, InterruptedException {
        final String device = device(4096);
        assertThatThrownBy(() -> rig.open("file:" + device + ",direct", 512))
                .hasMessageContaining("directly only with blocks of 4096 bytes");
        try (Namespace namespace = rig.open("file:" + device, 512)) {
            rig.run(namespace, TestOperation.write(0, data(16 * 512)));
            assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.WRITE_ZEROES, 3 * 512, 512)))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.DEALLOCATE, 5 * 512, 512)))
                    .isEqualTo(BlockOutcome.DONE);
            final byte[] expected = data(16 * 512);
            Arrays.fill(expected, 3 * 512, 4 * 512, (byte) 0);
            assertThat(rig.read(namespace, 0, 5 * 512)).isEqualTo(Arrays.copyOf(expected, 5 * 512));
        }
    }

    @Test
    void shouldHaveADeviceAloneAndLeaveItsSizeAlone() throws IOException, InterruptedException {
        final String device = device(512);
        assertThatThrownBy(() -> rig.open("file:" + device + ",size=1G", BLOCK)).hasMessageContaining("has only");
        try (Namespace namespace = rig.open("file:" + device, BLOCK)) {
            assertThatThrownBy(() -> rig.open("file:" + device, BLOCK)).hasMessageContaining("EBUSY");
            assertThatThrownBy(() -> rig.open("file:" + device + ",read-only", BLOCK))
                    .hasMessageContaining("in use");
            assertThatThrownBy(() -> namespace.resize(2 * BYTES / BLOCK)).hasMessageContaining("the device has");
        }
    }

    private String device(final int sectorBytes) throws IOException, InterruptedException {
        final Path image = directory.resolve("image" + devices.size());
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(BYTES);
        }
        final String device = call("losetup", "-f", "--show", "-b", "" + sectorBytes, image.toString());
        assumeTrue(device.startsWith("/dev/"), () -> "no loop device can be made here: " + device);
        devices.add(device);
        return device;
    }

    private static String call(final String... command) throws IOException, InterruptedException {
        try {
            final Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            return said;
        } catch (final IOException missing) {
            return missing.getMessage();
        }
    }

    private static byte[] data(final int length) {
        final byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (1 + i % 251);
        }
        return data;
    }
}
