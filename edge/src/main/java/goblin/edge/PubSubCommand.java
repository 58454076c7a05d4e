// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import goblin.pubsub.GlobPattern;
import goblin.pubsub.Kind;
import goblin.resp.Arguments;
import goblin.resp.ErrorTexts;
import goblin.resp.ReplyWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** PUBSUB: describes this edge's own registries, those of all loops; the host's includes the weights of its edges. */
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
                EveryLoop.ask(
                        client,
                        edge -> namesOf(edge, Kind.PATTERN, null),
                        answers -> client.replyInteger(distinct(answers).size()));
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
        final GlobPattern filter = arguments.argumentCount() == 2
                ? null
                : GlobPattern.compile(arguments.argument(2), arguments.argumentLength(2));
        EveryLoop.ask(client, edge -> namesOf(edge, kind, filter), answers -> {
            final Set<byte[]> names = distinct(answers);
            final ReplyWriter reply = client.reply();
            reply.array(names.size());
            for (final byte[] each : names) {
                reply.bulk(each);
            }
            client.sendReply();
        });
    }

    private static List<byte[]> namesOf(final Edge edge, final Kind kind, final GlobPattern filter) {
        final List<byte[]> names = new ArrayList<>();
        edge.registry()
                .forEachTopic(kind, filter, topic -> names.add(Memory.toBytes(topic.name(), topic.nameLength())));
        return names;
    }

    private static Set<byte[]> distinct(final List<List<byte[]>> answers) {
        final Set<byte[]> all = new TreeSet<>(Arrays::compareUnsigned);
        answers.forEach(all::addAll);
        return all;
    }

    private static void counts(final ClientSession client, final Arguments arguments, final Kind kind) {
        final byte[][] names = new byte[arguments.argumentCount() - 2][];
        for (int i = 0; i < names.length; i++) {
            names[i] = Memory.toBytes(arguments.argument(i + 2), arguments.argumentLength(i + 2));
        }
        EveryLoop.ask(client, edge -> weightsOf(edge, kind, names), answers -> {
            final ReplyWriter reply = client.reply();
            reply.array(2L * names.length);
            for (int i = 0; i < names.length; i++) {
                long sum = 0;
                for (final long[] weights : answers) {
                    sum += weights[i];
                }
                reply.bulk(names[i]);
                reply.integer(sum);
            }
            client.sendReply();
        });
    }

    private static long[] weightsOf(final Edge edge, final Kind kind, final byte[][] names) {
        final long[] weights = new long[names.length];
        final NativeBuffer name = new NativeBuffer();
        for (int i = 0; i < names.length; i++) {
            name.clear();
            name.append(names[i]);
            weights[i] = edge.registry().totalWeight(kind, name.address(), names[i].length);
        }
        name.free();
        return weights;
    }

    private static boolean is(final Arguments arguments, final String word) {
        return ForwardedCommands.isWord(arguments, 1, word);
    }
}
