// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.net.Endpoint;
import goblin.nvmf.target.Portal;
import goblin.nvmf.tcp.ReceivePath;
import goblin.nvmf.tcp.TcpOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the settings mean for the network. */
final class Networks {
    /** Where hosts look for discovery services. */
    static final int DISCOVERY_PORT = 8009;

    private static final long SMALLEST_SEGMENT_BYTES = 512 << 10;
    /** Descriptors kept for files, listeners and the JVM. */
    private static final long RESERVED_FILES = 128;

    private static final int MOST_CONNECTIONS = 1 << 20;

    private Networks() {}

    /**
     * The options of the network.
     *
     * @param files how many may be open
     */
    static TcpOptions options(final Settings settings, final long files) {
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
                Math.clamp(settings.receiveBytes(), SMALLEST_SEGMENT_BYTES, TcpOptions.DEFAULT_MEMORY_BYTES),
                settings.receiveSegments(),
                settings.lent() ? ReceivePath.LENT : ReceivePath.COPIED,
                Math.clamp(files - RESERVED_FILES, 1, MOST_CONNECTIONS),
                false);
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
