// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.IdlePolicy;
import goblin.net.NetException;
import goblin.nvmf.namespace.FileIo;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.target.AnaState;
import goblin.nvmf.target.Portal;
import goblin.nvmf.tcp.ReceiveOptions;
import goblin.nvmf.tcp.ReceivePath;
import goblin.nvmf.tcp.SocketBackend;
import goblin.nvmf.tcp.VectorMode;
import goblin.nvmf.tcp.VectorRetention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static final String NQN = "nqn.2026-01.io.goblin:test";
    private static final String NAMED = "--subsystem " + NQN + " ";

    @TempDir
    private Path folder;

    @Test
    void shouldHaveItsDefaults() {
        final Settings settings = settings(NAMED);

        assertThat(settings.listen()).singleElement().hasToString("127.0.0.1:4420");
        assertThat(settings.discovery()).isFalse();
        assertThat(settings.queueDepth()).isEqualTo(128);
        assertThat(settings.maxIoBytes()).isEqualTo(1 << 20);
        assertThat(settings.maxH2cBytes()).isEqualTo(1 << 20);
        assertThat(settings.inCapsuleBytes()).isEqualTo(8192);
        assertThat(settings.headerDigests()).isTrue();
        assertThat(settings.dataDigests()).isTrue();
        assertThat(settings.receiveBytes()).isEqualTo(64 << 20);
        assertThat(settings.receive()).isEqualTo(ReceiveOptions.DEFAULT);
        assertThat(settings.sockets()).isEqualTo(SocketBackend.EPOLL);
        assertThat(settings.fileIo()).isEqualTo(FileIo.THREADS);
        assertThat(settings.storageThreads()).isEqualTo(8);
        assertThat(settings.cpus()).containsExactly(-1);
        assertThat(settings.idle()).isEqualTo(IdlePolicy.BACKOFF);
        assertThat(settings.metrics()).isNull();
        assertThat(settings.control()).isNull();
        final SubsystemSettings subsystem = settings.subsystems().getFirst();
        assertThat(subsystem.nqn()).isEqualTo(NQN);
        assertThat(subsystem.anyHost()).isFalse();
        assertThat(subsystem.hosts()).isEmpty();
        assertThat(subsystem.blockBytes()).isEqualTo(4096);
        assertThat(subsystem.lowestId()).isEqualTo(1);
        assertThat(subsystem.highestId()).isEqualTo(0xFFEF);
    }

    @Test
    void shouldTakeWhatIsGiven() {
        final Settings settings = settings(NAMED + "--listen 127.0.0.1 0 --listen ::1 4421 --discovery --serial S1"
                + " --model M --allow-host nqn.a --allow-host nqn.b --namespace mem:1G --namespace null:2G"
                + " --block-size 512 --max-queue-depth 32 --max-io-size 128K --in-capsule-data-size 4096"
                + " --header-digest off --data-digest allow --receive-segment-size 1448 --receive-window 96K --receive-memory 128K"
                + " --max-receive-segments 1024 --receive-path copied --vectors fixed --vector-retention decay --max-h2c-data 8K"
                + " --controller-data-alignment 1 --ana-group 7 --ana-state non-optimized --controller-id-range 5-9"
                + " --storage-threads 3 --cpu 3,0-1 --idle spin --metrics 127.0.0.1 9000 --control c.sock");

        assertThat(settings.listen()).map(Object::toString).containsExactly("127.0.0.1:0", "[::1]:4421");
        assertThat(settings.discovery()).isTrue();
        assertThat(settings.maxIoBytes()).isEqualTo(128 << 10);
        assertThat(settings.headerDigests()).isFalse();
        assertThat(settings.receive().segmentBytes()).isEqualTo(1448);
        assertThat(settings.receive().windowBytes()).isEqualTo(96 << 10);
        assertThat(settings.receive().path()).isEqualTo(ReceivePath.COPIED);
        assertThat(settings.receive().maxSegments()).isEqualTo(1024);
        assertThat(settings.receive().vectors()).isEqualTo(VectorMode.FIXED);
        assertThat(settings.receive().retention()).isEqualTo(VectorRetention.DECAY);
        assertThat(settings.maxH2cBytes()).isEqualTo(8192);
        assertThat(settings.storageThreads()).isEqualTo(3);
        assertThat(settings.cpus()).containsExactly(3, 0, 1);
        final SubsystemSettings subsystem = settings.subsystems().getFirst();
        assertThat(subsystem.hosts()).containsExactly("nqn.a", "nqn.b");
        assertThat(subsystem.namespaces()).map(NamespaceSpec::text).containsExactly("mem:1G", "null:2G");
        assertThat(subsystem.anaState()).isEqualTo(AnaState.NON_OPTIMIZED);
        assertThat(List.of(subsystem.lowestId(), subsystem.highestId())).containsExactly(5, 9);
    }

    @Test
    void shouldKeepDescriptorsForItsFiles() {
        final Settings settings =
                settings(NAMED + "--namespace file:a --namespace file:b --namespace mem:1M" + " --storage-threads 16");

        assertThat(Networks.options(settings, 1000, SocketBackend.EPOLL, FileIo.THREADS)
                        .maxConnections())
                .isEqualTo(1000 - 128 - 2 * 17);
        assertThat(Networks.options(settings, 100, SocketBackend.EPOLL, FileIo.THREADS)
                        .maxConnections())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "--nosuch, --nosuch",
        "stray, stray",
        "--listen 127.0.0.1, --listen",
        "--listen localhost 4420, literal",
        "--listen 1 4420, literal",
        "--listen 127.1 4420, literal",
        "--listen 127.0.0.256 4420, literal",
        "--listen 127.0.0.1 65536, 65535",
        "--referral 192.0.2.1 0, from 1 to 65535",
        "--referral 0.0.0.0 8009, wildcard",
        "--referral name 8009, literal",
        "@/etc/hostname, @/etc/hostname",
        "--allow-host nqn., goes on",
        "--listen 127.0.0.1 x, --listen 127.0.0.1 x",
        "--xlio 127.0.0.1 1, not available yet",
        "--vcl 127.0.0.1 1, not available yet",
        "--receive-path x, 'lent, placed, copied'",
        "--receive-segment-size 512, --receive-segment-size",
        "--receive-segment-size 2M, --receive-segment-size",
        "--receive-window 16K, --receive-window",
        "--receive-window 2M, --receive-window",
        "--receive-segment-size 128K --receive-window 64K, --receive-window",
        "--sockets kqueue, 'epoll, io_uring'",
        "--file-io none, 'io_uring, threads'",
        "--serial 123456789012345678901, 1 to 20",
        "--allow-host x, nqn.",
        "--allow-host nqn.a --allow-any-host, --allow-host",
        "--block-size 1024, 512 and 4096",
        "--max-queue-depth 1, 2 to 4096",
        "--max-io-size 12K, power of two",
        "--max-io-size 2K, --max-io-size",
        "--in-capsule-data-size 65552, --in-capsule-data-size",
        "--in-capsule-data-size 24, multiple of 16",
        "--header-digest on, 'allow, off'",
        "--data-digest x, 'allow, off'",
        "--receive-memory 512K, --receive-memory",
        "--max-receive-segments 1025, 33 to 1024",
        "--namespace x:1G, mem:",
        "--namespace mem:0, '--namespace: namespace'",
        "--vectors many, 'dynamic, fixed, inline'",
        "--vector-retention x, 'keep, release, decay'",
        "--max-h2c-data 4098, multiple of 4",
        "--max-h2c-data 2M, --max-h2c-data",
        "--controller-data-alignment 32, 0 to 31",
        "--ana-group 0, 1 to 128",
        "--ana-state good, optimized",
        "--controller-id-range 9-5, MIN-MAX",
        "--controller-id-range 1-65520, 65519",
        "--cpu 1-, --cpu 1-",
        "--cpu 3-1, upwards",
        "--cpu 1 --loops 2, --loops",
        "--storage-threads 0, 1 to 64",
        "--storage-threads 65, 1 to 64",
        "--loops 65, 1 to 64",
        "--idle sleep, 'spin, backoff'",
        "--idle spin --idle spin, --idle",
        "--metrics 127.0.0.1 x, --metrics",
        "--config /nonexistent, cannot be read",
    })
    void shouldNameTheOptionAndWhatIsAllowed(final String options, final String named) {
        assertThatThrownBy(() -> settings(NAMED + options))
                .isInstanceOf(BadOption.class)
                .message()
                .contains(named)
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nqn.", "x", "nqn.2014-08.org.nvmexpress.discovery"})
    void shouldNotTakeEveryNameForASubsystem(final String name) {
        assertThatThrownBy(() -> settings("--subsystem " + name))
                .isInstanceOf(BadOption.class)
                .message()
                .startsWith("--subsystem " + name + ": ")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--serial S"})
    void shouldAskForASubsystem(final String options) {
        assertThatThrownBy(() -> settings(options))
                .isInstanceOf(BadOption.class)
                .hasMessageContaining("--subsystem NQN");
    }

    @Test
    void shouldReadSeveralSubsystemsFromAFile() throws IOException {
        final Settings settings =
                fromFile("""
                # one target
                listen = 127.0.0.1 4421
                idle = spin
                discovery

                [subsystem nqn.2026-01.io.goblin:a]
                allow-any-host
                namespace = file:/srv/with space.img,size=1G
                model = Two words
                [subsystem nqn.2026-01.io.goblin:b]
                allow-host = nqn.h1
                allow-host = nqn.h2
                block-size = 512
                """, "--idle backoff --listen 127.0.0.1 0 --subsystem nqn.2026-01.io.goblin:c");

        assertThat(settings.idle()).as("the command line stands above the file").isEqualTo(IdlePolicy.BACKOFF);
        assertThat(settings.listen()).map(Object::toString).containsExactly("127.0.0.1:0");
        assertThat(settings.discovery()).isTrue();
        assertThat(settings.subsystems())
                .map(SubsystemSettings::nqn)
                .containsExactly("nqn.2026-01.io.goblin:a", "nqn.2026-01.io.goblin:b", "nqn.2026-01.io.goblin:c");
        assertThat(settings.subsystems().getFirst().namespaces())
                .map(NamespaceSpec::text)
                .containsExactly("file:/srv/with space.img,size=1G");
        assertThat(settings.subsystems().getFirst().model()).isEqualTo("Two words");
        assertThat(settings.subsystems().get(1).hosts()).containsExactly("nqn.h1", "nqn.h2");
    }

    @Test
    void shouldTakeAllOfAKeyFromTheFileOrAllFromTheCommandLine() throws IOException {
        final String file = """
                listen = 127.0.0.1 4421
                listen = 127.0.0.1 4422
                referral = 192.0.2.1 8009
                loops = 2
                """;
        final Settings fromFile = fromFile(file, NAMED);
        final Settings mixed = fromFile(file, NAMED + "--referral 2001:db8::1 8010 --cpu 5");

        assertThat(fromFile.listen()).hasSize(2);
        assertThat(fromFile.referrals()).containsExactly(new Portal("192.0.2.1", 8009));
        assertThat(fromFile.cpus()).containsExactly(-1, -1);
        assertThat(mixed.listen()).hasSize(2);
        assertThat(mixed.referrals()).containsExactly(new Portal("2001:db8::1", 8010));
        assertThat(mixed.cpus()).containsExactly(5);
    }

    @ParameterizedTest
    @CsvSource({
        "listen = 127.0.0.1, 'line 1: listen: is written listen = ADDRESS PORT'",
        "nosuch = 1, 'line 1: nosuch: unknown key'",
        "serial = S, 'line 1: serial: stands in a section'",
        "config = f, 'line 1: config: stands on the command line only'",
        "discovery = yes, 'line 1: discovery: takes no value'",
        "[subsystem], 'line 1: [subsystem]: a section is [subsystem NQN]'",
        "[subsystem nqn.a, 'line 1: [subsystem nqn.a: a section is'",
        "[subsystem x], 'line 1: subsystem x: a name begins with nqn.'",
        "idle = sleep, 'line 1: idle sleep: allowed are spin, backoff'",
        "idle = spin;idle = spin, 'line 2: idle: given twice'",
        ";[subsystem nqn.a];idle = spin, 'line 3: idle: stands before the first section'",
        "[subsystem nqn.a];block-size = 1, 'line 2: block-size 1: allowed are 512 and 4096'",
        "[subsystem nqn.a];[subsystem nqn.a], 'nqn.a: given twice'",
    })
    void shouldNameTheLineOfAFile(final String lines, final String named) {
        assertThatThrownBy(() -> fromFile(lines.replace(';', '\n'), NAMED))
                .isInstanceOf(BadOption.class)
                .message()
                .contains(named)
                .hasLineCount(1);
    }

    @Test
    void shouldDeriveASerialThatIsTheSameEachTime() {
        final String serial = SubsystemSettings.derivedSerial(NQN);

        assertThat(serial).isEqualTo(SubsystemSettings.derivedSerial(NQN)).hasSizeLessThanOrEqualTo(20);
        assertThat(SubsystemSettings.derivedSerial(NQN + "2")).isNotEqualTo(serial);
    }

    private Settings fromFile(final String text, final String options) throws IOException {
        final Path file = Files.writeString(folder.resolve("target.conf"), text);
        return settings(options.strip() + " --config " + file);
    }

    @Test
    void shouldRefuseMoreReceiveMemoryThanThereIs() {
        final Settings settings = settings(NAMED + "--receive-memory 1G --loops 4");
        Networks.requireMemory(settings, 5L << 30);
        assertThatThrownBy(() -> Networks.requireMemory(settings, 4L << 30))
                .isInstanceOf(NetException.class)
                .hasMessageContaining("--receive-memory 1073741824 for each of 4 loops is more than");
    }

    private static Settings settings(final String options) {
        final String[] words =
                options.isBlank() ? new String[0] : options.strip().split(" ");
        return Settings.of(CommandLineReader.read(CommandLineReader.commandLine(), words));
    }
}
