// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.edge.EdgeCommand.Handler;
import goblin.edge.EdgeCommand.InMulti;
import goblin.edge.EdgeCommand.Kind;
import goblin.net.linux.Memory;
import goblin.resp.Arguments;
import goblin.resp.NameTable;

/**
 * The commands that the edge knows; every other name is forwarded. To add one that is served here, add a row and its
 * handler; to give a forwarded one a rule of order, add a row with its flags.
 */
final class EdgeCommands {
    static final goblin.pubsub.Kind[] KINDS = goblin.pubsub.Kind.values();

    /** Any command without a row. */
    static final EdgeCommand OTHER = forward("", 0);

    static final EdgeCommand MULTI = forward("multi", 0, 1);
    static final EdgeCommand EXEC = forward("exec", ReplySlot.MAY_PUBLISH, 1);
    static final EdgeCommand DISCARD = forward("discard", 0, 1);

    // A name of so many bytes is known by its first and its last four.
    private static final int SHORTEST_REMEMBERED = 4;
    private static final int LONGEST_REMEMBERED = 8;

    private final NameTable<EdgeCommand> table = new NameTable<>();

    // What was looked up last, as it was spelled: a pipeline mostly repeats one command.
    private int lastLength;
    private long lastName;
    private EdgeCommand last;

    EdgeCommands() {
        addPubSub();
        addConnection();
        addForwarded();
        addRefused();
    }

    /** The row for a command of which at least the name is there. */
    EdgeCommand find(final Arguments arguments) {
        final EdgeCommand command = row(arguments.argument(0), arguments.argumentLength(0));
        return command == null ? OTHER : command.resolve(arguments);
    }

    private EdgeCommand row(final long address, final int length) {
        if (length < SHORTEST_REMEMBERED || length > LONGEST_REMEMBERED) {
            return table.get(address, length);
        }
        final long name = Integer.toUnsignedLong(Memory.getInt(address))
                | ((long) Memory.getInt(address + length - Integer.BYTES) << Integer.SIZE);
        if (length != lastLength || name != lastName) {
            last = table.get(address, length);
            lastLength = length;
            lastName = name;
        }
        return last;
    }

    private void addPubSub() {
        for (final goblin.pubsub.Kind kind : KINDS) {
            final String prefix = switch (kind) {
                case CHANNEL -> "";
                case PATTERN -> "p";
                case SHARD -> "s";
            };
            final EdgeCommand subscribe = new EdgeCommand(
                    prefix + "subscribe",
                    Kind.SUBSCRIPTION,
                    -2,
                    0,
                    InMulti.REFUSE,
                    (client, arguments) -> SubscriptionCommands.subscribe(client, arguments, kind));
            final EdgeCommand unsubscribe = new EdgeCommand(
                    prefix + "unsubscribe",
                    Kind.SUBSCRIPTION,
                    -1,
                    0,
                    InMulti.REFUSE,
                    (client, arguments) -> SubscriptionCommands.unsubscribe(client, arguments, kind));
            add(subscribe.inSubscribedMode());
            add(unsubscribe.inSubscribedMode());
        }
        add(publish("publish", goblin.pubsub.Kind.CHANNEL));
        add(publish("spublish", goblin.pubsub.Kind.SHARD));
        add(new EdgeCommand("pubsub", Kind.SUBSCRIPTION, -2, 0, InMulti.QUEUE, PubSubCommand.PUBSUB));
    }

    private static EdgeCommand publish(final String name, final goblin.pubsub.Kind kind) {
        return new EdgeCommand(
                name,
                Kind.PUBLISH,
                3,
                0,
                InMulti.QUEUE,
                (client, arguments) -> PublishCommands.publish(client, arguments, kind));
    }

    private void addConnection() {
        add(local("ping", -1, InMulti.QUEUE, ConnectionCommands::ping).inSubscribedMode());
        add(local("echo", 2, InMulti.QUEUE, ConnectionCommands::echo));
        add(local("select", 2, InMulti.REFUSE, ConnectionCommands.SELECT));
        add(local("quit", -1, InMulti.ACT, ConnectionCommands::quit)
                .inSubscribedMode()
                .beforeAuthentication());
        add(alone("reset", 1, InMulti.ACT, ConnectionCommands::reset)
                .inSubscribedMode()
                .beforeAuthentication());
        add(alone("hello", -1, InMulti.REFUSE, HelloCommand::hello)
                .beforeAuthentication()
                .secret());
        add(alone("auth", -2, InMulti.REFUSE, ConnectionCommands::auth)
                .beforeAuthentication()
                .secret());
        add(ClientCommands.client());
    }

    private void addForwarded() {
        add(MULTI);
        add(EXEC);
        add(DISCARD);
        add(new EdgeCommand("watch", Kind.FORWARD, -2, 0, InMulti.REFUSE, null));
        add(forward("info", ReplySlot.INFO));
        for (final String name : new String[] {"eval", "evalsha", "eval_ro", "evalsha_ro", "fcall", "fcall_ro"}) {
            add(forward(name, ReplySlot.MAY_PUBLISH));
        }
        final String[] blocking = {
            "blpop", "brpop", "blmove", "brpoplpush", "blmpop", "bzpopmin", "bzpopmax", "bzmpop", "wait", "waitaof"
        };
        for (final String name : blocking) {
            add(forward(name, ReplySlot.BLOCKING));
        }
        add(forward("script", 0).family(new EdgeCommandFamily(null).add("debug", refused("script debug"))));
    }

    private void addRefused() {
        for (final String name : new String[] {"monitor", "sync", "psync", "replconf", "failover"}) {
            add(refused(name));
        }
    }

    private void add(final EdgeCommand command) {
        table.put(command.name, command);
    }

    private static EdgeCommand forward(final String name, final int flags) {
        return forward(name, flags, -1);
    }

    private static EdgeCommand forward(final String name, final int flags, final int arity) {
        return new EdgeCommand(name, Kind.FORWARD, arity, flags, InMulti.QUEUE, null);
    }

    private static EdgeCommand local(final String name, final int arity, final InMulti inMulti, final Handler handler) {
        return new EdgeCommand(name, Kind.LOCAL, arity, 0, inMulti, handler);
    }

    private static EdgeCommand alone(final String name, final int arity, final InMulti inMulti, final Handler handler) {
        return new EdgeCommand(name, Kind.ALONE, arity, 0, inMulti, handler);
    }

    private static EdgeCommand refused(final String name) {
        return new EdgeCommand(name, Kind.REFUSED, -1, 0, InMulti.REFUSE, null);
    }
}
