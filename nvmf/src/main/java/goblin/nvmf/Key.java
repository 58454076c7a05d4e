// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Every setting of the target: its name on the command line ({@code --serial}) and in a configuration file
 * ({@code serial}), what follows it, and its text. {@link Settings} and {@link SubsystemSettings} say what is allowed.
 */
enum Key {
    LISTEN("ADDRESS PORT", Scope.PROCESS, true, "Serve NVMe/TCP here; repeatable. Default: 127.0.0.1 4420."),
    XLIO("ADDRESS PORT", Scope.PROCESS, false, "Serve on XLIO Ultra here (not available yet)."),
    VCL("ADDRESS PORT", Scope.PROCESS, false, "Serve on VPP HostStack here (not available yet)."),
    DISCOVERY("", Scope.PROCESS, false, "Also serve the addresses of --listen on the discovery port 8009."),
    REFERRAL("ADDRESS PORT", Scope.PROCESS, true, "Send hosts to another discovery service as well; repeatable."),
    SUBSYSTEM("NQN", Scope.COMMAND_LINE, false, "The subsystem that the options below describe."),
    SERIAL("TEXT", Scope.SUBSYSTEM, false, "Its serial number, 1 to 20 characters. Default: derived from the NQN."),
    MODEL("TEXT", Scope.SUBSYSTEM, false, "Its model, 1 to 40 characters. Default: Goblin."),
    ALLOW_HOST("NQN", Scope.SUBSYSTEM, true, "A host that may connect; repeatable."),
    ALLOW_ANY_HOST("", Scope.SUBSYSTEM, false, "Every host may connect."),
    NAMESPACE(
            "SPEC",
            Scope.SUBSYSTEM,
            true,
            "mem:SIZE, file:PATH[,size=SIZE][,direct][,read-only] or null:SIZE, each with [,uuid=UUID][,nsid=N]; the first"
                    + " without nsid= has the lowest NSID that is left, and so on; repeatable."),
    BLOCK_SIZE("512|4096", Scope.SUBSYSTEM, false, "Bytes of a block in its namespaces. Default: 4096."),
    ANA_GROUP("N", Scope.SUBSYSTEM, false, "The ANA group of its namespaces, 1 to 128. Default: 1."),
    ANA_STATE(
            "STATE",
            Scope.SUBSYSTEM,
            false,
            "The state of that group: optimized, non-optimized, inaccessible, persistent-loss or change. Default:"
                    + " optimized."),
    CONTROLLER_ID_RANGE(
            "MIN-MAX",
            Scope.SUBSYSTEM,
            false,
            "Controller ids it gives out, for several targets that show one subsystem. Default: 1-65519."),
    MAX_QUEUE_DEPTH("N", Scope.PROCESS, false, "Commands outstanding on a queue, 2 to 4096. Default: 128."),
    MAX_IO_SIZE(
            "BYTES", Scope.PROCESS, false, "Largest transfer of a command, a power of two, 8K to 16M. Default: 1M."),
    IN_CAPSULE_DATA_SIZE(
            "BYTES",
            Scope.PROCESS,
            false,
            "Data that may come with a command on I/O queues, 0 to 64K, a multiple of 16. Default: 8192."),
    HEADER_DIGEST(
            "allow|off", Scope.PROCESS, false, "Header digests: used when the host asks, or never. Default: allow."),
    DATA_DIGEST("allow|off", Scope.PROCESS, false, "Data digests: used when the host asks, or never. Default: allow."),
    RECEIVE_SEGMENT_SIZE(
            "BYTES",
            Scope.PROCESS,
            false,
            "Bytes of a piece of memory that sockets receive into, 1K to 1M. Default: 64K."),
    RECEIVE_WINDOW(
            "BYTES",
            Scope.PROCESS,
            false,
            "Most bytes that one receive brings, 32K to 1M, a segment at least. Default: 64K."),
    RECEIVE_MEMORY(
            "BYTES",
            Scope.PROCESS,
            false,
            "Memory of a loop for data on its way, at least --max-io-size, at most 64G. Default: 64M."),
    MAX_RECEIVE_SEGMENTS(
            "N",
            Scope.PROCESS,
            false,
            "Pieces a command's data may lie in before it is copied, 33 to 1024. Default: 255."),
    RECEIVE_PATH(
            "lent|placed|copied",
            Scope.PROCESS,
            false,
            "lent: data is written from where it was received; placed: and is received where pages begin; copied: never."
                    + " Default: lent."),
    VECTORS(
            "dynamic|fixed|inline",
            Scope.PROCESS,
            false,
            "A command's vector grows when many pieces need it; has 256 entries from the start, or --max-receive-segments if"
                    + " that is less; or never has more than 33. Default: dynamic."),
    VECTOR_RETENTION(
            "keep|release|decay",
            Scope.PROCESS,
            false,
            "A grown vector is kept for reuse; given back when its command is done; or halved for each second in which half"
                    + " of it was enough. Default: keep."),
    MAX_H2C_DATA(
            "BYTES",
            Scope.PROCESS,
            false,
            "Most data asked for at once, from 4096, a multiple of 4. Default: --max-io-size."),
    CONTROLLER_DATA_ALIGNMENT(
            "N", Scope.PROCESS, false, "CPDA: data of hosts begins at a multiple of 4(N+1), 0 to 31. Default: 0."),
    SOCKETS(
            "epoll|io_uring",
            Scope.PROCESS,
            false,
            "What serves sockets; epoll where the kernel refuses io_uring. Default: epoll."),
    FILE_IO(
            "io_uring|threads",
            Scope.PROCESS,
            false,
            "io_uring: loops read and write files by a ring each, and leave the rest to threads; threads: all is theirs."
                    + " Default: threads."),
    STORAGE_THREADS(
            "N",
            Scope.PROCESS,
            false,
            "Threads that wait for files and devices, 1 to 64, shared by all; one that hangs takes half at most. Default:"
                    + " 8."),
    CPU("LIST", Scope.PROCESS, false, "CPUs such as 1,3-4: one loop pinned to each. Default: one loop, not pinned."),
    LOOPS("N", Scope.PROCESS, false, "Loops that are not pinned, 1 to 64; instead of --cpu. Default: 1."),
    IDLE("spin|backoff", Scope.PROCESS, false, "spin: busy cores; backoff: sleep when idle. Default: backoff."),
    METRICS("ADDRESS PORT", Scope.PROCESS, false, "Prometheus metrics over HTTP here, at /metrics."),
    CONTROL("PATH", Scope.PROCESS, false, "Unix socket for goblin-nvmf-ctl, for its owner only."),
    CONFIG("FILE", Scope.COMMAND_LINE, false, "The same settings, and any number of subsystems, from a file.");

    /** Where a setting may stand. */
    enum Scope {
        /** On the command line, or in a file before its first section. */
        PROCESS,
        /** On the command line, for its one subsystem, or in a section of a file. */
        SUBSYSTEM,
        /** On the command line only. */
        COMMAND_LINE
    }

    private final String parameters;
    private final Scope scope;
    private final boolean repeatable;
    private final String text;

    Key(final String parameters, final Scope scope, final boolean repeatable, final String text) {
        this.parameters = parameters;
        this.scope = scope;
        this.repeatable = repeatable;
        this.text = text;
    }

    /** As in a configuration file; with two dashes in front as on the command line. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The key of this name, without dashes in front. */
    static Optional<Key> of(final String label) {
        return Arrays.stream(values()).filter(key -> key.label().equals(label)).findFirst();
    }

    /** What follows it, for people; empty for a switch. */
    String parameters() {
        return parameters;
    }

    /** How many words follow it, 0 to 2. */
    int words() {
        return parameters.isEmpty() ? 0 : parameters.split(" ").length;
    }

    Scope scope() {
        return scope;
    }

    boolean repeatable() {
        return repeatable;
    }

    String text() {
        return text;
    }
}
