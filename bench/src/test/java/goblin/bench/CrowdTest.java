// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.bench.FakeServer.Fault;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run with subscribers takes for a failure. */
class CrowdTest {
    private static final int SUBSCRIBERS = 3;

    @ParameterizedTest
    @CsvSource({
        "COUNTS_ONE_TOO_MANY, sent ':4\\r\\n",
        "CHANGES_THE_PAYLOAD, instead of '*3",
        "DELIVERS_TWICE, received",
        "CLOSES_ON_PUBLISH, was cut",
    })
    void shouldRefuseWhatIsNotExactlyWhatWasPublished(final Fault fault, final String part) throws IOException {
        assertThatThrownBy(() -> publish(fault)).isInstanceOf(Failure.class).hasMessageContaining(part);
    }

    @Test
    void shouldMeasureWhatIsRight() throws Failure, IOException {
        final FanoutLoop.Result result = publish(Fault.NONE);

        assertThat(result.rate()).isPositive();
        assertThat(result.deliveries().getTotalCount()).isPositive();
        assertThat(result.replies().getTotalCount())
                .isEqualTo(result.deliveries().getTotalCount());
    }

    private static FanoutLoop.Result publish(final Fault fault) throws Failure, IOException {
        try (FakeServer server = new FakeServer(fault);
                Publications publications = Publications.toChannels("c", 1, 16, 4, SUBSCRIBERS);
                Crowd crowd = new Crowd(server.port(), SUBSCRIBERS, publications.subscriptions());
                ProbeConnection publisher = ProbeConnection.open(Server.ADDRESS, server.port());
                FanoutLoop loop = new FanoutLoop(publisher, crowd, publications, false)) {
            final FanoutLoop.Result result = loop.run(TimeUnit.MILLISECONDS.toNanos(10));
            crowd.checkNothingMore();
            return result;
        }
    }
}
