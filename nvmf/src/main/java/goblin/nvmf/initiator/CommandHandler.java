// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

/** Told when a command has ended. */
@FunctionalInterface
public interface CommandHandler {

    /**
     * The command has ended and is the caller's again: he submits it anew or gives it back. Called on the queue's loop,
     * once for each submission, also when the connection was lost ({@link HostQueue#HOST_PATH_ERROR}); never from inside
     * {@link HostQueue#submit}.
     *
     * @param command its status, result and data
     */
    void completed(HostCommand command);
}
