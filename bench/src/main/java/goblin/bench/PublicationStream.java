// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

/** What one publisher published in one channel: sequences from 0, without a gap. */
final class PublicationStream {
    private final int publisher;
    private final boolean atHost;
    private final int channel;
    private final int birth;
    private long sent;
    private long acknowledged;

    /**
     * Begins it.
     *
     * @param atHost whether its publisher is a client of the host
     * @param birth  how many streams there were before
     */
    PublicationStream(final int publisher, final boolean atHost, final int channel, final int birth) {
        this.publisher = publisher;
        this.atHost = atHost;
        this.channel = channel;
        this.birth = birth;
    }

    int birth() {
        return birth;
    }

    int channel() {
        return channel;
    }

    /** Takes the next sequence. */
    long send() {
        return sent++;
    }

    /** The publisher has read the reply of its next publication here. */
    void acknowledge() {
        acknowledged++;
    }

    /** Publications begun; a smaller sequence may arrive. */
    long sent() {
        return sent;
    }

    /** Publications answered; a smaller sequence was delivered to all who were subscribed. */
    long acknowledged() {
        return acknowledged;
    }

    @Override
    public String toString() {
        return "publisher " + publisher + " at the " + (atHost ? "host" : "edge") + " in channel " + channel;
    }
}
