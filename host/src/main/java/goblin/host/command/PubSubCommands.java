// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.Flag.FAST;
import static goblin.host.command.Flag.LOADING;
import static goblin.host.command.Flag.NOSCRIPT;
import static goblin.host.command.Flag.NO_MULTI;
import static goblin.host.command.Flag.PUBSUB;
import static goblin.host.command.Flag.STALE;
import static goblin.host.command.Flag.SUBSCRIBED;

import goblin.net.NativeBuffer;
import goblin.pubsub.GlobPattern;
import goblin.pubsub.Kind;
import goblin.pubsub.MessageFrames;
import goblin.pubsub.SubscriptionRegistry;
import goblin.pubsub.Topic;
import java.util.ArrayList;
import java.util.List;

/** Publish, subscribe, and questions about it; sharded channels are a name space of their own. */
final class PubSubCommands {
    private static final String GROUP = "pubsub";

    private PubSubCommands() {}

    static void register(final CommandTable table) {
        table.add("publish", 3, call -> publish(call, Kind.CHANNEL), PUBSUB, LOADING, STALE, FAST, Flag.MAY_REPLICATE)
                .group(GROUP, "2.0.0");
        table.add("spublish", 3, call -> publish(call, Kind.SHARD), PUBSUB, LOADING, STALE, FAST, Flag.MAY_REPLICATE)
                .group(GROUP, "7.0.0");
        final Flag[] flags = {PUBSUB, NOSCRIPT, LOADING, STALE, NO_MULTI, SUBSCRIBED};
        table.add("subscribe", -2, call -> subscribe(call, Kind.CHANNEL), flags).group(GROUP, "2.0.0");
        table.add("psubscribe", -2, call -> subscribe(call, Kind.PATTERN), flags)
                .group(GROUP, "2.0.0");
        table.add("ssubscribe", -2, call -> subscribe(call, Kind.SHARD), flags).group(GROUP, "7.0.0");
        table.add("unsubscribe", -1, call -> unsubscribe(call, Kind.CHANNEL), flags)
                .group(GROUP, "2.0.0");
        table.add("punsubscribe", -1, call -> unsubscribe(call, Kind.PATTERN), flags)
                .group(GROUP, "2.0.0");
        table.add("sunsubscribe", -1, call -> unsubscribe(call, Kind.SHARD), flags)
                .group(GROUP, "7.0.0");
        final CommandSpec pubsub = table.add("pubsub", -2, PubSubCommands::help).group(GROUP, "2.8.0");
        final Flag[] asking = {PUBSUB, LOADING, STALE};
        pubsub.sub("channels", -2, call -> channels(call, Kind.CHANNEL), asking);
        pubsub.sub("shardchannels", -2, call -> channels(call, Kind.SHARD), asking);
        pubsub.sub("numsub", -2, call -> numSub(call, Kind.CHANNEL), asking);
        pubsub.sub("shardnumsub", -2, call -> numSub(call, Kind.SHARD), asking);
        pubsub.sub("numpat", 2, PubSubCommands::numPat, asking);
        pubsub.sub("help", 2, PubSubCommands::help, LOADING, STALE);
    }

    private static SubscriptionRegistry<Receiver> registry(final Call call) {
        return call.server().pubSub().registry();
    }

    /** What a command publishes to, null for one that does not. */
    static Kind published(final CommandSpec spec) {
        return switch (spec.fullName()) {
            case "publish" -> Kind.CHANNEL;
            case "spublish" -> Kind.SHARD;
            default -> null;
        };
    }

    private static void publish(final Call call, final Kind kind) {
        final long receivers = call.server()
                .pubSub()
                .publish(kind, call.address(1), call.length(1), call.address(2), call.length(2), null, call.client());
        call.reply().integer(receivers);
    }

    private static int count(final Client client, final Kind kind) {
        return kind == Kind.SHARD
                ? client.subscriptions().count(Kind.SHARD)
                : client.subscriptions().channelsAndPatterns();
    }

    /** Confirmations are pushes: CLIENT REPLY does not hold them back, and they stand in the order of the replies. */
    private static void subscribe(final Call call, final Kind kind) {
        final Client client = call.client();
        final NativeBuffer out = client.output();
        for (int i = 1; i < call.count(); i++) {
            registry(call).setWeight(kind, call.address(i), call.length(i), client, 1);
            MessageFrames.subscribed(
                    out, client.protocol(), kind, call.address(i), call.length(i), count(client, kind));
        }
    }

    private static void unsubscribe(final Call call, final Kind kind) {
        final Client client = call.client();
        final NativeBuffer out = client.output();
        if (call.count() == 1) {
            if (client.subscriptions().count(kind) == 0) {
                MessageFrames.unsubscribedFromNothing(out, client.protocol(), kind, count(client, kind));
                return;
            }
            registry(call)
                    .removeAll(
                            kind,
                            client,
                            topic -> MessageFrames.unsubscribed(
                                    out,
                                    client.protocol(),
                                    kind,
                                    topic.name(),
                                    topic.nameLength(),
                                    count(client, kind)));
            return;
        }
        for (int i = 1; i < call.count(); i++) {
            registry(call).setWeight(kind, call.address(i), call.length(i), client, 0);
            MessageFrames.unsubscribed(
                    out, client.protocol(), kind, call.address(i), call.length(i), count(client, kind));
        }
    }

    private static void channels(final Call call, final Kind kind) {
        if (call.count() > 3) {
            call.wrongNumberOfArguments();
            return;
        }
        final GlobPattern filter = call.count() == 3 ? GlobPattern.compile(call.address(2), call.length(2)) : null;
        final List<Topic<Receiver>> found = new ArrayList<>();
        registry(call).forEachTopic(kind, filter, found::add);
        call.reply().array(found.size());
        for (final Topic<Receiver> topic : found) {
            call.reply().bulk(topic.name(), topic.nameLength());
        }
    }

    private static void numSub(final Call call, final Kind kind) {
        call.reply().array(2L * (call.count() - 2));
        for (int i = 2; i < call.count(); i++) {
            call.bulk(i);
            call.reply().integer(registry(call).totalWeight(kind, call.address(i), call.length(i)));
        }
    }

    private static void numPat(final Call call) {
        call.reply().integer(registry(call).nameCount(Kind.PATTERN));
    }

    private static void help(final Call call) {
        Help.answer(
                call,
                "CHANNELS [<pattern>]",
                "    Return the currently active channels matching a <pattern> (default: '*').",
                "NUMPAT",
                "    Return number of subscriptions to patterns.",
                "NUMSUB [<channel> ...]",
                "    Return the number of subscribers for the specified channels.",
                "SHARDCHANNELS [<pattern>]",
                "    Return the currently active shard level channels matching a <pattern> (default: '*').",
                "SHARDNUMSUB [<shardchannel> ...]",
                "    Return the number of subscribers for the specified shard level channel(s).");
    }
}
