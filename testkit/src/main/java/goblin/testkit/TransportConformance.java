// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Connection;
import goblin.net.Endpoint;
import goblin.net.FaultReporter;
import goblin.net.ListenOptions;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every transport must do; a backend's tests extend the suites below it ({@link StreamConformance},
 * {@link SegmentConformance}, {@link WindowConformance}, {@link LifecycleConformance}, {@link ScaleConformance}) and say how its transports are made.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class TransportConformance {
    /** What handlers threw. */
    protected final List<Throwable> faults = new ArrayList<>();

    private final List<TransportPair> pairs = new ArrayList<>();
    private boolean faultsExpected;

    TransportPair pair;
    ByteRuler ruler;

    /** For the suites of this package. */
    protected TransportConformance() {}

    /**
     * Makes a transport.
     *
     * @param receiveBytes how much receive memory it may lend
     * @param reporter     told what handlers throw
     * @return the transport
     */
    protected abstract Transport newTransport(long receiveBytes, FaultReporter reporter);

    /**
     * Where to listen; another place each time, or port 0.
     *
     * @return the endpoint
     */
    protected abstract Endpoint listenEndpoint();

    /**
     * Where nobody listens, so that connecting fails at once.
     *
     * @return the endpoint
     */
    protected abstract Endpoint deadEndpoint();

    /**
     * How much a large transfer is: slow backends may choose less than the default 100 MiB.
     *
     * @return bytes
     */
    protected long largeTransferBytes() {
        return 100L << 20;
    }

    @BeforeEach
    final void open() {
        ruler = new ByteRuler();
        pair = newPair(SegmentArena.DEFAULT_BYTES);
    }

    @AfterEach
    final void close() {
        pairs.forEach(TransportPair::close);
        ruler.close();
        if (!faultsExpected) {
            assertThat(faults).isEmpty();
        }
    }

    final TransportPair newPair(final long receiveBytes) {
        return newPair(reporter -> newTransport(receiveBytes, reporter));
    }

    final TransportPair newPair(final Function<FaultReporter, Transport> maker) {
        final Transport server = maker.apply(this::onFault);
        final Transport client = maker.apply(this::onFault);
        final TransportPair made = new TransportPair(server, client, listenEndpoint(), ListenOptions.DEFAULT);
        pairs.add(made);
        return made;
    }

    final void expectFaults() {
        faultsExpected = true;
    }

    /** Connects a client to a server and returns the client's end; the server's is the pair's last accepted one. */
    final Connection connect(final RecordingHandler client, final RecordingHandler server) {
        final Connection connection = pair.connect(client, server);
        pair.until("an established connection", () -> client.saw("connected"));
        return connection;
    }

    private void onFault(final String where, final Throwable thrown) {
        faults.add(thrown);
    }
}
