// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Writes down each message as a line, and pauses or closes at a wanted line. */
final class Transcript implements LinkHandler {
    final List<String> lines = new ArrayList<>();
    boolean pauseAtEach;
    Runnable onLine = () -> {};

    @Override
    public boolean onRegisterEdge(final long edgeId, final long instance, final LinkRole role, final String release) {
        return line("registerEdge " + Long.toUnsignedString(edgeId) + ' ' + instance + ' ' + role + ' ' + release);
    }

    @Override
    public boolean onRegistered(final long edgeId, final long instance, final String release) {
        return line("registered " + Long.toUnsignedString(edgeId) + ' ' + instance + ' ' + release);
    }

    @Override
    public boolean onSetInterest(
            final long sequence, final Kind kind, final long weight, final long name, final int nameLength) {
        return line("setInterest " + sequence + ' ' + kind + ' ' + weight + ' ' + hex(name, nameLength));
    }

    @Override
    public boolean onInterestAcknowledged(final long sequence) {
        return line("interestAcknowledged " + sequence);
    }

    @Override
    public boolean onPublish(
            final long sequence,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength) {
        return line("publish " + sequence + ' ' + kind + ' ' + hex(channel, channelLength) + ' '
                + hex(payload, payloadLength));
    }

    @Override
    public boolean onPublished(final long sequence, final long receivers) {
        return line("published " + sequence + ' ' + receivers);
    }

    @Override
    public boolean onDelivery(
            final Kind kind, final long channel, final int channelLength, final long payload, final int payloadLength) {
        return line("delivery " + kind + ' ' + hex(channel, channelLength) + ' ' + hex(payload, payloadLength));
    }

    @Override
    public boolean onFence(final long sequence) {
        return line("fence " + sequence);
    }

    @Override
    public boolean onFenced(final long sequence) {
        return line("fenced " + sequence);
    }

    @Override
    public boolean onError(final LinkError error, final String text) {
        return line("error " + error + ' ' + text);
    }

    @Override
    public boolean onHeartbeat(final long sentNs) {
        return line("heartbeat " + sentNs);
    }

    @Override
    public boolean onUnexpected(final String message) {
        return line("unexpected " + message);
    }

    @Override
    public void onMalformed(final String why) {
        lines.add("malformed " + why);
    }

    private boolean line(final String line) {
        lines.add(line);
        onLine.run();
        return !pauseAtEach;
    }

    private static String hex(final long address, final int length) {
        if (length > 64) {
            return length + " bytes, hash " + Memory.hash(address, length);
        }
        return HexFormat.of().formatHex(Memory.toBytes(address, length));
    }
}
