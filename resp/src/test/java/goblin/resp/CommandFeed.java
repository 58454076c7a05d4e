// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import goblin.net.NativeBuffer;
import java.util.ArrayList;
import java.util.List;

/** Feeds a decoder as a session would: bytes come in pieces, move in memory, and commands are eaten from the front. */
final class CommandFeed implements AutoCloseable {
    private final CommandDecoder decoder;
    private final NativeBuffer kept = new NativeBuffer();
    private final List<String> seen = new ArrayList<>();
    private boolean failed;

    CommandFeed(final RespLimits limits) {
        decoder = new CommandDecoder(limits);
    }

    /** What the decoder makes of the bytes when they are cut at the given places. */
    static List<String> of(final RespLimits limits, final byte[] bytes, final int... cuts) {
        try (CommandFeed feed = new CommandFeed(limits)) {
            int from = 0;
            for (final int cut : cuts) {
                feed.piece(bytes, from, cut - from);
                from = cut;
            }
            feed.piece(bytes, from, bytes.length - from);
            return feed.seen;
        }
    }

    static List<String> of(final String text, final int... cuts) {
        return of(RespLimits.AUTHENTICATED, NativeBytes.wire(text), cuts);
    }

    static List<String> byteByByte(final String text) {
        final byte[] bytes = NativeBytes.wire(text);
        final int[] cuts = new int[Math.max(0, bytes.length - 1)];
        for (int i = 0; i < cuts.length; i++) {
            cuts[i] = i + 1;
        }
        return of(RespLimits.AUTHENTICATED, bytes, cuts);
    }

    void piece(final byte[] bytes, final int offset, final int length) {
        kept.append(bytes, offset, length);
        // Other memory each time: a decoder that keeps an address would read what is gone.
        try (NativeBytes moved = new NativeBytes(kept.toBytes())) {
            long at = 0;
            while (!failed && at < moved.length()) {
                final int result = decoder.decode(moved.address() + at, moved.length() - at);
                if (result == CommandDecoder.NEED_MORE) {
                    break;
                }
                if (result == CommandDecoder.ERROR) {
                    seen.add("-" + decoder.error());
                    failed = true;
                } else {
                    seen.add(text(decoder));
                    at += decoder.consumed();
                }
            }
            kept.consume(at);
        }
    }

    List<String> seen() {
        return seen;
    }

    static String text(final CommandDecoder decoder) {
        final StringBuilder text = new StringBuilder(decoder.inline() ? "inline" : "array");
        for (int i = 0; i < decoder.argumentCount(); i++) {
            text.append('|').append(Ascii.text(decoder.argument(i), decoder.argumentLength(i)));
        }
        return text.toString();
    }

    @Override
    public void close() {
        decoder.close();
        kept.free();
    }
}
