// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.nvmf.initiator.InitiatorException;
import goblin.system.rig.NvmfHost;
import goblin.system.rig.NvmfTarget;
import goblin.system.rig.Ports;
import goblin.system.rig.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code goblin-nvmf} and {@code goblin-nvmf-ctl} as programs. */
final class NvmfProgramTest {
    private static final String HOST = "nqn.2026-01.io.goblin:host";
    private static final int BLOCK = 4096;
    private static final String DEFAULTS = "";
    private static final String RINGS = "--sockets io_uring --file-io io_uring --loops 2";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "bin/goblin-nvmf, --nosuch, --nosuch",
        "bin/goblin-nvmf, '', --subsystem",
        "bin/goblin-nvmf, --subsystem nqn.x --listen 127.0.0.1, --listen",
        "bin/goblin-nvmf, --subsystem nqn.x --namespace mem:, --namespace",
        "bin/goblin-nvmf, --subsystem nqn.x --xlio 127.0.0.1 4420, --xlio",
        "bin/goblin-nvmf, --subsystem nqn.x --vector-retention often, --vector-retention",
        "bin/goblin-nvmf, --config /nonexistent, --config",
        "bin/goblin-nvmf, --subsystem nqn., --subsystem",
        "bin/goblin-nvmf, --subsystem nqn.2014-08.org.nvmexpress.discovery, discovery",
        "bin/goblin-nvmf, --subsystem nqn.x --allow-host nqn., --allow-host",
        "bin/goblin-nvmf-ctl, list, --control",
        "bin/goblin-nvmf-ctl, --control /x nosuch, nosuch",
        "bin/goblin-nvmf-ctl, --control /x why, why HOSTNQN",
    })
    void shouldRefuseACommandLineInOneLine(final String program, final String options, final String named) {
        final String[] command = (program + " " + options).strip().split(" ");
        final ServerProcess refused = ServerProcess.run(command);

        assertThat(refused.stderr()).singleElement().asString().contains(named);
        assertThat(refused.stdout()).isEmpty();
        assertThat(refused.exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"bin/goblin-nvmf, --namespace", "bin/goblin-nvmf-ctl, add-namespace"})
    void shouldExplainItself(final String program, final String option) {
        final ServerProcess help = ServerProcess.run(program, "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(String.join("\n", help.stdout())).contains(option).contains("--version");

        final ServerProcess version = ServerProcess.run(program, "--version");
        assertThat(version.stdout()).singleElement().asString().startsWith(program.substring(4) + " 0.");
    }

    @Test
    void shouldEndWithOneLineWhenItCannotStart() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final String port = Integer.toString(taken.getLocalPort());
            assertCannotStart(port, "--listen", "127.0.0.1", port);
            assertCannotStart(port, "--listen", "127.0.0.1", "0", "--metrics", "127.0.0.1", port);
        }
        assertCannotStart("/nonexistent", "--listen", "127.0.0.1", "0", "--namespace", "file:/nonexistent/a,size=1M");
        assertCannotStart("/nonexistent", "--listen", "127.0.0.1", "0", "--control", "/nonexistent/control");
        assertCannotStart("CPU 8191", "--listen", "127.0.0.1", "0", "--cpu", "0,8191");
    }

    private static void assertCannotStart(final String named, final String... options) {
        final List<String> command =
                new ArrayList<>(List.of("bin/goblin-nvmf", "--subsystem", NvmfTarget.NQN, "--allow-any-host"));
        command.addAll(Arrays.asList(options));
        final ServerProcess process = ServerProcess.run(command.toArray(String[]::new));
        assertThat(process.exitCode()).isEqualTo(1);
        assertThat(process.stderr())
                .filteredOn(line -> !line.contains("locked into RAM"))
                .singleElement()
                .asString()
                .contains(named);
    }

    @ParameterizedTest
    @ValueSource(strings = {DEFAULTS, RINGS})
    void shouldKeepAFileOverARestartAndSayHowToConnect(final String served) {
        try (NvmfTarget target = open(served, "--namespace", "file:" + folder.resolve("disk") + ",size=16M")) {
            assertThat(target.process().stderr())
                    .anyMatch(line -> line.endsWith(
                            "nvme connect -t tcp -a 127.0.0.1 -s " + target.port() + " -n " + NvmfTarget.NQN));
            final byte[] written = block('w');
            try (NvmfHost host = NvmfHost.connect(target, o -> o)) {
                host.write(1, 5, written);
            }
            final String identity = uuid(target);

            target.process().terminate();
            assertThat(target.process().exitCode()).isZero();
            assertThat(target.control()).doesNotExist();
            target.start();

            try (NvmfHost host = NvmfHost.connect(target, o -> o)) {
                assertThat(host.read(1, 5, BLOCK)).isEqualTo(written);
            }
            assertThat(uuid(target)).isEqualTo(identity);
        }
    }

    @Test
    void shouldGiveMemoryANewIdentityAtEachStart() {
        try (NvmfTarget target = NvmfTarget.open("--namespace", "mem:1M")) {
            final String identity = uuid(target);
            target.kill();
            target.start();

            assertThat(uuid(target)).isNotEqualTo(identity);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--loops 2", RINGS})
    void shouldServeSeveralLoopsDigestsAndSmallBlocks(final String served) {
        final String file = "file:" + folder.resolve("loops") + ",size=8M";
        try (NvmfTarget target = open(served, "--namespace", file, "--block-size", "512");
                NvmfHost plain = NvmfHost.connect(target, o -> o);
                NvmfHost checked = NvmfHost.connect(target, o -> o.withDigests(true, true))) {
            assertThat(plain.namespace(1).blockBytes()).isEqualTo(512);
            final byte[] written = Arrays.copyOf(block('d'), 512);
            checked.write(1, 7, written);

            assertThat(plain.read(1, 7, 512)).isEqualTo(written);
            assertThat(target.process().stderr()).noneMatch(line -> line.contains("kernel refuses"));
            assertThat(target.ctl("list").stdout())
                    .anyMatch(line -> line.contains("nvmf-0"))
                    .anyMatch(line -> line.contains("nvmf-1"));
        }
    }

    @Test
    void shouldRefuseHostsThatAreNotAllowedAndSayWhy() {
        try (NvmfTarget target = NvmfTarget.closed("--namespace", "mem:1M", "--allow-host", HOST + "2")) {
            assertThatThrownBy(() -> NvmfHost.connect(target, o -> o.withHost(HOST)))
                    .isInstanceOf(InitiatorException.class);
            target.process().awaitStderr(HOST);
            assertThat(target.ctl("why", HOST).stdout())
                    .anyMatch(line -> line.contains("host-not-allowed"))
                    .anyMatch(line -> line.contains(NvmfTarget.NQN) && line.contains("refused 1 time"));
            assertThat(target.ctl("stats").stdout()).contains("nvmf_connects_refused{reason=\"host-not-allowed\"} 1");

            assertDone(target.ctl("allow-host", NvmfTarget.NQN, HOST));
            try (NvmfHost host = NvmfHost.connect(target, o -> o.withHost(HOST))) {
                host.write(1, 0, block('a'));
                assertDone(target.ctl("deny-host", NvmfTarget.NQN, HOST));
                assertThat(host.awaitEnd()).isNotEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DEFAULTS, RINGS})
    void shouldChangeNamespacesWhileHostsAreConnected(final String served) {
        try (NvmfTarget target = open(served, "--namespace", "mem:1M");
                NvmfHost host = NvmfHost.connect(target, o -> o)) {
            assertThat(target.ctl("add-namespace", NvmfTarget.NQN, "mem:2M", "block-size=512")
                            .stdout())
                    .containsExactly("namespace 2");
            assertThat(host.namespace(2).blocks()).isEqualTo(4096);
            host.write(2, 3, Arrays.copyOf(block('x'), 512));

            assertDone(target.ctl("resize-namespace", NvmfTarget.NQN, "2", "3M"));
            assertThat(host.namespace(2).blocks()).isEqualTo(6144);
            assertThat(host.read(2, 3, 512)).isEqualTo(Arrays.copyOf(block('x'), 512));

            assertDone(target.ctl("remove-namespace", NvmfTarget.NQN, "2"));
            assertThatThrownBy(() -> host.read(2, 3, 512)).hasMessageContaining("status");
            assertThat(host.read(1, 0, BLOCK)).containsOnly(0);

            assertThat(target.ctl("list").stdout())
                    .anyMatch(line -> line.startsWith("subsystem " + NvmfTarget.NQN))
                    .anyMatch(line -> line.contains("namespace 1: mem:1M"))
                    .noneMatch(line -> line.contains("namespace 2"))
                    .anyMatch(line -> line.contains("controller") && line.contains("1 I/O queues"))
                    .anyMatch(line -> line.startsWith("connection from"));
        }
    }

    @Test
    void shouldSetTheStateOfAnAnaGroup() {
        try (NvmfTarget target = NvmfTarget.open("--namespace", "mem:1M", "--ana-group", "3");
                NvmfHost host = NvmfHost.connect(target, o -> o)) {
            assertDone(target.ctl("ana-state", NvmfTarget.NQN, "3", "inaccessible"));
            assertThatThrownBy(() -> host.read(1, 0, BLOCK)).hasMessageContaining("0x302");

            assertDone(target.ctl("ana-state", NvmfTarget.NQN, "3", "non-optimized"));
            assertThat(host.read(1, 0, BLOCK)).containsOnly(0);
            assertThat(target.ctl("list").stdout()).anyMatch(line -> line.contains("ANA group 3 non-optimized"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DEFAULTS, RINGS})
    void shouldDrainBeforeARestart(final String served) {
        try (NvmfTarget target = open(served, "--namespace", "mem:1M");
                NvmfHost host = NvmfHost.connect(target, o -> o)) {
            host.write(1, 0, block('x'));

            final ServerProcess drained = target.ctl("drain");
            assertThat(drained.exitCode()).isZero();
            assertThat(host.awaitEnd()).isNotEmpty();
            assertThat(target.ctl("list").stdout()).anyMatch(line -> line.contains("(drained)"));
            assertThatThrownBy(() -> NvmfHost.connect(target, o -> o)).isInstanceOf(InitiatorException.class);

            assertDone(target.ctl("resume"));
            try (NvmfHost again = NvmfHost.connect(target, o -> o)) {
                assertThat(again.read(1, 0, BLOCK)).isEqualTo(block('x'));
            }
        }
    }

    @Test
    void shouldSayWhatTheControlCommandRefuses() {
        final Map<String, String> refused = Map.ofEntries(
                Map.entry("add-namespace nqn.x mem:1M", "there is no subsystem nqn.x"),
                Map.entry("add-namespace NQN x:1M", "mem:"),
                Map.entry("add-namespace NQN mem:1M nsid=1", "in use"),
                Map.entry("add-namespace NQN mem:1M nsid=0", "nsid 0"),
                Map.entry("add-namespace NQN mem:1M size=1", "allowed are nsid=N"),
                Map.entry("remove-namespace NQN 9", "no namespace 9"),
                Map.entry("resize-namespace NQN 1 x", "not a size"),
                Map.entry("resize-namespace NQN 1 1", "smaller than a block"),
                Map.entry("allow-host NQN x", "nqn."),
                Map.entry("deny-host NQN nqn.x", "not on the list"),
                Map.entry("ana-state NQN 1 good", "optimized"),
                Map.entry("drain nqn.x", "there is no subsystem nqn.x"));
        try (NvmfTarget target = NvmfTarget.open("--namespace", "mem:1M")) {
            refused.forEach((words, named) -> {
                final ServerProcess ctl =
                        target.ctl(words.replace("NQN", NvmfTarget.NQN).split(" "));
                assertThat(ctl.stderr()).as(words).singleElement().asString().contains(named);
                assertThat(ctl.stdout()).isEmpty();
                assertThat(ctl.exitCode()).isEqualTo(1);
            });
        }
    }

    @Test
    void shouldKeepItsControlSocketForItsOwner() throws IOException {
        try (NvmfTarget target = NvmfTarget.open("--namespace", "mem:1M")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target.control())))
                    .isEqualTo("rw-------");
            target.kill();

            final ServerProcess alone = target.ctl("list");
            assertThat(alone.exitCode()).isEqualTo(1);
            assertThat(alone.stderr())
                    .singleElement()
                    .asString()
                    .contains(target.control().toString());
        }
    }

    @Test
    void shouldServeTheSubsystemsOfAFileAndListThemAtDiscovery() throws IOException {
        final int port = Ports.free();
        final Path file = Files.writeString(folder.resolve("target.conf"), """
                listen = 127.0.0.9 %d
                discovery
                referral = 192.0.2.77 8010
                [subsystem nqn.2026-01.io.goblin:a]
                allow-any-host
                namespace = mem:1M
                [subsystem nqn.2026-01.io.goblin:b]
                allow-host = %s
                namespace = null:1G
                [subsystem nqn.2026-01.io.goblin:c]
                namespace = null:1G
                """.formatted(port, HOST));
        try (ServerProcess _ = ServerProcess.start(List.of("bin/goblin-nvmf", "--config", file.toString()))
                .awaitStderr("ready")) {
            for (final int asked : new int[] {port, 8009}) {
                final String log = new String(NvmfHost.discover("127.0.0.9", asked, HOST), StandardCharsets.ISO_8859_1);
                assertThat(log)
                        .contains("nqn.2026-01.io.goblin:a")
                        .contains("nqn.2026-01.io.goblin:b")
                        .contains("192.0.2.77")
                        .doesNotContain("nqn.2026-01.io.goblin:c");
                assertThat(log.substring(1024, 2048)).contains("127.0.0.9").contains(Integer.toString(port));
            }
        }
    }

    @Test
    void shouldShowItsMetrics() throws Exception {
        final int port = Ports.free();
        try (NvmfTarget target =
                        NvmfTarget.open("--namespace", "mem:1M", "--metrics", "127.0.0.1", Integer.toString(port));
                NvmfHost host = NvmfHost.connect(target, o -> o)) {
            host.write(1, 0, block('m'));
            final HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                    .build();
            try (HttpClient client = HttpClient.newHttpClient()) {
                Awaitility.await()
                        .untilAsserted(() -> assertThat(client.send(request, BodyHandlers.ofString())
                                        .body()
                                        .lines())
                                .contains(
                                        "nvmf_admin_connects_total 1.0",
                                        "nvmf_io_connects_total 1.0",
                                        "nvmf_controllers{subsystem=\"" + NvmfTarget.NQN + "\"} 1.0",
                                        // Two Connects came with 1 KiB each.
                                        "nvmf_tcp_payload_bytes_total 6144.0"));
            }
        }
    }

    private static NvmfTarget open(final String served, final String... options) {
        final List<String> all = new ArrayList<>(Arrays.asList(options));
        if (!served.isEmpty()) {
            all.addAll(Arrays.asList(served.split(" ")));
        }
        return NvmfTarget.open(all.toArray(String[]::new));
    }

    private static byte[] block(final char fill) {
        final byte[] block = new byte[BLOCK];
        Arrays.fill(block, (byte) fill);
        return block;
    }

    private static String uuid(final NvmfTarget target) {
        return target.ctl("list").stdout().stream()
                .filter(line -> line.contains("uuid"))
                .map(line -> line.substring(line.indexOf("uuid"), line.indexOf(", ANA")))
                .findFirst()
                .orElseThrow();
    }

    private static void assertDone(final ServerProcess ctl) {
        assertThat(ctl.stderr()).isEmpty();
        assertThat(ctl.exitCode()).isZero();
    }
}
