// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.FaultReporter;
import java.util.Optional;

/** Opens namespaces. */
public final class Namespaces {
    private Namespaces() {}

    /**
     * Opens a namespace. A file or device may block: not on a loop.
     *
     * @param spec         what it is made from
     * @param blockBytes   512 or 4096; the size is rounded down to it
     * @param subsystemNqn the subsystem it will belong to, for its identity
     * @param nsid         its number there, for its identity
     * @param workers      threads that wait for files; closed after the namespace
     * @return the namespace, the caller's to close
     * @throws NamespaceException with a message that names the medium and the cause
     */
    public static Namespace open(
            final NamespaceSpec spec,
            final int blockBytes,
            final String subsystemNqn,
            final long nsid,
            final StorageWorkers workers)
            throws NamespaceException {
        if (blockBytes != 512 && blockBytes != 4096) {
            throw new NamespaceException("blocks of " + blockBytes + " bytes: 512 or 4096 are possible");
        }
        final FaultReporter faults = workers.faults();
        return switch (spec.medium()) {
            case MEMORY ->
                new MemoryNamespace(
                        spec,
                        volatileIdentity(spec),
                        blockBytes,
                        whole(spec, spec.bytes(), blockBytes),
                        workers,
                        faults);
            case NULL ->
                new NullNamespace(
                        spec, volatileIdentity(spec), blockBytes, whole(spec, spec.bytes(), blockBytes), faults);
            case FILE -> openFile(spec, blockBytes, subsystemNqn, nsid, workers);
        };
    }

    /**
     * What an operator should know before a medium is used.
     *
     * @param spec what it is made from
     * @return one line, or empty when all is well
     */
    public static Optional<String> warning(final NamespaceSpec spec) {
        final long available = MachineMemory.now().available();
        return spec.medium() == NamespaceSpec.Kind.MEMORY && spec.bytes() > available
                ? Optional.of("namespace \"" + spec + "\" is larger than the " + (available >> 20)
                        + " MiB of memory that are available now: the kernel ends processes when it fills up")
                : Optional.empty();
    }

    private static Namespace openFile(
            final NamespaceSpec spec,
            final int blockBytes,
            final String subsystemNqn,
            final long nsid,
            final StorageWorkers workers)
            throws NamespaceException {
        final LinuxFile file = LinuxFiles.open(spec, blockBytes, workers.threads());
        try {
            final NamespaceIdentity identity = spec.uuid() == null
                    ? NamespaceIdentity.derived(subsystemNqn, nsid)
                    : NamespaceIdentity.of(spec.uuid());
            final long bytes = whole(spec, file.bytes(), blockBytes);
            return new FileNamespace(spec, identity, blockBytes, bytes, file, workers, workers.faults());
        } catch (final NamespaceException wrong) {
            file.close();
            throw wrong;
        }
    }

    /** What a medium that keeps nothing over a restart is called: hosts must not take it for the one before. */
    private static NamespaceIdentity volatileIdentity(final NamespaceSpec spec) {
        return spec.uuid() == null ? NamespaceIdentity.fresh() : NamespaceIdentity.of(spec.uuid());
    }

    private static long whole(final NamespaceSpec spec, final long bytes, final int blockBytes)
            throws NamespaceException {
        if (bytes < blockBytes) {
            throw new NamespaceException(
                    "namespace \"" + spec + "\" is smaller than one block of " + blockBytes + " bytes");
        }
        return bytes / blockBytes * blockBytes;
    }
}
