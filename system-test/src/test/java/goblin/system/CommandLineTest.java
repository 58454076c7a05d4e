// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.EdgeAndHost;
import goblin.system.rig.Ports;
import goblin.system.rig.ServerProcess;
import goblin.system.rig.WireClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options, exit statuses and what is printed. */
final class CommandLineTest {
    private static final String UPSTREAM = " --upstream 127.0.0.1 1";

    @ParameterizedTest
    @CsvSource({
        "--nosuch, --nosuch",
        "'', --upstream",
        "--upstream 127.0.0.1, --upstream",
        "--upstream 127.0.0.1 port, --upstream",
        "--upstream 127.0.0.1 65536, --upstream",
        "--upstream 127.0.0.1 0, --upstream",
        "--upstream 127.0.0.1 1 --listen 127.0.0.1, --listen",
        "--upstream 127.0.0.1 1 --listen 127.0.0.1 -1, --listen",
        "--upstream 127.0.0.1 1 --edge-id 0, --edge-id",
        "--upstream 127.0.0.1 1 --edge-id x, --edge-id",
        "--upstream 127.0.0.1 1 --edge-id 18446744073709551616, --edge-id",
        "--upstream 127.0.0.1 1 --cpu x, --cpu",
        "--upstream 127.0.0.1 1 --cpu 3-2, --cpu",
        "--upstream 127.0.0.1 1 --cpu 2-3 --loops 3, --loops",
        "--upstream 127.0.0.1 1 --loops 0, --loops",
        "--upstream 127.0.0.1 1 --idle sleep, --idle",
        "--upstream 127.0.0.1 1 --backlog 0, --backlog",
        "--upstream 127.0.0.1 1 --link-timeout 0, --link-timeout",
        "--upstream 127.0.0.1 1 --unsolicited-output-buffer-bytes 0, --unsolicited-output-buffer-bytes",
        "--upstream 127.0.0.1 1 --max-output-buffer-bytes none, --max-output-buffer-bytes",
        "--upstream 127.0.0.1 1 --max-request-memory -5, --max-request-memory",
        "--upstream 127.0.0.1 1 --client-stall-seconds 0, --client-stall-seconds",
        "--upstream 127.0.0.1 1 --xlio 127.0.0.1 6379, --xlio",
        "--upstream 127.0.0.1 1 --vcl 127.0.0.1 6379, --vcl",
        "--upstream 127.0.0.1 1 --metrics 127.0.0.1 9000, --metrics",
        "--upstream 127.0.0.1 1 --upstream-kind redis, --upstream-kind",
        "--upstream 127.0.0.1 1 --upstream-loss reconnect, --upstream-loss",
        "--upstream 127.0.0.1 1 --upstream-auth-user u, --upstream-auth-password-file",
        "--upstream 127.0.0.1 1 --upstream-auth-password-file /nonexistent, --upstream-auth-user",
        "--upstream 127.0.0.1 1 stray, stray",
    })
    void shouldRefuseAnEdgeCommandLineInOneLine(final String options, final String named) {
        assertRefused("bin/goblin-core-bluefield", options, named);
    }

    @ParameterizedTest
    @CsvSource({
        "--nosuch, --nosuch",
        "--port, --port",
        "--port x, --port",
        "--port 65536, --port",
        "--bind no.such.address.invalid, --bind",
        "--bind 0.0.0.0, --bind",
        "--trusted-listen 127.0.0.1, --trusted-listen",
        "--idle sleep, --idle",
        "--maxmemory x, --maxmemory",
        "--uds-mode 9, --uds-mode",
        "--cpu x, --cpu",
        "--numa nosuchdevice, --numa",
        "--metrics 127.0.0.1 9000, --metrics",
        "stray, stray",
    })
    void shouldRefuseAHostCommandLineInOneLine(final String options, final String named) {
        assertRefused("bin/goblin-core", options, named);
    }

