// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

/** What a command does. Arity, authentication and the other rules of the table have been checked before. */
@FunctionalInterface
public interface Command {

    /**
     * Runs the command: reads the arguments, changes the keyspace, writes exactly one reply (or none, when it blocks
     * or its replies are pushes).
     *
     * @param call arguments, client, server and reply; valid during the call only
     */
    void execute(Call call);
}
