// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random streams of messages, and the ways to feed them to a decoder. */
final class Messages {
    private Messages() {}

    /** A stream of messages of every kind, in an order that the seed decides. */
    static byte[] random(final long seed, final int count, final int maxData) {
        final Random random = new Random(seed);
        final NativeBuffer out = new NativeBuffer();
        try (LinkEncoder encoder = new LinkEncoder()) {
            for (int i = 0; i < count; i++) {
                append(out, encoder, random, maxData);
            }
            return out.toBytes();
        } finally {
            out.free();
        }
    }

    /** One message of each kind, in the order of their numbers. */
    static byte[] oneOfEach() {
        final NativeBuffer out = new NativeBuffer();
        final NativeBuffer data = new NativeBuffer();
        data.appendAscii("prices.payload");
        final long at = data.address();
        try (LinkEncoder encoder = new LinkEncoder()) {
            encoder.registerEdge(out, -2, 77, LinkRole.PUBLISHER, "0.1.0+x");
            encoder.registered(out, 7, 77, "0.1.0+x");
            encoder.setInterest(out, 1, Kind.PATTERN, 0xFFFF_FFFFL, at, 6);
            encoder.interestAcknowledged(out, 1);
            encoder.publish(out, 2, Kind.SHARD, at, 6, at + 7, 7);
            encoder.published(out, 2, 41);
            encoder.delivery(out, Kind.CHANNEL, at, 6, at, 0);
            encoder.fence(out, 3);
            encoder.fenced(out, 3);
            encoder.error(out, LinkError.EDGE_ID_IN_USE, "edge 7 lives");
            encoder.heartbeat(out, 123);
            return out.toBytes();
        } finally {
            out.free();
            data.free();
        }
    }

    /** One message of each kind that is about a name, with one of so many letters n. */
    static byte[] named(final int length) {
        final NativeBuffer out = new NativeBuffer();
        final NativeBuffer data = new NativeBuffer();
        data.appendAscii("n".repeat(length + 3));
        final long at = data.address();
        try (LinkEncoder encoder = new LinkEncoder()) {
            encoder.setInterest(out, 1, Kind.CHANNEL, 1, at, length);
            encoder.publish(out, 2, Kind.CHANNEL, at, length, at, 3);
            encoder.delivery(out, Kind.SHARD, at, length, at, 2);
            return out.toBytes();
        } finally {
            out.free();
            data.free();
        }
    }

    /** Feeds spans cut at the given places; each span lies alone between bytes of the given filling. */
    static List<String> transcript(final byte[] stream, final byte filling, final int... cuts) {
        final Transcript transcript = new Transcript();
        try (LinkDecoder decoder = new LinkDecoder(LinkLimits.MAX_FRAME_BYTES)) {
            int from = 0;
            for (final int cut : cuts) {
                feed(decoder, transcript, stream, from, cut, filling);
                from = cut;
            }
            feed(decoder, transcript, stream, from, stream.length, filling);
        }
        return transcript.lines;
    }

    static boolean feed(
            final LinkDecoder decoder,
            final LinkHandler handler,
            final byte[] stream,
            final int from,
            final int to,
            final byte filling) {
        final int margin = 64;
        final long block = Memory.allocate(2L * margin + to - from);
        try {
            Memory.fill(block, 2L * margin + to - from, filling);
            Memory.copyIn(stream, from, block + margin, to - from);
            return decoder.onBytes(block + margin, to - from, handler);
        } finally {
            Memory.free(block);
        }
    }

    static List<Integer> cuts(final Random random, final int length, final int count) {
        final List<Integer> cuts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            cuts.add(random.nextInt(length + 1));
        }
        cuts.sort(null);
        return cuts;
    }

    private static void append(
            final NativeBuffer out, final LinkEncoder encoder, final Random random, final int maxData) {
        final byte[] name = bytes(random, maxData);
        final byte[] payload = bytes(random, maxData);
        final NativeBuffer data = new NativeBuffer();
        data.append(name);
        data.append(payload);
        final long at = data.address();
        final Kind publishable = random.nextBoolean() ? Kind.CHANNEL : Kind.SHARD;
        final Kind kind = List.of(Kind.values()).get(random.nextInt(3));
        switch (random.nextInt(11)) {
            case 0 ->
                encoder.registerEdge(
                        out, random.nextLong(), random.nextLong(), LinkRole.AGGREGATE, "0.1.0+" + random.nextInt());
            case 1 -> encoder.registered(out, random.nextLong(), random.nextLong(), "");
            case 2 -> encoder.setInterest(out, random.nextLong(), kind, random.nextInt(1 << 20), at, name.length);
            case 3 -> encoder.interestAcknowledged(out, random.nextLong());
            case 4 ->
                encoder.publish(out, random.nextLong(), publishable, at, name.length, at + name.length, payload.length);
            case 5 -> encoder.published(out, random.nextLong(), random.nextLong());
            case 6 -> encoder.delivery(out, publishable, at, name.length, at + name.length, payload.length);
            case 7 -> encoder.fence(out, random.nextLong());
            case 8 -> encoder.fenced(out, random.nextLong());
            case 9 ->
                encoder.error(out, List.of(LinkError.values()).get(random.nextInt(8)), "text " + random.nextInt());
            default -> encoder.heartbeat(out, random.nextLong());
        }
        data.free();
    }

    private static byte[] bytes(final Random random, final int max) {
        final byte[] bytes = new byte[random.nextInt(max + 1)];
        random.nextBytes(bytes);
        return bytes;
    }
}
