// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

/** An edge's aggregate link as a receiver: however many names match, it is given a publication once. */
public interface EdgeReceiver extends Receiver {

    @Override
    default void onMatch(final Publication publication) {
        publication.addEdge(this);
    }

    /**
     * Queues one delivery.
     *
     * @param publication kind, channel and payload; valid during the call
     */
    void deliver(Publication publication);

    /**
     * Whether so much is queued that publishers must wait.
     *
     * @return true from half of the buffer up
     */
    boolean isCongested();

    /**
     * Stops a publisher until this edge has drained to a quarter. The edge calls {@link Publisher#hold} once and
     * {@link Publisher#release} once for it, also when asked again meanwhile, and when the edge goes.
     *
     * @param publisher whose publication was just queued here, or is about to be
     */
    void holdUntilDrained(Publisher publisher);
}
