// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class HeartbeatTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long START = Long.sum(Long.MAX_VALUE, -5 * SECOND);

    private final Heartbeat heartbeat = new Heartbeat(30 * SECOND, START);

    @Test
    void shouldBeDueEachSecondAlsoWhenTheClockWrapsAround() {
        assertThat(heartbeat.due(START + SECOND - 1)).isFalse();
        for (int second = 1; second < 20; second++) {
            final long nowNs = START + second * SECOND;
            assertThat(heartbeat.due(nowNs)).isTrue();
            heartbeat.onSent(nowNs);
            assertThat(heartbeat.due(nowNs)).isFalse();
        }
    }

    @Test
    void shouldAnswerAtOnceWhereAHeartbeatIsAnswered() {
        heartbeat.onHeartbeat(START + 5);

        assertThat(heartbeat.due(START + 5)).isTrue();
        heartbeat.onSent(START + 5);
        assertThat(heartbeat.due(START + 6)).isFalse();
    }

    @Test
    void shouldGiveUpAPeerThatWasSilentForTheTimeout() {
        for (int second = 1; second < 30; second++) {
            assertThat(heartbeat.dead(START + second * SECOND)).isFalse();
        }
        assertThat(heartbeat.dead(START + 30 * SECOND - 1)).isFalse();
        assertThat(heartbeat.silenceNs(START + 30 * SECOND)).isEqualTo(30 * SECOND);
        assertThat(heartbeat.dead(START + 30 * SECOND)).isTrue();
    }

    @Test
    void shouldCountSilenceFromTheLastByte() {
        for (int second = 1; second < 30; second++) {
            heartbeat.dead(START + second * SECOND);
        }
        heartbeat.onBytesReceived(START + 29 * SECOND);

        for (int second = 30; second < 59; second++) {
            assertThat(heartbeat.dead(START + second * SECOND)).isFalse();
        }
        assertThat(heartbeat.dead(START + 59 * SECOND)).isTrue();
    }

    @Test
    void shouldNotBlameThePeerForTheTimeInWhichThisProcessStoodStill() {
        assertThat(heartbeat.dead(START + 100 * SECOND)).isFalse();
        for (int second = 101; second < 130; second++) {
            assertThat(heartbeat.dead(START + second * SECOND)).isFalse();
        }
        assertThat(heartbeat.dead(START + 130 * SECOND)).isTrue();
    }

    @Test
    void shouldRefuseATimeoutThatNoHeartbeatCouldMeet() {
        assertThatThrownBy(() -> new Heartbeat(SECOND, START)).isInstanceOf(IllegalArgumentException.class);
    }
}
