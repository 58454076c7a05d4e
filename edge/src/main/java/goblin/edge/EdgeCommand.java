// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.resp.Arguments;

/** What the edge does with one command: one row of {@link EdgeCommands}. */
final class EdgeCommand {
    /** The kinds of the order rules ("Order" of the edge's specification). */
    enum Kind {
        /** Goes to the host on the client's session. */
        FORWARD,
        /** Delivered here first, then sent up on the publisher link. */
        PUBLISH,
        /** Changes or describes this edge's registry. */
        SUBSCRIPTION,
        /** Waits until everything before it is answered. */
        ALONE,
        /** Served here; only keeps its place. */
        LOCAL,
        /** Not to be had through an edge. */
        REFUSED
    }

    /** What happens to a command inside {@code MULTI}. */
    enum InMulti {
        QUEUE,
        REFUSE,
        ACT
    }

    /** Serves a command here; its reply, if any, is made through the client. */
    interface Handler {
        void handle(ClientSession client, Arguments arguments);
    }

    final String name;
    final Kind kind;
    final int arity;
    final int slotFlags;
    final InMulti inMulti;
    final Handler handler;
    private boolean inSubscribedMode;
    private boolean beforeAuthentication;
    private boolean secret;
    private EdgeCommandFamily family;

    EdgeCommand(
            final String name,
            final Kind kind,
            final int arity,
            final int slotFlags,
            final InMulti inMulti,
            final Handler handler) {
        this.name = name;
        this.kind = kind;
        this.arity = arity;
        this.slotFlags = slotFlags;
        this.inMulti = inMulti;
        this.handler = handler;
    }

    /** Allowed for a RESP2 client that has subscribed. */
    EdgeCommand inSubscribedMode() {
        inSubscribedMode = true;
        return this;
    }

    /** Allowed before the client has logged in. */
    EdgeCommand beforeAuthentication() {
        beforeAuthentication = true;
        return this;
    }

    /** Its bytes carry a password: they are wiped when it is done. */
    EdgeCommand secret() {
        secret = true;
        return this;
    }

    boolean isSecret() {
        return secret;
    }

    /** The subcommands decide. */
    EdgeCommand family(final EdgeCommandFamily subcommands) {
        family = subcommands;
        return this;
    }

    boolean isAllowedInSubscribedMode() {
        return inSubscribedMode;
    }

    boolean isAllowedBeforeAuthentication() {
        return beforeAuthentication;
    }

    /** Picks the subcommand's row where there is a family, else this. */
    EdgeCommand resolve(final Arguments arguments) {
        return family == null ? this : family.resolve(this, arguments);
    }

    /** How many arguments must be there before {@link #resolve} can decide. */
    int argumentsToResolve() {
        return family == null ? 1 : 2;
    }

    boolean acceptsCount(final int count) {
        return arity >= 0 ? count == arity : count >= -arity;
    }
}
