// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;

/**
 * Cuts the byte stream of one link (after its preamble) into messages and hands them to a {@link LinkHandler}.
 *
 * <p>A message that lies whole in a span is decoded where it lies. One that is cut by the span's end continues in a
 * buffer of this decoder: a reused one up to 64 KiB, an exact one above, freed right after the message; no byte is
 * looked at twice. The first thing that is not the protocol ends the decoder with {@link LinkHandler#onMalformed}; it
 * never reads outside the bytes it was given, whatever they are. Belongs to one loop's thread; allocates nothing in the
 * steady state.
 */
public final class LinkDecoder implements AutoCloseable {
    private static final int SMALL_BYTES = LinkLimits.PREFIX_BYTES + (64 << 10);
    private static final int PREFIX = LinkLimits.PREFIX_BYTES;

    private final MessageDecoder messages = new MessageDecoder();
    private final NativeBuffer rest = new NativeBuffer();
    private final long maxFrameBytes;

    private long small;
    private long large;
    private int partialLength;
    private int partialNeeded = PREFIX;

    private boolean paused;
    private boolean stopped;
    private boolean running;
    private boolean moreFollows;

    /**
     * Makes a decoder that holds no memory yet.
     *
     * @param maxFrameBytes longest message it accepts, without the length prefix: 1 or more, at most
     *     {@link LinkLimits#MAX_FRAME_BYTES} counts; also the bound of what it holds for an unfinished message
     */
    public LinkDecoder(final long maxFrameBytes) {
        if (maxFrameBytes < 1) {
            throw new IllegalArgumentException("a message's bound must be at least 1");
        }
        this.maxFrameBytes = Math.min(maxFrameBytes, LinkLimits.MAX_FRAME_BYTES);
    }

    /**
     * Takes the next bytes of the link. While paused they are kept, unread, behind those kept already.
     *
     * @param address the first byte; only read during the call
     * @param length number of bytes, 0 or more
     * @param handler receives the messages
     * @return true to go on reading; false when the handler paused, or the decoder has stopped
     */
    public boolean onBytes(final long address, final int length, final LinkHandler handler) {
        if (stopped) {
            return false;
        }
        if (paused) {
            rest.append(address, length);
            return false;
        }
        final int used = run(address, length, handler);
        if (paused && !stopped && used < length) {
            rest.append(address + used, length - used);
        }
        return ended();
    }

    /**
     * Goes on after a pause with what was kept.
     *
     * @param handler receives the messages
     * @return as {@link #onBytes}
     */
    public boolean resume(final LinkHandler handler) {
        if (stopped) {
            return false;
        }
        if (paused) {
            paused = false;
            final int used = run(rest.address(), Math.toIntExact(rest.length()), handler);
            if (!stopped) {
                rest.consume(used);
            }
        }
        return ended();
    }

    /**
     * Tells whether the handler paused.
     *
     * @return true until {@link #resume}
     */
    public boolean paused() {
        return paused;
    }

    /**
     * Tells whether the decoder has ended, by {@link #close} or by malformed input.
     *
     * @return true for ever once true
     */
    public boolean stopped() {
        return stopped;
    }

    /**
     * Native memory held for an unfinished message and for bytes kept during a pause.
     *
     * @return 0 or more bytes
     */
    public long heldBytes() {
        return rest.length() + partialLength;
    }

    /** Ends the decoder and frees its memory, at the end of the running callback when called from one. Idempotent. */
    @Override
    public void close() {
        stopped = true;
        if (!running) {
            free();
        }
    }

    private boolean ended() {
        if (stopped) {
            free();
        }
        return !stopped && !paused;
    }

    private int run(final long address, final int length, final LinkHandler handler) {
        running = true;
        int at = 0;
        try {
            while (at < length && !stopped && !paused) {
                at += partialLength == 0
                        ? inPlace(address + at, length - at, handler)
                        : continued(address + at, length - at, handler);
            }
        } finally {
            running = false;
            moreFollows = false;
        }
        return at;
    }

    /**
     * For a handler, during a message: whether bytes behind it are here already. A hint: false for a message that came in
     * pieces.
     *
     * @return true when the link's next message, or a part of it, is handled next unless the handler pauses
     */
    public boolean moreFollows() {
        return moreFollows;
    }

    /** Decodes the message that begins here, or takes what is there of it; returns the bytes used. */
    private int inPlace(final long address, final int length, final LinkHandler handler) {
        if (length >= PREFIX) {
            final int frame = frameLength(address, handler);
            if (stopped) {
                return 0;
            }
            if (length - PREFIX >= frame) {
                moreFollows = length > PREFIX + frame;
                message(address + PREFIX, frame, handler);
                return PREFIX + frame;
            }
        }
        return continued(address, length, handler);
    }

    /** Takes bytes of the unfinished message: first its prefix, then the rest of it. */
    private int continued(final long address, final int length, final LinkHandler handler) {
        if (small == 0) {
            small = Memory.allocate(SMALL_BYTES);
        }
        final int taken = Math.min(partialNeeded - partialLength, length);
        final long partial = large == 0 ? small : large;
        Memory.copy(address, partial + partialLength, taken);
        partialLength += taken;
        moreFollows = false;
        if (partialLength == partialNeeded) {
            if (partialNeeded == PREFIX) {
                onPrefix(handler);
            } else {
                onWhole(partial, handler);
            }
        }
        return taken;
    }

    private void onPrefix(final LinkHandler handler) {
        final int frame = frameLength(small, handler);
        if (stopped) {
            return;
        }
        partialNeeded = PREFIX + frame;
        if (partialNeeded > SMALL_BYTES) {
            large = Memory.allocate(partialNeeded);
            Memory.copy(small, large, PREFIX);
        }
    }

    private void onWhole(final long partial, final LinkHandler handler) {
        final int frame = partialNeeded - PREFIX;
        partialLength = 0;
        partialNeeded = PREFIX;
        try {
            message(partial + PREFIX, frame, handler);
        } finally {
            if (large != 0) {
                Memory.free(large);
                large = 0;
            }
        }
    }

    private void message(final long address, final int length, final LinkHandler handler) {
        paused = !messages.decode(address, length, handler);
        final String fault = messages.fault();
        if (fault != null) {
            malformed(fault, handler);
        }
    }

    private int frameLength(final long address, final LinkHandler handler) {
        final long frame = Integer.toUnsignedLong(Memory.getInt(address));
        if (frame < MessageDecoder.MIN_BYTES) {
            malformed("a message of " + frame + " bytes is shorter than its header", handler);
        } else if (frame > maxFrameBytes) {
            malformed("a message of " + frame + " bytes is longer than the limit of " + maxFrameBytes, handler);
        }
        return stopped ? 0 : (int) frame;
    }

    private void malformed(final String why, final LinkHandler handler) {
        stopped = true;
        handler.onMalformed(why);
    }

    private void free() {
        rest.free();
        partialLength = 0;
        partialNeeded = PREFIX;
        if (small != 0) {
            Memory.free(small);
            small = 0;
        }
        if (large != 0) {
            Memory.free(large);
            large = 0;
        }
    }
}
