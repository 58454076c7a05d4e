// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.time.Duration;

/** Namespaces on slow storage, for tests anywhere. */
public final class SlowNamespaces {
    private SlowNamespaces() {}

    /**
     * Makes a namespace of which every read, write, flush, clearing takes its time on a worker. As many operations are
     * under way at once as there are workers: give it many when a test has many.
     *
     * @param bytes      size, a multiple of the block size
     * @param blockBytes 512 or 4096
     * @param delay      what each call of the storage takes at least; an operation is one call
     * @param workers    who waits; closed by the caller after the namespace
     * @return the namespace, all zeros; the caller's to close
     */
    public static Namespace inMemory(
            final int bytes, final int blockBytes, final Duration delay, final StorageWorkers workers) {
        return over(new ArrayFile(bytes), "slow:" + bytes, blockBytes, delay, workers);
    }

    /**
     * Makes a slow namespace of a file of this machine.
     *
     * @param spec       {@code file:…}
     * @param blockBytes 512 or 4096
     * @param delay      what each call of the storage takes at least
     * @param workers    who waits; closed by the caller after the namespace
     * @return the namespace; the caller's to close
     * @throws NamespaceException as {@link Namespaces#open}
     */
    public static Namespace ofFile(
            final String spec, final int blockBytes, final Duration delay, final StorageWorkers workers)
            throws NamespaceException {
        final LinuxFile file = LinuxFiles.open(NamespaceSpec.parse(spec), blockBytes, workers.threads());
        return over(file, spec, blockBytes, delay, workers);
    }

    private static Namespace over(
            final BackingFile file,
            final String text,
            final int blockBytes,
            final Duration delay,
            final StorageWorkers workers) {
        final long bytes = file.bytes() / blockBytes * blockBytes;
        return new FileNamespace(
                new NamespaceSpec(text, NamespaceSpec.Kind.FILE, text, bytes, false, false, null, 0),
                NamespaceIdentity.fresh(),
                blockBytes,
                bytes,
                new DelayedFile(file, delay.toNanos()),
                workers,
                workers.faults());
    }
}
