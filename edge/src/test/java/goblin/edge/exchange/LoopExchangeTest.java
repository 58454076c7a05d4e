// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LoopExchangeTest {
    private static final int LOOPS = 3;
    private static final int RING_MESSAGES = 8;
    private static final int MOST = 4;
    private static final long MOST_BYTES = 100;

    private final long memoryBefore = Memory.allocatedBytes();
    private final Exchange<String, String> exchange = new Exchange<>(LOOPS, RING_MESSAGES, MOST, MOST_BYTES);
    private final RecordingHandler[] handlers = new RecordingHandler[LOOPS];
    private final List<Integer> woken = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final long scratch = Memory.allocate(1024);

    @BeforeEach
    void bind() {
        for (int loop = 0; loop < LOOPS; loop++) {
            final int number = loop;
            handlers[loop] = new RecordingHandler();
            handlers[loop].exchange = of(loop);
            of(loop).bind(
                            () -> woken.add(number),
                            handlers[loop],
                            (where, thrown) -> faults.add(where + ": " + thrown.getMessage()));
        }
    }

    @AfterEach
    void closeAndCheckMemory() {
        exchange.close();
        Memory.free(scratch);
        assertThat(Memory.allocatedBytes()).isEqualTo(memoryBefore);
    }

    @Test
    void shouldHandAPublicationToTheLoopsNamedAndSumTheirAnswers() {
        handlers[0].attempted = 2;
        handlers[2].attempted = 3;
        final long ticket = publish(1, 0b101, false, "c", "hello");

        assertThat(ticket).isZero();
        assertThat(of(1).unanswered()).isOne();
        of(0).poll();
        of(1).poll();
        assertThat(handlers[1].take()).isEmpty();
        of(2).poll();
        of(1).poll();

        assertThat(handlers[0].take()).containsExactly("publication 1 0 deliver CHANNEL c=hello");
        assertThat(handlers[2].take()).containsExactly("publication 1 0 deliver CHANNEL c=hello");
        assertThat(handlers[1].take()).containsExactly("completed client c 5");
        assertThat(of(1).unanswered()).isZero();
        assertThat(of(1).unansweredBytes()).isZero();
        assertThat(of(1).liveBytes()).isZero();
    }

    @Test
    void shouldCompleteAnUplinkWhenTheHostsCountIsIn() {
        assertThat(publish(2, 0b010, true, "c", "x")).isZero();
        of(0).poll();
        of(1).poll();
        of(2).poll();
        assertThat(handlers[0].take()).containsExactly("publication 2 0 uplink CHANNEL c=x");
        assertThat(handlers[1].take()).containsExactly("publication 2 0 deliver CHANNEL c=x");
        assertThat(handlers[2].take()).isEmpty();

        of(0).published(2, 0, 40);
        of(2).poll();
        assertThat(handlers[2].take()).containsExactly("completed client c 41");
    }

    @Test
    void shouldMarkOneMessageWhenHomeDeliversAndSendsUp() {
        publish(1, 0b001, true, "c", "x");
        of(0).poll();
        assertThat(handlers[0].take()).containsExactly("publication 1 0 deliver uplink CHANNEL c=x");
        of(0).published(1, 0, 0);
        of(1).poll();
        assertThat(handlers[1].take()).containsExactly("completed client c 1");
    }

    @Test
    void shouldTakeNoTicketForAnUplinkAlone() {
        assertThat(publish(1, 0, true, "c", "x")).isEqualTo(LoopExchange.NO_TICKET);
        assertThat(publish(1, 0b100, false, "c", "y")).isZero();
        of(0).poll();
        assertThat(handlers[0].take()).containsExactly("publication 1 0 uplink CHANNEL c=x");
    }

    @Test
    void shouldRefuseAPublicationToItselfOrToNobody() {
        assertThatThrownBy(() -> publish(1, 0b010, false, "c", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> publish(1, 0, false, "c", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> publish(0, 0, true, "c", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> publish(0, 0b1000, true, "c", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> of(0).held(1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldMergeTheRingsByTicket() {
        publish(0, 0b100, false, "c", "1");
        publish(1, 0b100, false, "c", "2");
        publish(1, 0b100, false, "c", "3");
        publish(0, 0b100, false, "c", "4");
        of(2).poll();
        assertThat(payloads(2)).containsExactly("1", "2", "3", "4");
    }

    @Test
    void shouldDrainOnlyWhatIsEarlier() {
        publish(0, 0b100, false, "c", "1");
        final long ticket = publish(2, 0b001, false, "c", "2");
        publish(1, 0b100, false, "c", "3");
        of(2).drainThrough(ticket);
        assertThat(payloads(2)).containsExactly("1");
        of(2).catchUp();
        assertThat(payloads(2)).containsExactly("3");
        of(2).catchUp();
        assertThat(payloads(2)).isEmpty();
    }

    @Test
    void shouldKeepTheOrderOfControlMessagesAndPublicationsOfALoop() {
        text("name");
        of(0).acked(1, 7);
        of(0).peerOn(1, 2, Kind.PATTERN, scratch, 4, 9);
        publish(0, 0b010, false, "c", "x");
        of(0).fenced(1, 3);
        text("name");
        of(0).peerOff(1, 2, Kind.SHARD, scratch, 4);
        of(1).poll();
        assertThat(handlers[1].take())
                .containsExactly(
                        "acked 7",
                        "peerOn 2 PATTERN name 9",
                        "publication 0 0 deliver CHANNEL c=x",
                        "fenced 3",
                        "peerOff 2 SHARD name");
    }

    @Test
    void shouldTellHomeWhatLoopsWant() {
        text("name");
        of(2).want(5, Kind.CHANNEL, 3, scratch, 4);
        of(2).held(11);
        of(2).fence(12);
        of(2).want(6, Kind.CHANNEL, 0, scratch, 0);
        of(0).poll();
        assertThat(handlers[0].take())
                .containsExactly("want 2 5 CHANNEL 3 name", "held 2 11", "fence 2 12", "want 2 6 CHANNEL 0 ");
    }

    @Test
    void shouldFreeTheNamesOfMessagesThatNobodyHandled() {
        text("name");
        for (int i = 0; i < 3 * RING_MESSAGES; i++) {
            of(2).want(i, Kind.CHANNEL, 3, scratch, 4);
            of(0).peerOn(1, 2, Kind.CHANNEL, scratch, 4, i);
        }
        publish(1, 0b001, true, "c", "never answered");
    }

    @Test
    void shouldSpillInOrderAndHoldLaterPublicationsOfOthersBack() {
        for (int i = 0; i < RING_MESSAGES; i++) {
            of(0).acked(2, i);
        }
        publish(0, 0b110, false, "c", "spilled");
        final long later = publish(1, 0b100, false, "c", "later");
        assertThat(of(0).takes(1)).isFalse();
        assertThat(of(0).isPressed()).isTrue();
        assertThat(exchange.counter(ExchangeCounter.MESSAGES_SPILLED)).isPositive();
        assertThat(of(0).prepareSleep()).isFalse();
        of(0).awake();

        of(2).poll();
        assertThat(handlers[2].take()).hasSize(RING_MESSAGES - 1).allMatch(line -> line.startsWith("acked"));
        of(1).drainThrough(later);
        assertThat(payloads(1)).containsExactly("spilled");

        of(0).flushTurn();
        assertThat(of(0).isPressed()).isFalse();
        of(2).poll();
        assertThat(handlers[2].take())
                .containsExactly(
                        "acked 7",
                        "publication 0 0 deliver CHANNEL c=spilled",
                        "publication 1 0 deliver CHANNEL c=later");
        of(0).poll();
        assertThat(handlers[0].take()).contains("takes", "relieved");
    }

    @Test
    void shouldCompleteAlsoWhileItWaitsForItsTurn() throws InterruptedException {
        for (int i = 0; i < RING_MESSAGES; i++) {
            of(0).acked(2, i);
        }
        publish(0, 0b100, false, "c", "spilled");
        final long ticket = publish(2, 0b010, false, "d", "later");
        final Thread others = new Thread(() -> {
            of(1).poll();
            while (of(2).counter(ExchangeCounter.PUBLICATIONS_ANSWERED) == 0) {
                Thread.onSpinWait();
            }
            of(0).flushTurn();
        });
        others.start();
        of(2).drainThrough(ticket);
        others.join();
        assertThat(handlers[2].take())
                .endsWith("completed client d 1", "acked 7", "publication 0 0 deliver CHANNEL c=spilled");
        assertThat(of(2).counter(ExchangeCounter.WAITS_FOR_TICKET)).isOne();
    }

    @Test
    void shouldSayWhetherMoreOfTheSameLoopFollowsAlsoAroundTheRing() {
        final List<Boolean> follows = new ArrayList<>();
        handlers[2].onPublication = () -> follows.add(of(2).moreFollows());
        for (int round = 0; round < RING_MESSAGES; round++) {
            publish(0, 0b100, false, "c", "first");
            publish(0, 0b100, false, "c", "second");
            publish(1, 0b100, false, "c", "alone");
            of(2).poll();
            of(0).poll();
            of(1).poll();
            assertThat(follows).containsExactly(true, false, false);
            follows.clear();
        }
        assertThatThrownBy(() -> of(2).moreFollows()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNotMakeOthersWaitForALoopThatHasEnded() {
        for (int i = 0; i < RING_MESSAGES; i++) {
            of(0).acked(2, i);
        }
        publish(0, 0b100, false, "c", "spilled");
        of(0).close();
        final long later = publish(2, 0b010, false, "c", "later");
        of(2).drainThrough(later);
        of(1).poll();
        assertThat(payloads(1)).containsExactly("later");
    }

    @Test
    void shouldBoundWhatIsUnansweredAndTellAtHalf() {
        for (int i = 0; i < MOST; i++) {
            assertThat(of(0).takes(2)).isTrue();
            assertThat(of(0).isPressed()).isEqualTo(i > MOST / 2);
            publish(0, 0b010, false, "c", "x");
        }
        assertThat(of(0).takes(2)).isFalse();
        of(0).poll();
        assertThat(handlers[0].take()).isEmpty();
        of(1).poll();
        of(0).poll();
        assertThat(handlers[0].take())
                .containsExactly(
                        "completed client c 1",
                        "completed client c 1",
                        "completed client c 1",
                        "completed client c 1",
                        "takes",
                        "relieved");
        assertThat(of(0).takes(2)).isTrue();
    }

    @Test
    void shouldBoundBytesButTakeOneThatIsLargerAlone() {
        assertThat(of(0).takes(MOST_BYTES * 2)).isTrue();
        publish(0, 0b010, false, "c", "x".repeat((int) MOST_BYTES * 2));
        assertThat(of(0).takes(0)).isFalse();
        of(1).poll();
        of(0).poll();
        assertThat(of(0).takes(0)).isTrue();
    }

    @Test
    void shouldKeepBytesUntilTheLastLoopThatKeptThemReleases() {
        handlers[1].keeps = true;
        publish(0, 0b110, false, "c", "payload");
        of(1).poll();
        of(2).poll();
        of(0).poll();
        assertThat(handlers[0].take()).containsExactly("completed client c 2");
        assertThat(of(0).unanswered()).isZero();
        final var kept = handlers[1].kept.getFirst();
        assertThat(RecordingHandler.text(kept.address(), (int) kept.length())).isEqualTo("payload\r\n");
        assertThat(of(0).liveBytes()).isPositive();

        publish(0, 0b010, false, "c", "other");
        of(1).poll();
        of(0).poll();
        assertThat(handlers[1].take().getLast()).isEqualTo("publication 0 1 deliver CHANNEL c=other");
        handlers[1].kept.forEach(bytes -> bytes.release());
        assertThat(of(1).liveBytes()).isZero();
        of(1).flushTurn();
        of(0).poll();
        assertThat(of(0).liveBytes()).isZero();

        handlers[1].keeps = false;
        handlers[1].take();
        publish(0, 0b010, false, "c", "again");
        of(1).poll();
        assertThat(handlers[1].take())
                .containsAnyOf("publication 0 0 deliver CHANNEL c=again", "publication 0 1 deliver CHANNEL c=again");
    }

    @Test
    void shouldReleaseWithTheAnswerWhatWasLentWithinTheCallOnly() {
        handlers[1].onPublication = () -> {
            final var once = of(1).lendPayload();
            assertThat(of(1).lendPayload()).isSameAs(once);
            once.release();
            once.release();
            of(1).lendPayload().release();
        };
        publish(0, 0b010, false, "c", "payload");
        of(1).poll();
        of(0).poll();
        assertThat(faults).isEmpty();
        assertThat(of(0).liveBytes()).isZero();
        assertThat(of(1).liveBytes()).isZero();
        assertThatThrownBy(() -> of(1).lendPayload()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldAnswerForAHandlerThatThrowsAndGoOn() {
        handlers[1].onPublication = () -> {
            throw new IllegalArgumentException("broken");
        };
        publish(0, 0b010, false, "c", "1");
        publish(0, 0b010, false, "c", "2");
        of(1).poll();
        of(0).poll();
        assertThat(faults).containsExactly("exchange of loop 1: broken", "exchange of loop 1: broken");
        assertThat(handlers[0].take()).containsExactly("completed client c 0", "completed client c 0");
        assertThat(of(0).liveBytes()).isZero();
    }

    @Test
    void shouldRefuseToDrainWithinAHandlerAndToPollAgain() {
        handlers[1].onPublication = () -> assertThat(of(1).poll()).isZero();
        publish(0, 0b010, false, "c", "1");
        of(1).poll();
        assertThat(faults).isEmpty();
        handlers[1].onPublication = () -> of(1).drainThrough(5);
        publish(0, 0b010, false, "c", "2");
        of(1).poll();
        assertThat(faults).containsExactly("exchange of loop 1: drained by a handler of the exchange");
    }

    @Test
    void shouldForgetWhoWaitsWhenTold() {
        publish(0, 0b010, false, "c", "1");
        of(0).dropCompletions();
        publish(0, 0b010, false, "d", "2");
        of(1).poll();
        of(0).poll();
        assertThat(handlers[0].take()).containsExactly("completed client d 1");
        assertThat(of(0).unanswered()).isZero();
    }

    @Test
    void shouldWakeOnlyWhoSleepsAndOnlyOnce() {
        publish(0, 0b010, false, "c", "1");
        assertThat(woken).isEmpty();
        assertThat(of(1).prepareSleep()).isFalse();
        of(1).awake();
        of(1).poll();
        of(0).poll();
        assertThat(of(1).prepareSleep()).isTrue();
        publish(0, 0b110, false, "c", "2");
        publish(0, 0b010, false, "c", "3");
        assertThat(woken).containsExactly(1);
        of(1).awake();

        of(2).poll();
        assertThat(of(2).prepareSleep()).isTrue();
        of(0).acked(2, 1);
        assertThat(woken).containsExactly(1);
        of(0).flushTurn();
        assertThat(woken).containsExactly(1, 2);
        assertThat(exchange.counter(ExchangeCounter.LOOPS_WOKEN)).isEqualTo(2);
    }

    @Test
    void shouldWakeForWhatWasSentAfterTheTurnBeforeItSleepsItself() {
        assertThat(of(2).prepareSleep()).isTrue();
        of(0).flushTurn();
        of(0).acked(2, 1);
        assertThat(of(0).prepareSleep()).isTrue();
        assertThat(woken).containsExactly(2);
    }

    private LoopExchange<String, String> of(final int loop) {
        return exchange.of(loop);
    }

    private long publish(
            final int from, final long loops, final boolean uplink, final String channel, final String payload) {
        text(channel + payload);
        return of(from).publish(
                        loops,
                        uplink,
                        Kind.CHANNEL,
                        scratch,
                        channel.length(),
                        scratch + channel.length(),
                        payload.length(),
                        "client",
                        channel);
    }

    private void text(final String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        Memory.copyIn(bytes, 0, scratch, bytes.length);
    }

    private List<String> payloads(final int loop) {
        return handlers[loop].take().stream()
                .filter(line -> line.startsWith("publication"))
                .map(line -> line.substring(line.indexOf('=') + 1))
                .toList();
    }
}
