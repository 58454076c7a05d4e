// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.NativeBuffer;
import goblin.pubsub.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class InterestTableTest {
    private record Message(long sequence, String name, int weight) {}

    private final ArrayDeque<Message> toHost = new ArrayDeque<>();
    private final List<String> effects = new ArrayList<>();
    private final NativeBuffer bytes = new NativeBuffer();
    private int localWeight;
    private InterestTable table;

    @BeforeEach
    void makeTable() {
        table = table(false);
    }

    private InterestTable table(final boolean behindOthers) {
        return new InterestTable(
                (sequence, kind, weight, name, length) -> toHost.add(new Message(sequence, text(name, length), weight)),
                change -> {
                    localWeight += change.join ? 1 : -1;
                    effects.add((change.join ? "+" : "-") + text(change.interest.name, change.interest.nameLength));
                },
                behindOthers);
    }

    @AfterEach
    void freeBytes() {
        bytes.free();
    }

    @Test
    void shouldSendOneWeightForAllWhoJoinInOneTurn() {
        join("a");
        join("a");
        table.settleTurn();

        assertThat(toHost).containsExactly(new Message(1, "a", 2));
        assertThat(effects).isEmpty();
    }

    @Test
    void shouldTakeEffectAtTheAcknowledgement() {
        join("a");
        table.settleTurn();

        assertThat(table.acknowledged(1)).isTrue();

        assertThat(effects).containsExactly("+a");
    }

    @Test
    void shouldGatherChangesWhileAMessageIsUnacknowledged() {
        join("a");
        table.settleTurn();
        join("a");
        join("a");
        table.settleTurn();
        assertThat(toHost).hasSize(1);

        table.acknowledged(1);

        assertThat(effects).containsExactly("+a");
        assertThat(toHost).last().isEqualTo(new Message(2, "a", 3));
    }

    @Test
    void shouldCompleteWhatCancelsOutWithoutAMessage() {
        join("a");
        leave("a");
        table.settleTurn();

        assertThat(toHost).isEmpty();
        assertThat(effects).containsExactly("+a", "-a");
        assertThat(table.size()).isZero();
    }

    @Test
    void shouldAskTheHostForOneWhoLeavesAndJoinsWhenItsPublicationsMayBeBehind() {
        table = table(true);
        join("a");
        leave("a");
        table.settleTurn();
        assertThat(toHost).isEmpty();
        join("a");
        table.settleTurn();
        table.acknowledged(1);
        effects.clear();

        leave("a");
        join("a");
        table.settleTurn();
        assertThat(toHost).last().isEqualTo(new Message(2, "a", 1));
        assertThat(effects).isEmpty();

        table.acknowledged(2);
        assertThat(effects).containsExactly("-a", "+a");
    }

    @Test
    void shouldCompleteWhatCancelledOutDuringAMessageAtItsAcknowledgement() {
        join("a");
        table.settleTurn();
        join("a");
        leave("a");
        table.settleTurn();

        table.acknowledged(1);

        assertThat(effects).containsExactly("+a", "+a", "-a");
        assertThat(toHost).hasSize(1);
    }

    @Test
    void shouldForgetANameWhenTheHostHasAcknowledgedItsRemoval() {
        join("a");
        table.settleTurn();
        table.acknowledged(1);
        leave("a");
        table.settleTurn();
        assertThat(toHost).last().isEqualTo(new Message(2, "a", 0));
        assertThat(table.size()).isOne();

        table.acknowledged(2);

        assertThat(table.size()).isZero();
    }

    @Test
    void shouldKeepKindsApart() {
        bytes.clear();
        bytes.appendAscii("a");
        final Interest channel = table.obtain(Kind.CHANNEL, bytes.address(), 1);
        final Interest pattern = table.obtain(Kind.PATTERN, bytes.address(), 1);

        assertThat(channel).isNotSameAs(pattern);
        assertThat(table.find(Kind.SHARD, bytes.address(), 1)).isNull();
    }

    @Test
    void shouldRefuseAnAcknowledgementThatIsNotDue() {
        join("a");
        table.settleTurn();

        assertThat(table.acknowledged(7)).isFalse();
    }

    @Test
    void shouldKeepThousandsOfNames() {
        for (int i = 0; i < 5000; i++) {
            join("name" + i);
        }
        table.settleTurn();

        assertThat(toHost).hasSize(5000);
        assertThat(table.size()).isEqualTo(5000);
        for (int i = 1; i <= 5000; i++) {
            assertThat(table.acknowledged(i)).isTrue();
        }
        assertThat(effects).hasSize(5000);
    }

    /** At each place of the stream the edge's registry holds exactly the weight that the host held there. */
    @Property(tries = 500)
    void shouldHoldTheHostsWeightAtEveryAcknowledgement(
            @ForAll @Size(max = 60) final List<@IntRange(min = 0, max = 3) Integer> steps) {
        makeTable();
        toHost.clear();
        effects.clear();
        localWeight = 0;
        int logical = 0;
        int done = 0;
        for (final int step : steps) {
            switch (step) {
                case 0 -> {
                    join("x");
                    logical++;
                }
                case 1 -> {
                    if (logical > 0) {
                        leave("x");
                        logical--;
                    }
                }
                case 2 -> table.settleTurn();
                default -> {
                    final Message message = toHost.poll();
                    if (message != null) {
                        assertThat(table.acknowledged(message.sequence)).isTrue();
                        assertThat(localWeight).isEqualTo(message.weight);
                        done++;
                    }
                }
            }
        }
        table.settleTurn();
        while (!toHost.isEmpty()) {
            final Message message = toHost.poll();
            assertThat(table.acknowledged(message.sequence)).isTrue();
            assertThat(localWeight).isEqualTo(message.weight);
            done++;
        }
        assertThat(localWeight).isEqualTo(logical);
        assertThat(table.unacknowledged()).isZero();
        assertThat(table.size()).isEqualTo(logical == 0 ? 0 : 1);
        assertThat(done).isLessThanOrEqualTo(steps.size());
    }

    private void join(final String name) {
        table.change(obtain(name), null, true, null);
    }

    private void leave(final String name) {
        table.change(obtain(name), null, false, null);
    }

    private Interest obtain(final String name) {
        bytes.clear();
        bytes.appendAscii(name);
        return table.obtain(Kind.CHANNEL, bytes.address(), name.length());
    }

    private static String text(final long address, final int length) {
        return goblin.resp.Ascii.text(address, length);
    }
}
