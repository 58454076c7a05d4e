// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.pubsub.SubscriptionHolder;

/** Who may subscribe at the host: a client's session, or an edge that stands for many clients. */
public interface Receiver extends SubscriptionHolder<Receiver> {

    /**
     * A publication matches one of this receiver's names. Called while the registry is being read: must not subscribe,
     * unsubscribe or close; queueing bytes is what it is for.
     *
     * @param publication channel, payload and the name that matched; valid during the call
     */
    void onMatch(Publication publication);
}
