// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.net.Endpoint;
import goblin.net.IdlePolicy;
import goblin.nvmf.namespace.FileIo;
import goblin.nvmf.namespace.StorageWorkers;
import goblin.nvmf.target.Portal;
import goblin.nvmf.tcp.ReceiveOptions;
import goblin.nvmf.tcp.SocketBackend;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The whole process as it was asked for, checked; the rest of the program only reads.
 *
 * @param listen             where to serve, at least one
 * @param discovery          whether those addresses are served on the discovery port as well
 * @param referrals          discovery services elsewhere
 * @param queueDepth         commands outstanding on a queue
 * @param maxIoBytes         largest transfer
 * @param inCapsuleBytes     data with a command on I/O queues
 * @param headerDigests      whether hosts may have them
 * @param dataDigests        whether hosts may have them
 * @param receiveBytes       memory of a loop for data on its way
 * @param receive            how payload is received
 * @param sockets            what serves the sockets
 * @param maxH2cBytes        most asked for at once
 * @param dataAlignment      CPDA
 * @param storageThreads     threads that wait for files
 * @param fileIo             what reads and writes files
 * @param cpus               one loop each; -1 for one that is not pinned
 * @param idle               what idle loops do
 * @param metrics            where metrics are served, or null
 * @param control            the control socket, or null
 * @param subsystems         at least one
 */
