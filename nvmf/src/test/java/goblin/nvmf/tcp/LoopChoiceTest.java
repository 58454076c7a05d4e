// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LoopChoiceTest {
    private static final int HOSTS = 3;

    private record Held(int host, int loop) {}

    @Property(tries = 200)
    void shouldAlwaysTakeALoopWithTheFewestOfThatHost(
            @ForAll final long seed, @ForAll @IntRange(min = 1, max = 5) final int loops) {
        final Random random = new Random(seed);
        final LoopChoice choice = new LoopChoice(loops);
        final int[][] counts = new int[HOSTS][loops];
        final List<Held> held = new ArrayList<>();
        for (int step = 0; step < 200; step++) {
            if (random.nextInt(3) > 0 || held.isEmpty()) {
                final int host = random.nextInt(HOSTS);
                final int loop = choice.take(host(host));
                for (int other = 0; other < loops; other++) {
                    assertThat(counts[host][loop]).isLessThanOrEqualTo(counts[host][other]);
                }
                counts[host][loop]++;
                held.add(new Held(host, loop));
            } else {
                final Held gone = held.remove(random.nextInt(held.size()));
                counts[gone.host][gone.loop]--;
                choice.giveBack(host(gone.host), gone.loop);
            }
        }
        held.forEach(one -> choice.giveBack(host(one.host), one.loop));
        assertThat(choice.hosts()).isZero();
    }

    @Test
    void shouldTakeTurnsAndThenBalanceAllHosts() {
        final LoopChoice choice = new LoopChoice(3);
        assertThat(choice.take(host(0))).isZero();
        assertThat(choice.take(host(0))).isEqualTo(1);
        assertThat(choice.take(host(1))).as("the loop that has nobody").isEqualTo(2);
        assertThat(choice.take(host(1))).isZero();
        assertThat(choice.take(host(1))).isEqualTo(1);
    }

    @Test
    void shouldLeaveOutLoopsThatHaveEnded() {
        final LoopChoice choice = new LoopChoice(2);
        choice.ended(0);
        assertThat(choice.take(host(0))).isEqualTo(1);
        assertThat(choice.take(host(0))).isEqualTo(1);
        choice.giveBack(host(0), 1);
        choice.giveBack(host(0), 1);
        choice.ended(1);
        assertThat(choice.take(host(0))).isEqualTo(LoopChoice.NONE);
        assertThat(choice.hosts()).isZero();
    }

    private static InetAddress host(final int number) {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) number});
        } catch (final UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
