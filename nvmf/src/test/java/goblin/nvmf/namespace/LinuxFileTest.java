// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(FileIo.class)
class LinuxFileTest {
    private static final int BLOCK = 4096;

    private final MediumRig rig;

    LinuxFileTest(final FileIo files) {
        rig = new MediumRig(files);
    }

    @TempDir
    private Path directory;

    @AfterEach
    void stop() {
        rig.close();
        assertThat(rig.faults).isEmpty();
    }

    @Test
    void shouldMakeASparseFileAndKeepItsContentsAndIdentity() throws IOException {
        final String spec = "file:" + directory.resolve("a.img") + ",size=1G";
        final NamespaceIdentity identity;
        try (Namespace namespace = rig.open(spec, BLOCK)) {
            assertThat(namespace.blocks()).isEqualTo((1 << 30) / BLOCK);
            identity = namespace.identity();
            assertThat(rig.run(namespace, TestOperation.write(1 << 20, block(3)).durably()))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(rig.run(namespace, TestOperation.flush())).isEqualTo(BlockOutcome.DONE);
        }
        assertThat(Files.size(directory.resolve("a.img"))).isEqualTo(1L << 30);
        try (Namespace namespace = rig.open(spec, BLOCK)) {
            assertThat(namespace.identity()).isEqualTo(identity);
            assertThat(rig.read(namespace, 1 << 20, BLOCK)).isEqualTo(block(3));
            assertThat(namespace.traits().volatileCache()).isTrue();
        }
    }

    @Test
    void shouldDeriveItsIdentityFromItsPlaceOnly() {
        final NamespaceIdentity one = NamespaceIdentity.derived("nqn.a", 1);
        assertThat(one).isEqualTo(NamespaceIdentity.derived("nqn.a", 1));
        assertThat(one).isNotEqualTo(NamespaceIdentity.derived("nqn.a", 2));
        assertThat(one).isNotEqualTo(NamespaceIdentity.derived("nqn.b", 1));
        assertThat(one.uuid().version()).isEqualTo(8);
        assertThat(one.uuid().variant()).isEqualTo(2);
        try (Namespace named = rig.open(
                "file:" + directory.resolve("u.img") + ",size=1M,uuid=11111111-2222-3333-4444-555555555555", BLOCK)) {
            assertThat(named.identity().uuid()).hasToString("11111111-2222-3333-4444-555555555555");
        }
    }

    @Test
    void shouldReadZerosFromWhatItDeallocated() {
        try (Namespace namespace = rig.open("file:" + directory.resolve("a.img") + ",size=64M", BLOCK)) {
            final byte[] data = new byte[1 << 20];
            Arrays.fill(data, (byte) 9);
            rig.run(namespace, TestOperation.write(0, data));
            assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.DEALLOCATE, BLOCK, 64 << 10)))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.WRITE_ZEROES, 256 << 10, 64 << 10)))
                    .isEqualTo(BlockOutcome.DONE);
            Arrays.fill(data, 256 << 10, 320 << 10, (byte) 0);
            if (namespace.traits().deallocatedReadZero()) {
                Arrays.fill(data, BLOCK, BLOCK + (64 << 10), (byte) 0);
                assertThat(rig.read(namespace, 0, 1 << 20)).isEqualTo(data);
            }
            assertThat(rig.read(namespace, 256 << 10, 64 << 10)).containsOnly(0);
        }
    }

    @Test
    void shouldTakeAnyVectorForADirectFile() {
        try (Namespace namespace = rig.open("file:" + directory.resolve("a.img") + ",size=8M,direct", BLOCK)) {
            final byte[] data = new byte[3 << 20];
            for (int i = 0; i < data.length; i++) {
                data[i] = (byte) ((i * 31) >>> 3);
            }
            assertThat(rig.run(namespace, TestOperation.write(BLOCK, data).cut(1460, 2920, 17_520)))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(namespace.copiedBytes()).isEqualTo(data.length);
            assertThat(rig.read(namespace, BLOCK, data.length)).isEqualTo(data);
            assertThat(rig.run(namespace, TestOperation.compare(BLOCK, data))).isEqualTo(BlockOutcome.DONE);
            assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.WRITE_ZEROES, 0, 5 << 20)))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(rig.read(namespace, 0, 5 << 20)).containsOnly(0);
        }
    }

    @Test
    void shouldNotOpenAFileThatSomebodyElseWrites() {
        final String path = "file:" + directory.resolve("a.img");
        try (Namespace first = rig.open(path + ",size=1M", BLOCK)) {
            assertThat(first.blocks()).isEqualTo(256);
            assertThatThrownBy(() -> rig.open(path, BLOCK)).hasMessageContaining("in use");
            assertThatThrownBy(() -> rig.open(path + ",read-only", BLOCK)).hasMessageContaining("in use");
        }
        try (Namespace one = rig.open(path + ",read-only", BLOCK);
                Namespace other = rig.open(path + ",read-only", BLOCK)) {
            assertThat(rig.read(one, 0, BLOCK)).isEqualTo(rig.read(other, 0, BLOCK));
            assertThat(rig.run(one, TestOperation.write(0, block(1)))).isEqualTo(BlockOutcome.READ_ONLY);
        }
    }

    @Test
    void shouldSayWhyAFileCannotBeUsed() throws IOException {
        final Path small = Files.write(directory.resolve("small"), new byte[100]);
        assertThatThrownBy(() -> rig.open("file:" + directory.resolve("none"), BLOCK))
                .hasMessageContaining("none does not exist; size=");
        assertThatThrownBy(() -> rig.open("file:" + directory.resolve("no/such") + ",size=1M", BLOCK))
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> rig.open("file:" + directory + ",read-only", BLOCK))
                .hasMessageContaining("neither a file nor a block device");
        assertThatThrownBy(() -> rig.open("file:" + directory, BLOCK)).hasMessageContaining("EISDIR");
        assertThatThrownBy(() -> rig.open("file:/dev/null", BLOCK)).hasMessageContaining("neither");
        assertThatThrownBy(() -> rig.open("file:" + small, BLOCK)).hasMessageContaining("smaller than one block");
    }

    @Test
    void shouldNotShowTheOddRestOfAFileWhenItGrows() throws IOException, NamespaceException {
        final byte[] odd = new byte[BLOCK + 100];
        Arrays.fill(odd, (byte) 5);
        final Path path = Files.write(directory.resolve("odd"), odd);
        try (Namespace namespace = rig.open("file:" + path, BLOCK)) {
            assertThat(namespace.blocks()).isEqualTo(1);
            namespace.resize(3);
            assertThat(rig.read(namespace, 0, BLOCK)).isEqualTo(block(5));
            assertThat(rig.read(namespace, BLOCK, 2 * BLOCK)).containsOnly(0);
        }
        assertThat(Files.size(path)).isEqualTo(3 * BLOCK);
    }

    private static byte[] block(final int value) {
        final byte[] block = new byte[BLOCK];
        Arrays.fill(block, (byte) value);
        return block;
    }
}
