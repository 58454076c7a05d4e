// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import goblin.net.Endpoint;
import goblin.net.FaultReporter;
import goblin.net.NetException;
import goblin.nvmf.namespace.NamespaceIdentity;
import goblin.nvmf.target.SubsystemOptions;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetOptions;
import goblin.nvmf.tcp.TcpCounter;
import goblin.nvmf.tcp.TcpOptions;
import goblin.nvmf.tcp.TcpTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlServerTest {
    private static final String NQN = "nqn.2026-01.io.goblin:test";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final NvmfLog log = new NvmfLog(new PrintStream(lines, true, StandardCharsets.UTF_8));
    private final Target target = new Target(TargetOptions.DEFAULTS, log::line);
    private final Media media = new Media(2);
    private final TcpTarget network = new TcpTarget(
            TcpOptions.defaults(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0)),
            target::open,
            log::line,
            FaultReporter.STANDARD_ERROR);
    private ControlServer server;

    @BeforeEach
    void start() {
        target.addSubsystem(SubsystemOptions.named(NQN));
        network.start();
        final GivenSettings none = new GivenSettings();
        final SubsystemSettings settings = SubsystemSettings.of(new Given("--subsystem", List.of(NQN)), none);
        final ControlCommands commands = new ControlCommands(
                target, network, media, Map.of(NQN, settings), new Samples(target, network)::all, log);
        server = new ControlServer(socket(), commands, log);
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
        network.stop();
        assertThat(media.closeAll(10)).isEmpty();
        media.close();
    }

    @Test
    void shouldAnswerALineThatComesInPieces() throws IOException {
        try (SocketChannel channel = connect()) {
            for (final byte piece :
                    "add-namespace\t".concat(NQN).concat("\tmem:1M\n").getBytes(StandardCharsets.UTF_8)) {
                channel.write(ByteBuffer.wrap(new byte[] {piece}));
            }
            assertThat(rest(channel)).isEqualTo("ok\nnamespace 1\n");
        }
        assertThat(lines.toString(StandardCharsets.UTF_8)).contains("namespace 1 of " + NQN + " added: mem:1M");
    }

    @Test
    void shouldNotGiveTheIdentityOfARemovedFileToAnother() throws IOException {
        final String add = "add-namespace " + NQN + " file:" + folder.resolve("a");
        assertThat(ask(add + ",size=1M")).isEqualTo("ok\nnamespace 1\n");
        final NamespaceIdentity first = identity(1);
        assertThat(ask("remove-namespace " + NQN + " 1")).isEqualTo("ok\n");
        assertThat(ask("add-namespace " + NQN + " file:" + folder.resolve("b") + ",size=1M"))
                .isEqualTo("ok\nnamespace 2\n");
        assertThat(identity(2)).isNotEqualTo(first);
        assertThat(ask(add + ",nsid=1")).isEqualTo("ok\nnamespace 1\n");
        assertThat(identity(1)).isEqualTo(first);
    }

    @Test
    void shouldGiveTheNumberThatWasAskedFor() throws IOException {
        assertThat(ask("add-namespace " + NQN + " mem:1M,nsid=3")).isEqualTo("ok\nnamespace 3\n");
        assertThat(ask("add-namespace " + NQN + " mem:1M,nsid=3")).startsWith("error: NSID 3 is in use");
        assertThat(ask("add-namespace " + NQN + " mem:1M,nsid=4 nsid=5")).startsWith("error: NSID 5 and 4 are given");
        assertThat(ask("add-namespace " + NQN + " mem:1M nsid=4")).isEqualTo("ok\nnamespace 4\n");
        assertThat(ask("add-namespace " + NQN + " mem:1M")).isEqualTo("ok\nnamespace 1\n");
        assertThat(ask("add-namespace " + NQN + " mem:1K")).startsWith("error: ");
        assertThat(ask("add-namespace " + NQN + " mem:1M")).isEqualTo("ok\nnamespace 2\n");
        assertThat(ask("add-namespace " + NQN + " mem:1M")).isEqualTo("ok\nnamespace 5\n");
    }

    private NamespaceIdentity identity(final int nsid) {
        return target.subsystem(NQN).namespaces().find(nsid).namespace().identity();
    }

    @Test
    void shouldTakeSpacesFromPeople() throws IOException {
        assertThat(ask("allow-host " + NQN + " any")).isEqualTo("ok\n");
        assertThat(ask("list")).startsWith("ok\nsubsystem " + NQN).contains("hosts: any");
        assertThat(ask("deny-host " + NQN + " any")).isEqualTo("ok\n");
        assertThat(ask("list")).contains("hosts: none");
    }

    @Test
    void shouldDrainAndResume() throws IOException {
        assertThat(ask("drain")).startsWith("ok\n");
        assertThat(ask("list")).contains("(drained)");
        assertThat(ask("resume " + NQN)).isEqualTo("ok\n");
        assertThat(ask("list")).doesNotContain("(drained)");
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() throws IOException {
        assertThat(ask("")).startsWith("error: command '' is unknown");
        assertThat(ask("why")).startsWith("error: it is written why HOSTNQN");
        assertThat(ask("drain nqn.2014-08.org.nvmexpress.discovery")).startsWith("error: there is no subsystem");
    }

    @Test
    void shouldCloseALineWithoutEnd() throws IOException {
        try (SocketChannel channel = connect()) {
            final byte[] long64K = new byte[(64 << 10) + 1];
            final ByteBuffer buffer = ByteBuffer.wrap(long64K);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            assertThat(endsSilently(channel)).isTrue();
        }
        assertThat(ask("list")).startsWith("ok\n");
    }

    @Test
    void shouldAnswerALineWithoutEndAndNotDoIt() throws IOException {
        try (SocketChannel channel = connect()) {
            channel.write(ByteBuffer.wrap(("allow-host " + NQN + " any").getBytes(StandardCharsets.UTF_8)));
            channel.shutdownOutput();
            assertThat(rest(channel)).startsWith("error: the line has no end");
        }
        try (SocketChannel channel = connect()) {
            channel.shutdownOutput();
            assertThat(rest(channel)).isEmpty();
        }
        assertThat(ask("list")).startsWith("ok\n").contains("hosts: none");
    }

    @Test
    void shouldTakeTheLineEndsOfOthers() throws IOException {
        assertThat(ask("list\r")).startsWith("ok\n");
        assertThat(ask("  list  \r")).startsWith("ok\n");
        assertThat(ask("allow-host\t" + NQN + "\tnqn.a\r")).isEqualTo("ok\n");
    }

    @Test
    void shouldShowNoControlCharacters() throws IOException {
        assertThat(ask("add-namespace\t" + NQN + "\tfile:" + folder.resolve("a\u001b[2Jb") + ",size=1M"))
                .isEqualTo("ok\nnamespace 1\n");
        assertThat(ask("list")).contains("a?[2Jb").doesNotContain("\u001b");
        assertThat(ask("why \u001b[2J")).doesNotContain("\u001b");
        assertThat(ask("\u009b2J")).startsWith("error: command '?2J' is unknown");
    }

    @Test
    void shouldMakeNoFileForANamespaceThatHasNoPlace() throws IOException {
        final Path file = folder.resolve("disk");
        assertThat(ask("add-namespace " + NQN + " mem:1M nsid=1024")).startsWith("ok\n");
        assertThat(ask("add-namespace " + NQN + " file:" + file + ",size=1M nsid=1024"))
                .startsWith("error: NSID 1024 is in use");
        assertThat(ask("add-namespace " + NQN + " file:" + file + ",size=1M nsid=1025"))
                .startsWith("error: nsid 1025: allowed is");
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldEndClientsThatSayNothing() throws IOException {
        final Path path = folder.resolve("impatient");
        try (ControlServer second = new ControlServer(path, null, log, 1_000_000)) {
            second.start();
            try (SocketChannel silent = connect(path)) {
                assertThat(endsSilently(silent)).isTrue();
            }
        }
    }

    @Test
    void shouldTakeOnlySoManyClientsAtOnce() throws IOException {
        final List<SocketChannel> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 64; i++) {
                silent.add(connect());
            }
            try (SocketChannel more = connect()) {
                assertThat(endsSilently(more)).isTrue();
            }
            silent.removeFirst().close();
            await().untilAsserted(() -> assertThat(ask("list")).startsWith("ok\n"));
        } finally {
            for (final SocketChannel channel : silent) {
                channel.close();
            }
        }
    }

    @Test
    void shouldSayWhenItsSocketCannotBeMade() {
        final ControlServer second = new ControlServer(folder.resolve("none/socket"), null, log);

        assertThatThrownBy(second::start).isInstanceOf(NetException.class).hasMessageContaining("none/socket");
    }

    @Test
    void shouldNameEachFigureOnceAndInTheWayOfPrometheus() {
        final List<Sample> samples = new Samples(target, network).all();

        assertThat(samples)
                .allMatch(sample -> sample.name().matches("(nvmf|net)_[a-z0-9_]+"))
                .noneMatch(sample -> sample.name().endsWith("_total"))
                .anyMatch(sample -> sample.name().equals("nvmf_payload_copied_alignment_bytes")
                        && sample.labels().contains(NQN));
        assertThat(samples).extracting(Sample::name, Sample::labels).doesNotHaveDuplicates();
        assertThat(MetricsServer.snapshots(samples).size())
                .isEqualTo(samples.stream().map(Sample::name).distinct().count());
    }

    @Test
    void shouldTellOfAllMemoryWhetherItIsLocked() {
        final long segments = network.counter(TcpCounter.SEGMENT_BYTES);
        assertThat(segments).isEqualTo(TcpOptions.DEFAULT_MEMORY_BYTES);
        assertThat(network.counter(TcpCounter.SEGMENT_LOCKED_BYTES)).isIn(0L, segments);
        final long locked =
                network.counter(TcpCounter.SEGMENT_LOCKED_BYTES) + network.counter(TcpCounter.ARENA_LOCKED_BYTES);
        final boolean all = locked == segments + network.counter(TcpCounter.ARENA_BYTES);
        assertThat(lines.toString(StandardCharsets.UTF_8).contains("are locked into RAM"))
                .isEqualTo(!all);
    }

    @Test
    void shouldAnswerWhateverARequestThrows() throws IOException {
        final ControlCommands broken = new ControlCommands(
                target,
                network,
                media,
                Map.of(),
                () -> {
                    throw new StackOverflowError("of a test");
                },
                log);
        final Path path = folder.resolve("broken");
        try (ControlServer second = new ControlServer(path, broken, log)) {
            second.start();

            assertThat(ask(path, "stats"))
                    .startsWith("error: the target failed")
                    .contains("of a test");
        }
        assertThat(lines.toString(StandardCharsets.UTF_8)).contains("a control request failed");
    }

    private String ask(final String line) throws IOException {
        return ask(socket(), line);
    }

    private static String ask(final Path path, final String line) throws IOException {
        try (SocketChannel channel = connect(path)) {
            channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
            return rest(channel);
        }
    }

    private SocketChannel connect() throws IOException {
        return connect(socket());
    }

    private static SocketChannel connect(final Path path) throws IOException {
        final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(path));
        return channel;
    }

    private Path socket() {
        return folder.resolve("control");
    }

    private static String rest(final SocketChannel channel) throws IOException {
        return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }

    private static boolean endsSilently(final SocketChannel channel) {
        try {
            return rest(channel).isEmpty();
        } catch (final IOException reset) {
            return true;
        }
    }
}
