// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.bench.InvariantChecker.Publication;
import org.junit.jupiter.api.Test;

class InvariantCheckerTest {
    private static final int CHANNEL = 3;
    private static final long CHANNELS = 1L << CHANNEL;

    private final InvariantChecker checker = new InvariantChecker();
    private final int publisher = checker.publisher(true);

    @Test
    void shouldAcceptWhatArrivesOnceAndInOrder() throws Failure {
        final Subscription subscription = checker.subscribed("s", CHANNELS);
        for (int i = 0; i < 5; i++) {
            publishAnswered();
            checker.delivered(subscription, publisher, CHANNEL, i);
        }
        checker.ending(subscription);
        checker.ended(subscription);

        assertThat(checker.deliveries()).isEqualTo(5);
        assertThat(checker.publications()).isEqualTo(5);
    }

    @Test
    void shouldSeeThatAnAnsweredMessageNeverCame() throws Failure {
        final Subscription subscription = checker.subscribed("s", CHANNELS);
        publishAnswered();
        checker.ending(subscription);

        assertThatThrownBy(() -> checker.ended(subscription))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("lost: 0 to 0");
    }

    @Test
    void shouldSeeThatTheLastMessagesDidNotCome() throws Failure {
        final Subscription subscription = checker.subscribed("s", CHANNELS);
        publishAnswered();
        publishAnswered();
        checker.delivered(subscription, publisher, CHANNEL, 0);
        checker.ending(subscription);

        assertThatThrownBy(() -> checker.ended(subscription)).hasMessageContaining("lost: 1 to 1");
    }

    @Test
    void shouldSeeAGapAtTheBeginningAndInTheMiddle() throws Failure {
        final Subscription first = checker.subscribed("s", CHANNELS);
        publishAnswered();
        publishAnswered();
        assertThatThrownBy(() -> checker.delivered(first, publisher, CHANNEL, 1))
                .hasMessageContaining("lost 0");

        final Subscription second = checker.subscribed("s", CHANNELS);
        for (int i = 0; i < 3; i++) {
            publishAnswered();
        }
        checker.delivered(second, publisher, CHANNEL, 2);
        assertThatThrownBy(() -> checker.delivered(second, publisher, CHANNEL, 4))
                .hasMessageContaining("lost before: 4 received instead of 3");
    }

    @Test
    void shouldSeeAMessageTwice() throws Failure {
        final Subscription subscription = checker.subscribed("s", CHANNELS);
        publishAnswered();
        checker.delivered(subscription, publisher, CHANNEL, 0);

        assertThatThrownBy(() -> checker.delivered(subscription, publisher, CHANNEL, 0))
                .hasMessageContaining("twice or out of order");
    }

    @Test
    void shouldAllowButNotDemandWhatWasSentBeforeTheConfirmation() throws Failure {
        final Publication early = checker.publish(publisher, CHANNEL);
        final Subscription without = checker.subscribed("without", CHANNELS);
        final Subscription with = checker.subscribed("with", CHANNELS);
        checker.answered(early, 0);
        checker.delivered(with, publisher, CHANNEL, 0);
        checker.ending(without);
        checker.ending(with);

        checker.ended(without);
        checker.ended(with);
    }

    @Test
    void shouldAllowButNotDemandWhatWasNotAnsweredBeforeTheEndWasAskedFor() throws Failure {
        final Subscription without = checker.subscribed("without", CHANNELS);
        final Subscription with = checker.subscribed("with", CHANNELS);
        final Publication late = checker.publish(publisher, CHANNEL);
        checker.ending(without);
        checker.ending(with);
        checker.answered(late, 0);
        checker.delivered(with, publisher, CHANNEL, 0);

        checker.ended(without);
        checker.ended(with);
    }

    @Test
    void shouldDemandNothingWhenTheEndWasAskedForBeforeTheConfirmationWasRead() throws Failure {
        publishAnswered();
        publishAnswered();
        final Subscription subscription = checker.subscribed("s", CHANNELS);
        checker.ending(subscription);
        checker.delivered(subscription, publisher, CHANNEL, 0);

        checker.ended(subscription);
    }

    @Test
    void shouldDemandAllOfAPublisherThatCameAndVanishedMeanwhile() throws Failure {
        final Subscription subscription = checker.subscribed("s", CHANNELS);
        final int other = checker.publisher(true);
        checker.answered(checker.publish(other, CHANNEL), 1);
        checker.publisherGone(other);
        checker.ending(subscription);

        assertThatThrownBy(() -> checker.ended(subscription)).hasMessageContaining("publisher " + other);
    }

    @Test
    void shouldDemandNothingOfAPublisherThatVanishedBefore() throws Failure {
        checker.publish(publisher, CHANNEL);
        checker.publish(publisher, CHANNEL);
        checker.publisherGone(publisher);
        final Subscription subscription = checker.subscribed("s", CHANNELS);
        checker.delivered(subscription, publisher, CHANNEL, 1);
        checker.ending(subscription);

        checker.ended(subscription);
    }

    @Test
    void shouldRefuseWhatWasNeverPublishedOrDoesNotMatch() throws Failure {
        final Subscription subscription = checker.subscribed("s", CHANNELS);
        checker.publish(publisher, CHANNEL);
        checker.publish(publisher, CHANNEL + 1);

        assertThatThrownBy(() -> checker.delivered(subscription, publisher, CHANNEL, 1))
                .hasMessageContaining("never published");
        assertThatThrownBy(() -> checker.delivered(subscription, publisher, CHANNEL + 1, 0))
                .hasMessageContaining("came where none can");
        assertThatThrownBy(() -> checker.delivered(subscription, 99, CHANNEL, 0))
                .hasMessageContaining("came where none can");
    }

    @Test
    void shouldRefuseACountBelowWhatWasCertainlySubscribed() throws Failure {
        checker.subscribed("a", CHANNELS);
        final Subscription leaving = checker.subscribed("b", CHANNELS | 1);
        final Publication publication = checker.publish(publisher, CHANNEL);
        checker.ending(leaving);
        checker.subscribed("c", CHANNELS);

        checker.answered(publication, 1);

        final Publication next = checker.publish(publisher, CHANNEL);
        assertThatThrownBy(() -> checker.answered(next, 1))
                .hasMessageContaining("counted 1 receivers, 2 were subscribed");
        assertThat(checker.certain(CHANNEL)).isEqualTo(2);
        assertThat(checker.certain(0)).isZero();
    }

    private void publishAnswered() throws Failure {
        checker.answered(checker.publish(publisher, CHANNEL), 100);
    }
}
