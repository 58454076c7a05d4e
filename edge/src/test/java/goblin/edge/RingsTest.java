// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import goblin.net.linux.Pages;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When memory is mapped for rings, kept, and given back. */
final class RingsTest {
    private static final long RING_BYTES = 64 * 1024;
    private static final int MANY = 1000;

    private final EdgeLog log = new EdgeLog(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
    private int mapped;
    private boolean exhausted;
    private final Rings rings = new Rings(RING_BYTES, log, this::map);

    @AfterEach
    void giveBack() {
        rings.close();
    }

    @Test
    void shouldMapNothingAgainForWhatTheTurnBeforeGaveBack() {
        for (int turn = 0; turn < 100; turn++) {
            useAtOnce(turn, MANY);
        }

        assertThat(mapped).isEqualTo(MANY);
        assertThat(rings.inUse()).isZero();
        assertThat(rings.reserved()).isEqualTo(MANY);
    }

    @Test
    void shouldNotGatherWhereATurnWouldMapTooManyNewRings() {
        final long[] taken = new long[MANY];
        int count = 0;
        while (rings.worthGathering(1)) {
            taken[count++] = rings.take(1);
        }
        assertThat(count).isBetween(1, 64);
        assertThat(rings.worthGathering(2)).isTrue();

        for (int i = 0; i < count; i++) {
            rings.giveBack(taken[i]);
        }
        assertThat(rings.worthGathering(1)).isTrue();
    }

    @Test
    void shouldKeepWhatIsNeededNowAndThenAndGiveTheRestBackSlowly() {
        useAtOnce(0, MANY);
        final int needed = 100;
        int most = 0;
        for (int tick = 1; tick <= 1000; tick++) {
            final int before = rings.reserved();
            rings.trim();
            most = Math.max(most, before - rings.reserved());
            if (tick % 10 == 0) {
                useAtOnce(tick, needed);
            }
        }

        assertThat(rings.reserved()).isEqualTo(needed);
        assertThat(mapped).isEqualTo(MANY);
        assertThat(most).isBetween(1, 32);
        for (int tick = 0; tick < 200; tick++) {
            rings.trim();
        }
        assertThat(rings.reserved()).isZero();
    }

    @Test
    void shouldSayThatThereIsNoMemoryAndGoOnWhenThereIs() {
        exhausted = true;
        assertThat(rings.take(1)).isZero();
        assertThat(rings.inUse()).isZero();

        exhausted = false;
        final long ring = rings.take(1);
        Memory.putByte(ring + RING_BYTES - 1, (byte) 1);
        rings.giveBack(ring);
        assertThat(rings.reserved()).isOne();
    }

    private void useAtOnce(final long turn, final int count) {
        final long[] taken = new long[count];
        for (int i = 0; i < count; i++) {
            taken[i] = rings.take(turn);
        }
        for (final long ring : taken) {
            rings.giveBack(ring);
        }
    }

    private long map(final long bytes) {
        if (exhausted) {
            throw new OutOfMemoryError("none for this test");
        }
        mapped++;
        return Pages.map(bytes);
    }
}
