// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.net.Endpoint;
import goblin.net.NetException;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * Serves samples to Prometheus over HTTP, on threads of its own. A client that is slow to ask or to listen is cut, and
 * keeps none of the others; nothing a client does is logged.
 */
final class MetricsServer implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 256;
    private static final long IDLE_SECONDS = 10;

    // Held here: a logger that nobody holds forgets its level.
    private static final List<Logger> QUIET =
            List.of(Logger.getLogger("io.prometheus.metrics.exporter"), Logger.getLogger("com.sun.net.httpserver"));

    static {
        QUIET.forEach(logger -> logger.setLevel(Level.OFF));
        // The JDK's server has limits of time and number, in seconds, that are off unless told so before it is first
        // used.
        limit("sun.net.httpserver.maxReqTime", 3);
        limit("sun.net.httpserver.maxRspTime", 10);
        limit("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
    }

    private final HTTPServer server;
    // One for each connection: clients that are slow wait for nobody but themselves.
    private final ExecutorService clients = new ThreadPoolExecutor(
            0,
            MOST_CONNECTIONS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofVirtual().name("metrics").factory());

    /**
     * Starts serving.
     *
     * @param at      where
     * @param samples asked at each scrape, on the server's threads
     * @throws NetException when the address cannot be had
     */
    MetricsServer(final Endpoint.Tcp at, final Supplier<List<Sample>> samples) {
        final PrometheusRegistry registry = new PrometheusRegistry();
        registry.register((MultiCollector) () -> snapshots(samples.get()));
        try {
            server = HTTPServer.builder()
                    .inetAddress(at.address())
                    .port(at.port())
                    .registry(registry)
                    .executorService(clients)
                    .buildAndStart();
        } catch (final IOException e) {
            clients.shutdown();
            throw new NetException("cannot serve metrics on " + at + ": " + e.getMessage(), 0);
        }
    }

    private static void limit(final String property, final int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
        }
    }

    /** The port, with the one the kernel chose when 0 was asked for. */
    int port() {
        return server.getPort();
    }

    /** Samples of one name are one metric. */
    static MetricSnapshots snapshots(final List<Sample> samples) {
        final Map<String, List<Sample>> byName =
                samples.stream().collect(Collectors.groupingBy(Sample::name, LinkedHashMap::new, Collectors.toList()));
        return new MetricSnapshots(
                byName.values().stream().map(MetricsServer::snapshot).toList());
    }

    private static MetricSnapshot snapshot(final List<Sample> samples) {
        final Sample first = samples.getFirst();
        if (first.grows()) {
            final CounterSnapshot.Builder counter =
                    CounterSnapshot.builder().name(first.name()).help(first.help());
            samples.forEach(sample -> counter.dataPoint(CounterDataPointSnapshot.builder()
                    .value((double) sample.value())
                    .labels(labels(sample))
                    .build()));
            return counter.build();
        }
        final GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name(first.name()).help(first.help());
        samples.forEach(sample -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                .value((double) sample.value())
                .labels(labels(sample))
                .build()));
        return gauge.build();
    }

    private static Labels labels(final Sample sample) {
        return Labels.of(sample.labels().toArray(String[]::new));
    }

    @Override
    public void close() {
        server.close();
        clients.shutdown();
    }
}
