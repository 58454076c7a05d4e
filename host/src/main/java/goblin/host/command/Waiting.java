// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.resp.ReplyWriter;

/** What a blocked client waits in. Implemented by the family that blocks. */
public interface Waiting {

    /**
     * Takes the client out of every queue: it was answered, timed out, was unblocked or left.
     *
     * @param client the client
     */
    void unlink(Client client);

    /**
     * Writes what the command answers at its timeout.
     *
     * @param reply the client's
     */
    void answerTimeout(ReplyWriter reply);
}