record Settings(
        List<Endpoint.Tcp> listen,
        boolean discovery,
        List<Portal> referrals,
        int queueDepth,
        long maxIoBytes,
        int inCapsuleBytes,
        boolean headerDigests,
        boolean dataDigests,
        long receiveBytes,
        ReceiveOptions receive,
        SocketBackend sockets,
        long maxH2cBytes,
        int dataAlignment,
        int storageThreads,
        FileIo fileIo,
        List<Integer> cpus,
        IdlePolicy idle,
        Endpoint.Tcp metrics,
        Path control,
        List<SubsystemSettings> subsystems) {
    private static final int LONGEST_SOCKET_PATH = 107;
    private static final int DEFAULT_PORT = 4420;
    private static final int PAGE = 4096;
    /** Identify cannot say 4 KiB: as MDTS that is 0, no limit. */
    private static final long LEAST_IO_BYTES = 8 << 10;

    private static final long MOST_IO_BYTES = 16L << 20;
    private static final long DEFAULT_IO_BYTES = 1L << 20;
    private static final int DEFAULT_IN_CAPSULE = 8192;
    private static final int MOST_IN_CAPSULE = 65536;
    private static final long DEFAULT_RECEIVE_BYTES = 64L << 20;
    private static final long MOST_RECEIVE_BYTES = 64L << 30;
    private static final long LEAST_SEGMENT_BYTES = 1 << 10;
    private static final long LEAST_WINDOW_BYTES = 32 << 10;
    private static final long MOST_WINDOW_BYTES = 1 << 20;
    private static final int HIGHEST_CPU = 8191;
    private static final int MOST_LOOPS = 64;

    private enum DigestChoice {
        ALLOW,
        OFF
    }

    /**
     * Checks what was given on the command line, and in the file it names.
     *
     * @throws BadOption for the first that is wrong
     */
    static Settings of(final GivenSettings commandLine) {
        final GivenSettings given = new GivenSettings();
        given.addMissing(commandLine);
        final List<SubsystemSettings> subsystems = new ArrayList<>();
        commandLine.get(Key.CONFIG).map(ConfigFile::read).ifPresent(file -> {
            if (given.has(Key.CPU) || given.has(Key.LOOPS)) {
                // Two ways to say one thing: that of the command line counts.
                file.process().remove(Key.CPU);
                file.process().remove(Key.LOOPS);
            }
            given.addMissing(file.process());
            file.subsystems().forEach((name, section) -> subsystems.add(SubsystemSettings.of(name, section)));
        });
        addOwn(commandLine, subsystems);
        refuseWhatIsNotThere(given);
        final long maxIoBytes =
                given.get(Key.MAX_IO_SIZE).map(Settings::ioBytes).orElse(DEFAULT_IO_BYTES);
        return new Settings(
                listen(given.list(Key.LISTEN)),
                given.has(Key.DISCOVERY),
                referrals(given.list(Key.REFERRAL)),
                (int) number(given, Key.MAX_QUEUE_DEPTH, 2, 4096, 128),
                maxIoBytes,
                given.get(Key.IN_CAPSULE_DATA_SIZE).map(Settings::inCapsule).orElse(DEFAULT_IN_CAPSULE),
                choice(given, Key.HEADER_DIGEST, DigestChoice.ALLOW) == DigestChoice.ALLOW,
                choice(given, Key.DATA_DIGEST, DigestChoice.ALLOW) == DigestChoice.ALLOW,
                given.get(Key.RECEIVE_MEMORY)
                        .map(g -> g.bytes(maxIoBytes, MOST_RECEIVE_BYTES))
                        .orElse(Math.max(DEFAULT_RECEIVE_BYTES, maxIoBytes)),
                receive(given),
                choice(given, Key.SOCKETS, SocketBackend.EPOLL),
                given.get(Key.MAX_H2C_DATA).map(g -> h2cBytes(g, maxIoBytes)).orElse(maxIoBytes),
                (int) number(given, Key.CONTROLLER_DATA_ALIGNMENT, 0, 31, 0),
                (int) number(given, Key.STORAGE_THREADS, 1, StorageWorkers.MAX_THREADS, StorageWorkers.DEFAULT_THREADS),
                choice(given, Key.FILE_IO, FileIo.THREADS),
                cpus(given),
                choice(given, Key.IDLE, IdlePolicy.BACKOFF),
                given.get(Key.METRICS).map(g -> g.endpoint(0)).orElse(null),
                given.get(Key.CONTROL).map(Settings::socket).orElse(null),
                distinct(subsystems));
    }

    private static void addOwn(final GivenSettings commandLine, final List<SubsystemSettings> subsystems) {
        final boolean named = commandLine.has(Key.SUBSYSTEM);
        if (named) {
            subsystems.add(SubsystemSettings.of(commandLine.list(Key.SUBSYSTEM).getFirst(), commandLine));
        } else {
            commandLine.firstOf(Key.Scope.SUBSYSTEM).ifPresent(given -> {
                throw new BadOption(given.origin() + ": --subsystem NQN must say which");
            });
        }
        if (subsystems.isEmpty()) {
            throw new BadOption("--subsystem NQN is required, or --config FILE with a section [subsystem NQN]");
        }
    }

    private static void refuseWhatIsNotThere(final GivenSettings given) {
        for (final Key stack : List.of(Key.XLIO, Key.VCL)) {
            given.get(stack).ifPresent(g -> {
                throw g.notYet("use listen ADDRESS PORT");
            });
        }
    }

    private static ReceiveOptions receive(final GivenSettings given) {
        final ReceiveOptions usual = ReceiveOptions.DEFAULT;
        final int segment = given.get(Key.RECEIVE_SEGMENT_SIZE)
                .map(g -> (int) g.bytes(LEAST_SEGMENT_BYTES, ReceiveOptions.LARGEST_SEGMENT_BYTES))
                .orElse(usual.segmentBytes());
        final int window = given.get(Key.RECEIVE_WINDOW)
                .map(g -> (int) g.bytes(Math.max(segment, LEAST_WINDOW_BYTES), MOST_WINDOW_BYTES))
                .orElse(Math.max(segment, usual.windowBytes()));
        return new ReceiveOptions(
                segment,
                window,
                (int) number(
                        given,
                        Key.MAX_RECEIVE_SEGMENTS,
                        ReceiveOptions.LEAST_MAX_SEGMENTS,
                        ReceiveOptions.LARGEST_MAX_SEGMENTS,
                        usual.maxSegments()),
                choice(given, Key.RECEIVE_PATH, usual.path()),
                choice(given, Key.VECTORS, usual.vectors()),
                choice(given, Key.VECTOR_RETENTION, usual.retention()));
    }

    private static List<SubsystemSettings> distinct(final List<SubsystemSettings> subsystems) {
        final Set<String> names = new HashSet<>();
        for (final SubsystemSettings subsystem : subsystems) {
            if (!names.add(subsystem.nqn())) {
                throw new BadOption("subsystem " + subsystem.nqn() + ": given twice");
            }
        }
        return List.copyOf(subsystems);
    }

    private static List<Endpoint.Tcp> listen(final List<Given> given) {
        if (given.isEmpty()) {
            return List.of(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), DEFAULT_PORT));
        }
        return given.stream().map(g -> g.endpoint(0)).distinct().toList();
    }

    private static List<Portal> referrals(final List<Given> given) {
        final List<Portal> all = new ArrayList<>();
        for (final Given one : given) {
            final Endpoint.Tcp elsewhere = one.endpoint(1);
            if (elsewhere.address().isAnyLocalAddress()) {
                throw one.bad("hosts cannot go to a wildcard");
            }
            all.add(Networks.portal(elsewhere));
        }
        return all.stream().distinct().toList();
    }

    private static long number(
            final GivenSettings given, final Key key, final long least, final long most, final long otherwise) {
        return given.get(key).map(g -> g.number(least, most)).orElse(otherwise);
    }

    private static <E extends Enum<E>> E choice(final GivenSettings given, final Key key, final E otherwise) {
        return given.get(key).map(g -> g.choice(otherwise.getDeclaringClass())).orElse(otherwise);
    }

    private static long ioBytes(final Given given) {
        final long bytes = given.bytes(LEAST_IO_BYTES, MOST_IO_BYTES);
        if (Long.bitCount(bytes) != 1) {
            throw given.bad("allowed is a power of two from 8K to 16M");
        }
        return bytes;
    }

    private static int inCapsule(final Given given) {
        final long bytes = given.bytes(0, MOST_IN_CAPSULE);
        if (bytes % 16 != 0) {
            throw given.bad("allowed is a multiple of 16");
        }
        return (int) bytes;
    }

    private static long h2cBytes(final Given given, final long maxIoBytes) {
        final long bytes = given.bytes(PAGE, maxIoBytes);
        if (bytes % 4 != 0) {
            throw given.bad("allowed is a multiple of 4");
        }
        return bytes;
    }

    private static Path socket(final Given given) {
        final int length = given.word().getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length > LONGEST_SOCKET_PATH) {
            throw given.bad("allowed is a path of 1 to " + LONGEST_SOCKET_PATH + " bytes");
        }
        return given.path();
    }

    private static List<Integer> cpus(final GivenSettings given) {
        if (given.has(Key.CPU) && given.has(Key.LOOPS)) {
            throw new BadOption(given.list(Key.LOOPS).getFirst().origin() + ": there is one loop for each CPU of "
                    + given.list(Key.CPU).getFirst().origin());
        }
        if (given.has(Key.CPU)) {
            return cpuList(given.list(Key.CPU).getFirst());
        }
        final int loops = (int) number(given, Key.LOOPS, 1, MOST_LOOPS, 1);
        return Collections.nCopies(loops, -1);
    }

    private static List<Integer> cpuList(final Given given) {
        final Set<Integer> cpus = new LinkedHashSet<>();
        for (final String part : given.word().split(",", -1)) {
            if (!part.matches("[0-9]{1,4}(-[0-9]{1,4})?")) {
                throw given.bad("allowed is a list such as 1,3-4");
            }
            final String[] ends = part.split("-", 2);
            final int first = Integer.parseInt(ends[0]);
            final int last = Integer.parseInt(ends[ends.length - 1]);
            if (first > last || last > HIGHEST_CPU) {
                throw given.bad("CPUs are 0 to " + HIGHEST_CPU + ", a range goes upwards");
            }
            for (int cpu = first; cpu <= last; cpu++) {
                cpus.add(cpu);
            }
        }
        if (cpus.size() > MOST_LOOPS) {
            throw given.bad("at most " + MOST_LOOPS + " loops");
        }
        return List.copyOf(cpus);
    }
}
