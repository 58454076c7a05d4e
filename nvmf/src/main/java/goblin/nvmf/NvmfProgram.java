// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.NetException;
import goblin.net.linux.Limits;
import goblin.net.linux.Signals;
import goblin.net.uring.Ring;
import goblin.nvmf.namespace.FileIo;
import goblin.nvmf.namespace.MachineMemory;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.target.Subsystem;
import goblin.nvmf.target.SubsystemOptions;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetOptions;
import goblin.nvmf.tcp.SocketBackend;
import goblin.nvmf.tcp.TcpTarget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The target from its start to its end: media first, then the network; at the end the other way round. */
final class NvmfProgram {
    // Together what an end may take at most; a service manager kills later than that.
    private static final long CONTROL_SECONDS = 2;
    private static final long NETWORK_SECONDS = 12;
    private static final long MEDIA_SECONDS = 14;

    private final Settings settings;
    private final NvmfLog log;
    private final Media media;
    private final Target target;
    private final CountDownLatch failed = new CountDownLatch(1);
    private final Ending ending;
    private volatile boolean isEnding;
    private boolean hasEnded;
    private TcpTarget network;
    private ControlServer control;
    private MetricsServer metrics;

    NvmfProgram(final Settings settings, final NvmfLog log) {
        this.settings = settings;
        this.log = log;
        media = new Media(settings.storageThreads());
        ending = new Ending(log);
        target = new Target(
                new TargetOptions(
                        (int) settings.maxIoBytes(),
                        settings.queueDepth(),
                        settings.inCapsuleBytes(),
                        TargetOptions.DEFAULTS.maxIoQueues(),
                        Version.firmware()),
                log::line);
    }

    /** Runs until a signal ends the process or something fails; returns the exit status of a failure. */
    int run() {
        try {
            start();
        } catch (final NetException | NamespaceException e) {
            return cannotStart(e.getMessage());
        } catch (final OutOfMemoryError e) {
            return cannotStart("there is not enough memory: " + e.getMessage() + "; see --receive-memory and --loops");
        } catch (final RuntimeException | Error e) {
            return cannotStart(e.toString());
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopBySignal, "shutdown"));
        sayReady();
        try {
            failed.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        end();
        return 1;
    }

    private int cannotStart(final String why) {
        log.line("cannot start: " + why);
        end();
        return 1;
    }

    private void start() throws NamespaceException {
        final long files = Limits.raiseOpenFiles();
        EventLoop.requireCpus(settings.cpus());
        Networks.requireMemory(settings, MachineMemory.now().available());
        for (final SubsystemSettings given : settings.subsystems()) {
            add(given);
        }
        network = new TcpTarget(
                Networks.options(settings, files, sockets(), fileIo()),
                target::open,
                log::line,
                FaultReporter.STANDARD_ERROR);
        // Those behind are of discovery alone.
        network.endpoints().subList(0, settings.listen().size()).stream()
                .map(Networks::portal)
                .forEach(target.portals()::addListener);
        settings.referrals().forEach(target.portals()::addReferral);
        final Samples samples = new Samples(target, network);
        if (settings.metrics() != null) {
            metrics = new MetricsServer(settings.metrics(), samples::all);
        }
        if (settings.control() != null) {
            final Map<String, SubsystemSettings> byName = settings.subsystems().stream()
                    .collect(Collectors.toMap(SubsystemSettings::nqn, Function.identity()));
            final ControlServer server = new ControlServer(
                    settings.control(),
                    new ControlCommands(target, network, media, byName, samples::detailed, log),
                    log);
            server.start();
            control = server;
            watch(server.loop());
        }
        network.start();
        network.loops().forEach(this::watch);
    }

    /** As set, or what is left where the kernel refuses that. */
    private FileIo fileIo() {
        final Optional<String> refusal = settings.fileIo() == FileIo.IO_URING ? Ring.refusal() : Optional.empty();
        refusal.ifPresent(why -> log.line("files are read and written by threads, because the kernel refuses: " + why));
        return refusal.isPresent() ? FileIo.THREADS : settings.fileIo();
    }

