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
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Serves samples to Prometheus over HTTP, on threads of its own. */
final class MetricsServer implements AutoCloseable {
    private final HTTPServer server;

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
                    .buildAndStart();
        } catch (final IOException e) {
            throw new NetException("cannot serve metrics on " + at + ": " + e.getMessage(), 0);
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
    }
}
