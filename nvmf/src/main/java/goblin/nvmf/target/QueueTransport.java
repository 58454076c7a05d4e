// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.EventLoop;
import goblin.nvmf.namespace.CompletionInbox;

/** A queue's connection as the target sees it. Every method but {@link #loop} is called on its loop's thread. */
public interface QueueTransport {

    /**
     * The loop that owns the queue.
     *
     * @return constant
     */
    EventLoop loop();

    /**
     * Where storage operations of this queue complete.
     *
     * @return the loop's
     */
    CompletionInbox inbox();

    /**
     * The host's address and port, for logs.
     *
     * @return for people
     */
    String peerName();

    /**
     * The address and port the host came to, for discovery.
     *
     * @return such as {@code 192.0.2.1:4420} or {@code [2001:db8::1]:4420}
     */
    String localName();

    /**
     * A command is finished: status, result dwords and, for {@link Transfer#TO_HOST} with success, the data in its
     * vector are to be sent. Called exactly once for each command given to {@link QueuePair#execute}, possibly from
     * inside that call; after {@link QueuePair#closed} as well, and then only to give the request and its memory back.
     *
     * @param request the command; the transport's again
     */
    void complete(Request request);

    /**
     * Gives up a command that waits for memory or credit and was asked for no data yet. It is not run; the target
     * completes it.
     *
     * @param request a command begun and not executed yet
     * @return false when it is too late: data was asked for or has arrived
     */
    boolean withdraw(Request request);

    /**
     * Ends the connection; {@link QueuePair#closed} follows, never from inside this call.
     *
     * @param reason one line for the log; null when the log was told already
     */
    void disconnect(String reason);
}
