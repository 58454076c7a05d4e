// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.SharedBytes;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Notes what it is told as text, one line a call. */
final class RecordingHandler implements ExchangeHandler<String, String> {
    final List<String> lines = new ArrayList<>();
    final List<SharedBytes> kept = new ArrayList<>();
    long attempted = 1;
    boolean keeps;
    Runnable onPublication = () -> {};
    LoopExchange<String, String> exchange;

    /** What was noted since the last call. */
    List<String> take() {
        final List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }

    @Override
    public long onPublication(
            final int from,
            final int token,
            final boolean deliver,
            final boolean uplink,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength) {
        lines.add("publication " + from + ' ' + token + (deliver ? " deliver" : "") + (uplink ? " uplink" : "") + ' '
                + kind + ' ' + text(channel, channelLength) + '=' + text(payload, payloadLength));
        if (keeps) {
            kept.add(exchange.lendPayload());
        }
        onPublication.run();
        return deliver ? attempted : 0;
    }

    @Override
    public void onCompleted(final String owner, final String slot, final long receivers) {
        lines.add("completed " + owner + ' ' + slot + ' ' + receivers);
    }

    @Override
    public void onTakes() {
        lines.add("takes");
    }

    @Override
    public void onRelieved() {
        lines.add("relieved");
    }

    @Override
    public void onWant(
            final int from,
            final long sequence,
            final Kind kind,
            final int weight,
            final long name,
            final int nameLength) {
        lines.add("want " + from + ' ' + sequence + ' ' + kind + ' ' + weight + ' ' + text(name, nameLength));
    }

    @Override
    public void onAcked(final long sequence) {
        lines.add("acked " + sequence);
    }

    @Override
    public void onPeerOn(final int loop, final Kind kind, final long name, final int nameLength, final long number) {
        lines.add("peerOn " + loop + ' ' + kind + ' ' + text(name, nameLength) + ' ' + number);
    }

    @Override
    public void onPeerOff(final int loop, final Kind kind, final long name, final int nameLength) {
        lines.add("peerOff " + loop + ' ' + kind + ' ' + text(name, nameLength));
    }

    @Override
    public void onHeld(final int from, final long number) {
        lines.add("held " + from + ' ' + number);
    }

    @Override
    public void onFence(final int from, final long sequence) {
        lines.add("fence " + from + ' ' + sequence);
    }

    @Override
    public void onFenced(final long sequence) {
        lines.add("fenced " + sequence);
    }

    static String text(final long address, final int length) {
        return new String(Memory.toBytes(address, length), StandardCharsets.ISO_8859_1);
    }
}
