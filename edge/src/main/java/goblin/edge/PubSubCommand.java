// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.NativeBuffer;
import goblin.pubsub.GlobPattern;
import goblin.pubsub.Kind;
import goblin.pubsub.SubscriptionRegistry;
import goblin.resp.Arguments;
import goblin.resp.ErrorTexts;
import goblin.resp.ReplyWriter;

/** PUBSUB: describes this edge's own registry; the host's includes the weights of its edges. */
final class PubSubCommand {
    static final EdgeCommand.Handler PUBSUB = PubSubCommand::pubsub;

    private static final String[] HELP = {
        "PUBSUB <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
        "CHANNELS [<pattern>]",
        "    Return the channels of this edge that have a subscriber, those matching <pattern> only.",
        "NUMPAT",
        "    Return the number of distinct patterns subscribed to at this edge.",
        "NUMSUB [<channel> ...]",
        "    Return the number of subscribers at this edge of each channel.",
        "SHARDCHANNELS [<pattern>]",
        "    Return the shard channels of this edge that have a subscriber, those matching <pattern> only.",
        "SHARDNUMSUB [<shardchannel> ...]",
        "    Return the number of subscribers at this edge of each shard channel.",
        "HELP",
        "    Print this help.",
    };

    private PubSubCommand() {}

    private static void pubsub(final ClientSession client, final Arguments arguments) {
        if (is(arguments, "CHANNELS")) {
            channels(client, arguments, Kind.CHANNEL, "pubsub|channels");
        } else if (is(arguments, "SHARDCHANNELS")) {
            channels(client, arguments, Kind.SHARD, "pubsub|shardchannels");
        } else if (is(arguments, "NUMSUB")) {
            counts(client, arguments, Kind.CHANNEL);
        } else if (is(arguments, "SHARDNUMSUB")) {
            counts(client, arguments, Kind.SHARD);
        } else if (is(arguments, "NUMPAT")) {
            if (arguments.argumentCount() == 2) {
                client.replyInteger(client.edge().registry().nameCount(Kind.PATTERN));
            } else {
                client.replyError(ErrorTexts.wrongNumberOfArguments("pubsub|numpat"));
            }
        } else if (is(arguments, "HELP")) {
            final ReplyWriter reply = client.reply();
            reply.array(HELP.length);
            for (final String line : HELP) {
                reply.simple(line);
            }
            client.sendReply();
        } else {
            client.replyError(ErrorTexts.unknownSubcommand(arguments, "PUBSUB"));
        }
    }

    private static void channels(
            final ClientSession client, final Arguments arguments, final Kind kind, final String name) {
        if (arguments.argumentCount() > 3) {
            client.replyError(ErrorTexts.wrongNumberOfArguments(name));
            return;
        }
        final SubscriptionRegistry<ClientSession> registry = client.edge().registry();
        final NativeBuffer found = new NativeBuffer();
        final ReplyWriter names = new ReplyWriter().wrap(found);
        final int[] count = {0};
        final GlobPattern filter = arguments.argumentCount() == 2
                ? null
                : GlobPattern.compile(arguments.argument(2), arguments.argumentLength(2));
        registry.forEachTopic(kind, filter, topic -> {
            names.bulk(topic.name(), topic.nameLength());
            count[0]++;
        });
        final ReplyWriter reply = client.reply();
        reply.array(count[0]);
        reply.buffer().append(found.address(), found.length());
        found.free();
        client.sendReply();
    }

    private static void counts(final ClientSession client, final Arguments arguments, final Kind kind) {
        final ReplyWriter reply = client.reply();
        reply.array(2L * (arguments.argumentCount() - 2));
        for (int i = 2; i < arguments.argumentCount(); i++) {
            final long name = arguments.argument(i);
            final int length = arguments.argumentLength(i);
            reply.bulk(name, length);
            reply.integer(client.edge().registry().totalWeight(kind, name, length));
        }
        client.sendReply();
    }

    private static boolean is(final Arguments arguments, final String word) {
        return ForwardedCommands.isWord(arguments, 1, word);
    }
}