    @ParameterizedTest
    @CsvSource({
        "bin/goblin-core, --port",
        "bin/goblin-core-bluefield, --upstream",
        "bin/goblin-core-auth, --append",
    })
    void shouldExplainItself(final String program, final String option) {
        final ServerProcess help = ServerProcess.run(program, "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(String.join("\n", help.stdout())).contains(option).contains("--version");
        assertThat(help.stderr()).isEmpty();

        final ServerProcess version = ServerProcess.run(program, "--version");
        assertThat(version.exitCode()).isZero();
        assertThat(version.stdout()).singleElement().asString().startsWith(program.substring(4) + " ");
    }

    @Test
    void shouldEndWithOneLineWhenThePortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                EdgeAndHost programs = EdgeAndHost.start()) {
            final String port = Integer.toString(taken.getLocalPort());
            final ServerProcess host = ServerProcess.run("bin/goblin-core", "--port", port);
            assertThat(host.exitCode()).isEqualTo(1);
            assertThat(host.stderr()).singleElement().asString().contains(port);

            final ServerProcess edge = EdgeAndHost.startEdge(taken.getLocalPort(), programs.hostPort());
            assertThat(edge.exitCode()).isEqualTo(1);
            assertThat(edge.stderr()).singleElement().asString().contains(port);
        }
    }

    @Test
    void shouldEndWithOneLineWhenACpuIsNotThere() {
        final ServerProcess edge =
                ServerProcess.run("bin/goblin-core-bluefield", "--upstream", "127.0.0.1", "1", "--cpu", "0,1023");
        assertThat(edge.exitCode()).isEqualTo(1);
        assertThat(edge.stderr()).singleElement().asString().contains("CPU 1023");
    }

    @Test
    void shouldSayWhenItIsReadyAndEndCleanlyWhenTold() {
        try (EdgeAndHost programs =
                EdgeAndHost.setup().edge("--edge-id", "4711").start()) {
            assertThat(programs.edge().stderr())
                    .filteredOn(line -> line.contains("ready"))
                    .singleElement()
                    .asString()
                    .contains("tcp")
                    .contains(Integer.toString(programs.edgePort()))
                    .contains(Integer.toString(programs.hostPort()))
                    .contains("4711");
            final WireClient subscriber = programs.atEdge();
            subscriber.call("SUBSCRIBE", "c");

            programs.edge().terminate();
            assertThat(programs.edge().exitCode()).isZero();
            assertThat(subscriber.rest()).isEmpty();

            programs.host().terminate();
            assertThat(programs.host().exitCode()).isZero();
        }
    }

    @Test
    void shouldFlushWhatIsQueuedBeforeItEnds() {
        try (EdgeAndHost programs = EdgeAndHost.start()) {
            final WireClient slow = programs.atEdge();
            slow.call("SUBSCRIBE", "c");
            final WireClient publisher = programs.atEdge();
            final int count = 2000;
            publisher.raw(WireClient.command("PUBLISH", "c", "x".repeat(1000)).repeat(count));
            assertThat(publisher.replies(count)).containsOnly(":1¶");

            programs.edge().terminate();

            assertThat(slow.replies(count)).allMatch(frame -> frame.startsWith("*3¶$7¶message¶$1¶c¶$1000¶"));
            assertThat(slow.rest()).isEmpty();
            assertThat(programs.edge().exitCode()).isZero();
        }
    }

    @Test
    void shouldRefuseAnEmptyUpstreamPassword(@TempDir final Path folder) throws IOException {
        final Path password = Files.writeString(folder.resolve("password"), "\n");

        assertRefused(
                "bin/goblin-core-bluefield",
                UPSTREAM.strip() + " --upstream-auth-user u --upstream-auth-password-file " + password,
                "--upstream-auth-password-file");
    }

    private static void assertRefused(final String program, final String options, final String named) {
        final List<String> command = new ArrayList<>(List.of(program));
        if (!options.isEmpty()) {
            command.addAll(List.of(options.split(" ")));
        }
        final ServerProcess refused = ServerProcess.run(command.toArray(String[]::new));
        assertThat(refused.stderr()).as(options).singleElement().asString().contains(named);
        assertThat(refused.stdout()).isEmpty();
        assertThat(refused.exitCode()).isEqualTo(2);
    }

    @Test
    void shouldServeATrustedAddressBesideItsOwn() {
        final int trusted = Ports.free();
        try (EdgeAndHost programs = EdgeAndHost.setup()
                .host("--trusted-listen", "127.0.0.1:" + trusted)
                .start()) {
            assertThat(programs.at(trusted).call("SET", "k", "v")).isEqualTo("+OK¶");
            assertThat(programs.atEdge().call("GET", "k")).isEqualTo("$1¶v¶");
        }
    }
}
