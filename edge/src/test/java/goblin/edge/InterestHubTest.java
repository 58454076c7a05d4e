// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the home tells the host and the loops, one line a message: loop 0 is the home, 1 and 2 are the others. */
final class InterestHubTest {
    private final List<String> said = new ArrayList<>();
    private final InterestHub hub = new InterestHub(3, new Notes());

    @AfterEach
    void free() {
        hub.close();
    }

    @Test
    void shouldSendALoopsFirstInterestWhenTheOthersHoldIt() {
        want(1, 1, "a", 1);
        assertThat(said).containsExactly("on 1 a #1");

        hub.held(2, 1);

        assertThat(said).containsExactly("on 1 a #1", "host 1 a 1");
    }

    @Test
    void shouldWaitForAllLoopsThatAreNotTheHomeWhenTheHomeWants() {
        want(0, 1, "a", 1);
        hub.held(1, 1);
        assertThat(said).containsExactly("on 0 a #1");

        hub.held(2, 1);

        assertThat(said).endsWith("host 1 a 1");
    }

    @Test
    void shouldSendTheSumOfAllLoopsAndAcknowledgeEachItsOwn() {
        want(1, 7, "a", 2);
        hub.held(2, 1);
        want(2, 4, "a", 3);
        hub.held(1, 2);
        hub.acknowledged(1);
        hub.acknowledged(2);
        want(1, 8, "a", 1);
        hub.acknowledged(3);

        assertThat(said)
                .containsExactly(
                        "on 1 a #1",
                        "host 1 a 2",
                        "on 2 a #2",
                        "host 2 a 5",
                        "acked 1 7",
                        "acked 2 4",
                        "host 3 a 4",
                        "acked 1 8");
    }

    @Test
    void shouldKeepTheOrderOfWishesOfDifferentNames() {
        want(1, 1, "a", 1);
        want(2, 1, "b", 1);
        hub.held(1, 2);
        assertThat(said).containsExactly("on 1 a #1", "on 2 b #2");

        hub.held(2, 1);

        assertThat(said).containsExactly("on 1 a #1", "on 2 b #2", "host 1 a 1", "host 2 b 1");
    }

    @Test
    void shouldTakeTheInterestBackFromTheOthersWhenTheHostHasForgottenIt() {
        want(1, 1, "a", 1);
        hub.held(2, 1);
        hub.acknowledged(1);
        want(1, 2, "a", 0);
        assertThat(said).endsWith("host 2 a 0");

        hub.acknowledged(2);

        assertThat(said).endsWith("acked 1 2", "off 1 a");
        assertThat(hub.size()).isZero();
    }

    @Test
    void shouldLeaveTheInterestWithTheOthersWhenItIsWantedAgainMeanwhile() {
        want(1, 1, "a", 1);
        hub.held(2, 1);
        hub.acknowledged(1);
        want(1, 2, "a", 0);
        want(1, 3, "a", 1);
        hub.acknowledged(2);
        hub.acknowledged(3);

        assertThat(said).doesNotContain("off 1 a").endsWith("acked 1 2", "acked 1 3");
    }

    @Test
    void shouldTellTheOthersAnewAfterItWasTakenBack() {
        want(1, 1, "a", 1);
        hub.held(2, 1);
        hub.acknowledged(1);
        want(1, 2, "a", 0);
        hub.acknowledged(2);
        said.clear();

        want(1, 3, "a", 1);
        assertThat(said).containsExactly("on 1 a #2");
        hub.held(2, 2);

        assertThat(said).containsExactly("on 1 a #2", "host 3 a 1");
    }

    @Test
    void shouldRefuseAnAcknowledgementThatIsNotDue() {
        assertThat(hub.acknowledged(1)).isFalse();
        want(1, 1, "a", 1);
        assertThat(hub.acknowledged(1)).isFalse();
        hub.held(2, 1);
        assertThat(hub.acknowledged(2)).isFalse();
        assertThat(hub.acknowledged(1)).isTrue();
    }

    @Test
    void shouldKeepKindsApartAndManyNames() {
        final int names = 500;
        for (int i = 0; i < names; i++) {
            want(0, i + 1, "n" + i, 1);
        }
        hub.held(1, names);
        hub.held(2, names);
        assertThat(hub.size()).isEqualTo(names);
        for (int i = 0; i < names; i++) {
            assertThat(hub.acknowledged(i + 1)).isTrue();
            want(0, names + i + 1, "n" + i, 0);
        }
        for (int i = 0; i < names; i++) {
            assertThat(hub.acknowledged(names + i + 1)).isTrue();
        }

        assertThat(hub.size()).isZero();
    }

    private void want(final int loop, final long sequence, final String name, final int weight) {
        final NativeBuffer bytes = new NativeBuffer();
        bytes.appendAscii(name);
        hub.want(loop, sequence, Kind.CHANNEL, weight, bytes.address(), name.length());
        bytes.free();
    }

    private final class Notes implements InterestHub.Way {
        @Override
        public void setInterest(
                final long sequence, final Kind kind, final int weight, final long name, final int nameLength) {
            said.add("host " + sequence + " " + text(name, nameLength) + " " + weight);
        }

        @Override
        public void acknowledged(final int loop, final long sequence) {
            said.add("acked " + loop + " " + sequence);
        }

        @Override
        public void peerOn(final int loop, final Kind kind, final long name, final int nameLength, final long number) {
            said.add("on " + loop + " " + text(name, nameLength) + " #" + number);
        }

        @Override
        public void peerOff(final int loop, final Kind kind, final long name, final int nameLength) {
            said.add("off " + loop + " " + text(name, nameLength));
        }

        private static String text(final long name, final int length) {
            return new String(Memory.toBytes(name, length), StandardCharsets.ISO_8859_1);
        }
    }
}
