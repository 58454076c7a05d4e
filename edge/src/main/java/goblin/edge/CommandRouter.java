// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.edge.EdgeCommand.InMulti;
import goblin.edge.EdgeCommand.Kind;
import goblin.resp.Arguments;
import goblin.resp.Ascii;
import goblin.resp.CommandDecoder;
import goblin.resp.ErrorTexts;

/**
 * Decides for each command who serves it, and whether its turn has come ("Order" of the edge's specification). A
 * change of kind waits until the earlier kind is answered; after a publication only what may publish or subscribe
 * waits.
 */
final class CommandRouter {
    /** What to do with a long command of which only the beginning has come. */
    enum Streaming {
        STREAM,
        WAIT,
        WHOLE
    }

    private static final int LONGEST_SHOWN = 128;

    private final Edge edge;
    private final EdgeCommands commands;

    CommandRouter(final Edge edge, final EdgeCommands commands) {
        this.edge = edge;
        this.commands = commands;
    }

    /**
     * Serves or forwards a complete command.
     *
     * @param address the command's first byte as received
     * @return false when it must wait: nothing was done
     */
    boolean dispatch(final ClientSession client, final CommandDecoder arguments, final long address) {
        if (client.isBusy()) {
            return false;
        }
        final EdgeCommand command = commands.find(arguments);
        client.commandRead(command, arguments);
        final String refusal = refusal(client, command, arguments);
        if (refusal != null) {
            client.beginCommand();
            client.replyError(refusal);
            return true;
        }
        if (isForwarded(client, command)) {
            return forward(client, command, arguments, address);
        }
        if (!command.acceptsCount(arguments.argumentCount())) {
            client.beginCommand();
            client.replyError(ErrorTexts.wrongNumberOfArguments(command.name));
            return true;
        }
        if (!turnHasCome(client, command, arguments)) {
            return false;
        }
        client.beginCommand();
        command.handler.handle(client, arguments);
        return true;
    }

    /** Decides about a command that is still coming and is long. */
    Streaming mayStream(final ClientSession client, final CommandDecoder arguments) {
        if (arguments.argumentsSeen() == 0) {
            return Streaming.WHOLE;
        }
        if (client.isBusy()) {
            return Streaming.WAIT;
        }
        final EdgeCommand command = commands.find(arguments);
        if (arguments.argumentsSeen() < Math.min(arguments.announced(), command.argumentsToResolve())
                || !isForwarded(client, command)
                || isRewritten(client, command)
                || refusal(client, command, arguments) != null) {
            return Streaming.WHOLE;
        }
        if (!mayForward(client, command)) {
            return Streaming.WAIT;
        }
        client.commandRead(command, arguments);
        client.beginCommand();
        expectReply(client, command, arguments.announced());
        return Streaming.STREAM;
    }

    /** The error that answers the command at once, or null. */
    private String refusal(final ClientSession client, final EdgeCommand command, final Arguments arguments) {
        if (!client.isAuthenticated() && !command.isAllowedBeforeAuthentication()) {
            return ErrorTexts.NOAUTH;
        }
        if (client.transaction().isOpen()) {
            if (command.inMulti == InMulti.REFUSE && !isSelectZero(command, arguments)) {
                client.transaction().spoil();
                return ErrorTexts.NOT_IN_TRANSACTION;
            }
        } else if (client.protocol() == 2 && client.names().total() > 0 && !command.isAllowedInSubscribedMode()) {
            return ErrorTexts.subscribedContext(
                    Ascii.text(arguments.argument(0), Math.min(LONGEST_SHOWN, arguments.argumentLength(0))));
        }
        if (command.kind == Kind.REFUSED) {
            client.transaction().spoil();
            return "ERR " + command.name + " is not available through an edge; use the host";
        }
        return null;
    }

    private static boolean isSelectZero(final EdgeCommand command, final Arguments arguments) {
        return command.handler == ConnectionCommands.SELECT && ConnectionCommands.selectsZero(arguments);
    }

    private static boolean isForwarded(final ClientSession client, final EdgeCommand command) {
        return command.kind == Kind.FORWARD || (client.transaction().isOpen() && command.inMulti != InMulti.ACT);
    }

    private static boolean isRewritten(final ClientSession client, final EdgeCommand command) {
        return (command.handler != null && command.kind == Kind.FORWARD)
                || (client.transaction().isSpoiled() && command == EdgeCommands.EXEC);
    }

    private boolean turnHasCome(final ClientSession client, final EdgeCommand command, final Arguments arguments) {
        final OutputSequencer sequencer = client.sequencer();
        return switch (command.kind) {
            case PUBLISH ->
                sequencer.forwarded() == 0
                        && sequencer.subscriptions() == 0
                        && client.isFencePassed()
                        && publisherTakes(client, arguments);
            case SUBSCRIPTION ->
                sequencer.forwarded() == 0
                        && sequencer.publishes() == 0
                        && (command.handler != PubSubCommand.PUBSUB || sequencer.subscriptions() == 0);
            case ALONE -> sequencer.isEmpty() && !sequencer.isInForeignFrame();
            case LOCAL, FORWARD, REFUSED -> true;
        };
    }

    private boolean publisherTakes(final ClientSession client, final Arguments arguments) {
        final long bytes = (long) arguments.argumentLength(1) + arguments.argumentLength(2);
        if (edge.role().takes(bytes)) {
            return true;
        }
        edge.publications().await(client);
        return false;
    }

    private static boolean mayForward(final ClientSession client, final EdgeCommand command) {
        final OutputSequencer sequencer = client.sequencer();
        final boolean mayPublish = command.kind == Kind.FORWARD && (command.slotFlags & ReplySlot.MAY_PUBLISH) != 0;
        return sequencer.subscriptions() == 0
                && (!mayPublish || sequencer.publishes() == 0)
                && (client.upstream() == null || !client.upstream().isBacklogged());
    }

    private boolean forward(
            final ClientSession client, final EdgeCommand command, final CommandDecoder arguments, final long address) {
        if (!mayForward(client, command)) {
            return false;
        }
        client.beginCommand();
        if (isRewritten(client, command) && (command != EdgeCommands.EXEC || arguments.argumentCount() == 1)) {
            ForwardedCommands.rewrite(client, command, arguments);
            return true;
        }
        expectReply(client, command, arguments.argumentCount());
        if (arguments.inline()) {
            ForwardedCommands.sendAsArray(client, arguments);
        } else {
            client.upstream().append(address, arguments.consumed());
        }
        return true;
    }

    private void expectReply(final ClientSession client, final EdgeCommand command, final int argumentCount) {
        final UpstreamSession upstream = client.obtainUpstream();
        int flags = command.kind == Kind.FORWARD ? command.slotFlags : 0;
        if (client.transaction().isOpen()) {
            // Queued, not run: it cannot block, and only EXEC publishes.
            flags &= ~(ReplySlot.BLOCKING | ReplySlot.INFO);
            if (command != EdgeCommands.EXEC) {
                flags &= ~ReplySlot.MAY_PUBLISH;
            }
        }
        if (command.acceptsCount(argumentCount)) {
            flags = ForwardedCommands.followTransaction(client, command, flags);
        }
        client.sequencer().expect(SlotType.FORWARD, flags, client.isReplySuppressed());
        edge.counters().increment(EdgeCounter.COMMANDS_FORWARDED);
        assert !upstream.isEnded() : "an ended session closes its client";
    }
}
