// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.host.command.Settings;
import goblin.net.Endpoint;
import goblin.net.IdlePolicy;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Every option of the host: its default, range and text. Validated once by {@link #conclude}; read only afterwards. */
final class HostContext {
    private static final int LONGEST_SOCKET_PATH = 107;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--port", paramLabel = "N", description = "TCP port for clients, 0 to 65535 (default 6379)")
    private String portText = "6379";

    @Option(names = "--bind", paramLabel = "ADDRESS", description = "address for clients (default 127.0.0.1)")
    private String bindText = "127.0.0.1";

    @Option(
            names = "--trusted-listen",
            paramLabel = "ADDRESS:PORT",
            description = "further plaintext listener on an isolated network; edges may connect there (repeatable)")
    private List<String> trustedTexts = new ArrayList<>();

    @Option(names = "--uds-listen", paramLabel = "PATH", description = "Unix socket for clients and edges")
    private String udsText;

    @Option(names = "--uds-mode", paramLabel = "OCTAL", description = "mode of the Unix socket (default 0700)")
    private String udsModeText = "0700";

    @Option(names = "--enable-sbe", description = "accept edges on trusted listeners, Unix sockets and loopback")
    private boolean enableSbe;

    @Option(names = "--auth-file", paramLabel = "PATH", description = "users and their password hashes")
    private String authFileText;

    @Option(names = "--no-protected-mode", description = "allow a non-loopback --bind without --auth-file")
    private boolean noProtectedMode;

    @Option(names = "--cpu", paramLabel = "N", description = "CPU to pin the loop's thread to")
    private String cpuText;

    @Option(
            names = "--numa",
            paramLabel = "DEVICE",
            description = "network device or NUMA node to be near (not bound yet)")
    private String numaText;

    @Option(names = "--numa-arena", description = "bind the memory of the keyspace to that node (not bound yet)")
    private boolean numaArena;

    @Option(
            names = "--unsolicited-output-buffer-bytes",
            paramLabel = "BYTES",
            description = "unread messages past which a subscriber is disconnected (default 32 MiB)")
    private String unsolicitedText = Long.toString(32L << 20);

    @Option(
            names = "--max-output-buffer-bytes",
            paramLabel = "BYTES",
            description = "unread replies past which a client's commands wait (default 16 MiB)")
    private String maxOutputText = Long.toString(16L << 20);

    @Option(
            names = "--edge-output-buffer-bytes",
            paramLabel = "BYTES",
            description = "bytes queued for an edge at most (default 64 MiB)")
    private String edgeOutputText = Long.toString(64L << 20);

    @Option(
            names = "--link-timeout",
            paramLabel = "SECONDS",
            description = "silence after which an edge is dead (default 30)")
    private String linkTimeoutText = "30";

    @Option(
            names = "--maxmemory",
            paramLabel = "BYTES",
            description = "past it writes are refused, at most the Java heap; 0 for no limit (default 0)")
    private String maxMemoryText = "0";

    @Option(names = "--dir", paramLabel = "PATH", description = "not available yet")
    private String dirText;

    @Option(names = "--dbfilename", paramLabel = "NAME", description = "not available yet")
    private String dbFileNameText;

    @Option(names = "--save", paramLabel = "RULES", description = "not available yet")
    private String saveText;

    @Option(
            names = "--metrics",
            arity = "2",
            hideParamSyntax = true,
            paramLabel = "ADDRESS PORT",
            description = "not available yet")
    private List<String> metricsTexts;

    @Option(
            names = "--backlog",
            paramLabel = "N",
            description = "connections that may wait to be accepted, at least 1 (default 4096)")
    private String backlogText = "4096";

    @Option(
            names = "--idle",
            paramLabel = "spin|backoff",
            description = "what the loop does when idle (default backoff)")
    private String idleText = "backoff";

    private Endpoint.Tcp bind;
    private final List<Endpoint.Tcp> trusted = new ArrayList<>();
    private Endpoint.Unix uds;
    private int udsMode;
    private Path authFile;
    private int cpu = -1;
    private long unsolicitedBytes;
    private long maxOutputBytes;
    private long edgeOutputBytes;
    private int linkTimeoutSeconds;
    private long maxMemory;
    private int backlog;
    private IdlePolicy idle;

    /**
     * Reads and checks every option; call once before any getter.
     *
     * @throws ParameterException with one line that names the option and what is allowed
     */
    void conclude() {
        refuse("--dir", dirText);
        refuse("--dbfilename", dbFileNameText);
        refuse("--save", saveText);
        refuse("--metrics", metricsTexts);
        bind = new Endpoint.Tcp(address("--bind", bindText), (int) number("--port", portText, 0, 65535));
        for (final String text : trustedTexts) {
            trusted.add(endpoint("--trusted-listen", text));
        }
        if (udsText != null) {
            final int length = udsText.getBytes(StandardCharsets.UTF_8).length;
            if (length == 0 || length > LONGEST_SOCKET_PATH) {
                throw bad("--uds-listen", udsText, "a path of 1 to " + LONGEST_SOCKET_PATH + " bytes");
            }
            uds = new Endpoint.Unix(Path.of(udsText));
        }
        udsMode = octal("--uds-mode", udsModeText);
        if (authFileText != null) {
            authFile = Path.of(authFileText);
        }
        if (cpuText != null) {
            cpu = (int) number("--cpu", cpuText, 0, 4095);
        }
        if (numaText != null && !numaText.matches("[0-9]+") && !Files.exists(Path.of("/sys/class/net", numaText))) {
            throw bad("--numa", numaText, "a network device of this machine or a NUMA node's number");
        }
        unsolicitedBytes = bytes("--unsolicited-output-buffer-bytes", unsolicitedText, 1024);
        maxOutputBytes = bytes("--max-output-buffer-bytes", maxOutputText, 1024);
        edgeOutputBytes = bytes("--edge-output-buffer-bytes", edgeOutputText, 65536);
        linkTimeoutSeconds = (int) number("--link-timeout", linkTimeoutText, 2, 86_400);
        maxMemory = bytes("--maxmemory", maxMemoryText, 0);
        final long heap = Runtime.getRuntime().maxMemory();
        if (maxMemory > heap) {
            throw bad("--maxmemory", maxMemoryText, "at most the Java heap, " + heap + " bytes; -Xmx makes it larger");
        }
        backlog = (int) number("--backlog", backlogText, 1, 65535);
        idle = switch (idleText) {
            case "spin" -> IdlePolicy.SPIN;
            case "backoff" -> IdlePolicy.BACKOFF;
            default -> throw bad("--idle", idleText, "spin or backoff");
        };
        if (authFile == null && !noProtectedMode && !bind.address().isLoopbackAddress()) {
            throw bad("--bind", bindText, "a loopback address, or --auth-file, or --no-protected-mode");
        }
    }

    private void refuse(final String option, final Object value) {
        if (value != null) {
            throw new ParameterException(spec.commandLine(), option + " is not available yet");
        }
    }

    private ParameterException bad(final String option, final String value, final String allowed) {
        return new ParameterException(
                spec.commandLine(), "Invalid value for " + option + ": '" + value + "' (allowed: " + allowed + ")");
    }

    private long number(final String option, final String text, final long least, final long most) {
        final String allowed = least + " to " + most;
        if (!text.matches("[0-9]{1,18}")) {
            throw bad(option, text, allowed);
        }
        final long value = Long.parseLong(text);
        if (value < least || value > most) {
            throw bad(option, text, allowed);
        }
        return value;
    }

    private long bytes(final String option, final String text, final long least) {
        final long value = Settings.parseMemory(text);
        if (value < least) {
            throw bad(option, text, "a number of bytes from " + least + ", with or without k, kb, m, mb, g, gb");
        }
        return value;
    }

    private int octal(final String option, final String text) {
        if (!text.matches("0?[0-7]{3}")) {
            throw bad(option, text, "three octal digits, such as 0700 or 770");
        }
        return Integer.parseInt(text, 8);
    }

    private InetAddress address(final String option, final String text) {
        // Only literal addresses: looking a name up could take any time and give any address.
        if (!text.matches("[0-9.]+") && text.indexOf(':') < 0) {
            throw bad(option, text, "an IPv4 or IPv6 address");
        }
        try {
            return InetAddress.getByName(text);
        } catch (final UnknownHostException e) {
            throw bad(option, text, "an IPv4 or IPv6 address");
        }
    }

    private Endpoint.Tcp endpoint(final String option, final String text) {
        final int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            throw bad(option, text, "ADDRESS:PORT");
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        return new Endpoint.Tcp(address(option, host), (int) number(option, text.substring(colon + 1), 0, 65535));
    }

    Endpoint.Tcp bind() {
        return bind;
    }

    List<Endpoint.Tcp> trusted() {
        return trusted;
    }

    Endpoint.Unix uds() {
        return uds;
    }

    int udsMode() {
        return udsMode;
    }

    boolean enableSbe() {
        return enableSbe;
    }

    Path authFile() {
        return authFile;
    }

    int cpu() {
        return cpu;
    }

    boolean numaAsked() {
        return numaText != null || numaArena;
    }

    long unsolicitedOutputBufferBytes() {
        return unsolicitedBytes;
    }

    long maxOutputBufferBytes() {
        return maxOutputBytes;
    }

    long edgeOutputBufferBytes() {
        return edgeOutputBytes;
    }

    int linkTimeoutSeconds() {
        return linkTimeoutSeconds;
    }

    long maxMemory() {
        return maxMemory;
    }

    int backlog() {
        return backlog;
    }

    IdlePolicy idle() {
        return idle;
    }
}
