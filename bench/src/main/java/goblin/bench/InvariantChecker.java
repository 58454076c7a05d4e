// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Knows what was published and who was subscribed, and so what must arrive: between a confirmed subscription and its
 * end nothing is lost, nothing comes twice, each publisher's order holds in each channel, and no PUBLISH counts fewer
 * receivers than were certainly there. Reports come in the order in which one thread sent and read, which is what makes
 * them comparable. Pure: no sockets, no clock.
 */
final class InvariantChecker {
    private static final int MOST_CHANNELS = 64;

    private final Map<Long, PublicationStream> streams = new HashMap<>();
    private final List<PublicationStream> inOrderOfBirth = new ArrayList<>();
    private final Map<Integer, Set<PublicationStream>> ofLivePublishers = new HashMap<>();
    private final Set<Integer> atHost = new HashSet<>();
    private final Set<Publication> unanswered = new HashSet<>();
    private final int[] certain = new int[MOST_CHANNELS];
    private int publishers;
    private long deliveries;
    private long publications;

    /** A publication whose reply is not read yet. */
    static final class Publication {
        private final PublicationStream stream;
        private final long sequence;
        private int leastReceivers;

        private Publication(final PublicationStream stream, final long sequence, final int leastReceivers) {
            this.stream = stream;
            this.sequence = sequence;
            this.leastReceivers = leastReceivers;
        }

        long sequence() {
            return sequence;
        }
    }

    /** A new publisher, by number; a client of the host or of the edge. */
    int publisher(final boolean clientOfHost) {
        if (clientOfHost) {
            atHost.add(publishers);
        }
        ofLivePublishers.put(publishers, new HashSet<>());
        return publishers++;
    }

    /** The publisher is about to publish. */
    Publication publish(final int publisher, final int channel) {
        final PublicationStream stream = streams.computeIfAbsent(key(publisher, channel), missing -> {
            final PublicationStream born =
                    new PublicationStream(publisher, atHost.contains(publisher), channel, inOrderOfBirth.size());
            inOrderOfBirth.add(born);
            ofLivePublishers.get(publisher).add(born);
            return born;
        });
        final Publication publication = new Publication(stream, stream.send(), certain[channel]);
        unanswered.add(publication);
        return publication;
    }

    /** The publisher has read the reply. */
    void answered(final Publication publication, final long receivers) throws Failure {
        unanswered.remove(publication);
        publication.stream.acknowledge();
        publications++;
        if (receivers < publication.leastReceivers) {
            throw new Failure("invariant broken: " + publication.stream + ": PUBLISH of " + publication.sequence
                    + " counted " + receivers + " receivers, " + publication.leastReceivers + " were subscribed");
        }
    }

    /** The publisher is gone; what it did not hear of may or may not have been published. */
    void publisherGone(final int publisher) {
        final Set<PublicationStream> gone = ofLivePublishers.remove(publisher);
        unanswered.removeIf(publication -> gone.contains(publication.stream));
    }

    /** A confirmation was read, by a client of the edge or of the host; {@code channels} are bits. */
    Subscription subscribed(final String description, final long channels) {
        final Subscription subscription = new Subscription(description, channels, inOrderOfBirth.size());
        for (final Set<PublicationStream> live : ofLivePublishers.values()) {
            for (final PublicationStream stream : live) {
                if (subscription.matches(stream.channel())) {
                    subscription.knows(stream);
                }
            }
        }
        for (int channel = 0; channel < MOST_CHANNELS; channel++) {
            certain[channel] += subscription.matches(channel) ? 1 : 0;
        }
        return subscription;
    }

    /** A message was read. */
    void delivered(final Subscription subscription, final int publisher, final int channel, final long sequence)
            throws Failure {
        final PublicationStream stream = streams.get(key(publisher, channel));
        if (stream == null || !subscription.matches(channel)) {
            throw new Failure("invariant broken: a message of publisher " + publisher + " in channel " + channel
                    + " came where none can");
        }
        subscription.received(stream, sequence);
        deliveries++;
    }

    /** The subscriber is about to ask for the end, or to vanish; see {@link Subscription#end}. */
    void ending(final Subscription subscription) {
        for (final PublicationStream stream :
                inOrderOfBirth.subList(subscription.bornBefore(), inOrderOfBirth.size())) {
            if (subscription.matches(stream.channel())) {
                subscription.awaitsAll(stream);
            }
        }
        subscription.end();
        for (int channel = 0; channel < MOST_CHANNELS; channel++) {
            certain[channel] -= subscription.matches(channel) ? 1 : 0;
        }
        for (final Publication publication : unanswered) {
            publication.leastReceivers = Math.min(publication.leastReceivers, certain[publication.stream.channel()]);
        }
    }

    /** The confirmation of the end was read. */
    void ended(final Subscription subscription) throws Failure {
        subscription.verify();
    }

    /** How many subscriptions match a channel for certain. */
    int certain(final int channel) {
        return certain[channel];
    }

    long deliveries() {
        return deliveries;
    }

    /** Publications answered. */
    long publications() {
        return publications;
    }

    private static long key(final int publisher, final int channel) {
        return (long) publisher * MOST_CHANNELS + channel;
    }
}
