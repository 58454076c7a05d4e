// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.net.Endpoint;
import goblin.net.NetException;
import goblin.net.linux.Errno;
import goblin.nvmf.namespace.FileIo;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.target.Portal;
import goblin.nvmf.tcp.SocketBackend;
import goblin.nvmf.tcp.TcpOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the settings mean for the network. */
final class Networks {
    /** Where hosts look for discovery services. */
    static final int DISCOVERY_PORT = 8009;

    private static final long SMALLEST_RECEIVE_BYTES = 512 << 10;
    private static final long LEAST_SEGMENTS = 8;
    /** Descriptors kept for listeners, the JVM and files that are added later. */
    private static final long RESERVED_FILES = 128;

    private static final int MOST_CONNECTIONS = 1 << 20;

    private Networks() {}

    /**
     * The options of the network.
     *
     * @param files  how many may be open
     * @param sockets what serves sockets
     * @param fileIo what reads and writes them
     */
    static TcpOptions options(
            final Settings settings, final long files, final SocketBackend sockets, final FileIo fileIo) {
        return new TcpOptions(
                listen(settings),
                settings.cpus(),
                settings.idle(),
                (int) settings.maxIoBytes(),
                (int) settings.maxH2cBytes(),
                settings.inCapsuleBytes(),
                settings.dataAlignment(),
                settings.headerDigests(),
                settings.dataDigests(),
                settings.receiveBytes(),
                Math.clamp(
                        settings.receiveBytes(),
                        Math.max(
                                SMALLEST_RECEIVE_BYTES,
                                LEAST_SEGMENTS * settings.receive().segmentBytes()),
                        TcpOptions.DEFAULT_MEMORY_BYTES),
                settings.receive(),
                sockets,
                fileIo,
                Math.clamp(files - RESERVED_FILES - mediaFiles(settings), 1, MOST_CONNECTIONS),
                false);
    }

    /**
     * Refuses more receive memory than there is: all of it gets its pages at once, and the kernel would kill somebody.
     *
     * @throws NetException with a message for people
     */
    static void requireMemory(final Settings settings, final long available) {
        final TcpOptions options = options(settings, MOST_CONNECTIONS, SocketBackend.EPOLL, FileIo.THREADS);
        final long loops = settings.cpus().size();
        final long each = options.transferBytes() + options.receiveBytes();
        if (each > available / loops) {
            throw new NetException(
                    "--receive-memory " + settings.receiveBytes() + " for each of " + loops + " loops is more than the "
                            + available + " bytes of memory available",
                    Errno.ENOMEM);
        }
    }

    /** What the namespaces have open: each file once for each thread that waits for it, and once more. */
    private static long mediaFiles(final Settings settings) {
        final long media = settings.subsystems().stream()
                .flatMap(subsystem -> subsystem.namespaces().stream())
                .filter(spec -> spec.medium() == NamespaceSpec.Kind.FILE)
                .count();
        return media * (settings.storageThreads() + 1L);
    }

    private static List<Endpoint.Tcp> listen(final Settings settings) {
        final Set<Endpoint.Tcp> all = new LinkedHashSet<>(settings.listen());
        if (settings.discovery()) {
            settings.listen().forEach(own -> all.add(new Endpoint.Tcp(own.address(), DISCOVERY_PORT)));
        }
        return List.copyOf(all);
    }

    /** An address as discovery tells it. */
    static Portal portal(final Endpoint.Tcp at) {
        final String text = at.toString();
        final String address = text.substring(0, text.lastIndexOf(':'));
        return new Portal(address.startsWith("[") ? address.substring(1, address.length() - 1) : address, at.port());
    }

    /** What connects a Linux host. */
    static String connectLine(final Endpoint.Tcp at, final String nqn) {
        final String address =
                at.address().isAnyLocalAddress() ? "ADDRESS" : at.address().getHostAddress();
        return "nvme connect -t tcp -a " + address + " -s " + at.port() + " -n " + nqn;
    }
}