    /** As set, or what is left where the kernel refuses that. */
    private SocketBackend sockets() {
        final Optional<String> refusal =
                settings.sockets() == SocketBackend.IO_URING ? Ring.refusal() : Optional.empty();
        refusal.ifPresent(why -> log.line("sockets are served by epoll, because the kernel refuses: " + why));
        return refusal.isPresent() ? SocketBackend.EPOLL : settings.sockets();
    }

    private void add(final SubsystemSettings given) throws NamespaceException {
        final Subsystem subsystem = target.addSubsystem(new SubsystemOptions(
                given.nqn(),
                given.serial(),
                given.model(),
                given.anyHost(),
                new HashSet<>(given.hosts()),
                given.lowestId(),
                given.highestId()));
        // Those with a number first, so that the others get what is left.
        final List<NamespaceSpec> inOrder = given.namespaces().stream()
                .sorted(Comparator.comparing(spec -> spec.nsid() == 0))
                .toList();
        for (final NamespaceSpec spec : inOrder) {
            Namespaces.warning(spec).ifPresent(log::line);
            media.add(subsystem, spec, 0, given.blockBytes(), given.anaGroup());
        }
        subsystem.anaState(given.anaGroup(), given.anaState());
    }

    /** Ends the program when a loop fails: after an error that ends a loop nothing here is to be relied on. */
    private void watch(final EventLoop loop) {
        final Thread watch = new Thread(
                () -> {
                    try {
                        loop.join();
                    } catch (final InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    if (loop.failure() != null && !isEnding) {
                        failed.countDown();
                        log.line(loop + " failed, the target ends: " + loop.failure());
                    }
                },
                "watch " + loop);
        watch.setDaemon(true);
        watch.start();
    }

    private void sayReady() {
        for (final SubsystemSettings given : settings.subsystems()) {
            if (!given.anyHost() && given.hosts().isEmpty()) {
                log.line("subsystem " + given.nqn() + ": no host may connect; see --allow-host, --allow-any-host and"
                        + " goblin-nvmf-ctl allow-host");
            }
            log.line("subsystem " + given.nqn() + ": "
                    + Networks.connectLine(network.endpoints().getFirst(), given.nqn()));
        }
        final List<String> where = new ArrayList<>();
        network.endpoints().stream().map(Endpoint.Tcp::toString).forEach(where::add);
        log.line("ready: tcp " + String.join(", ", where)
                + (metrics == null ? "" : ", metrics on port " + metrics.port())
                + (settings.control() == null ? "" : ", control " + settings.control()));
    }

    /**
     * Ends what runs, whatever it was that started: once, and whoever comes later waits for it.
     *
     * @return whether everything ended as it should, the media durable
     */
    private synchronized boolean end() {
        isEnding = true;
        if (hasEnded) {
            return ending.isClean();
        }
        hasEnded = true;
        if (control != null) {
            ending.step("the end of the control socket", CONTROL_SECONDS, control::close);
        }
        if (network != null) {
            ending.step("the end of connections", NETWORK_SECONDS, () -> {
                target.endAll("the target stops");
                network.stop();
            });
        }
        // Only now nothing is at storage any more, unless it hangs.
        ending.step("the end of namespaces", MEDIA_SECONDS + 1, () -> {
            final List<String> failures = media.closeAll(MEDIA_SECONDS);
            failures.forEach(ending::unclean);
            if (failures.isEmpty()) {
                media.close();
            }
        });
        if (metrics != null) {
            ending.step("the end of the metrics", CONTROL_SECONDS, metrics::close);
        }
        return ending.isClean();
    }

    private void stopBySignal() {
        Signals.endAtOnce();
        final boolean isClean = end();
        // A hook cannot change the status of a signal otherwise; see Runtime#halt.
        Runtime.getRuntime().halt(isClean && failed.getCount() > 0 ? 0 : 1);
    }
}
