// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.net.NativeBuffer;
import goblin.net.SharedBytes;
import goblin.pubsub.Kind;
import goblin.pubsub.MessageFrames;
import goblin.pubsub.Topic;
import java.util.ArrayList;
import java.util.List;

/** One message on its way: each frame is encoded once for all receivers, and only when somebody needs it. */
public final class Publication {
    private final NativeBuffer frame2 = new NativeBuffer();
    private final NativeBuffer frame3 = new NativeBuffer();
    private final SharedBytes[] shared = new SharedBytes[2];
    private final List<EdgeReceiver> edges = new ArrayList<>();
    private Kind kind;
    private long channel;
    private int channelLength;
    private long payload;
    private int payloadLength;
    private Topic<Receiver> pattern;

    void start(final Kind of, final long name, final int nameLength, final long message, final int messageLength) {
        kind = of;
        channel = name;
        channelLength = nameLength;
        payload = message;
        payloadLength = messageLength;
        edges.clear();
    }

    /**
     * The whole frame for the name now turned to, as one counted copy for all who must keep it.
     *
     * @param protocol 2 or 3
     * @param pool     where the copy is made
     * @return valid during the call; whoever keeps it retains it
     */
    public SharedBytes sharedFrame(final int protocol, final SharedBytes.Pool pool) {
        final int index = protocol == 2 ? 0 : 1;
        if (shared[index] == null) {
            final NativeBuffer frame = frame(protocol);
            shared[index] = pool.copyOf(frame.address(), frame.length());
        }
        return shared[index];
    }

    private void releaseShared() {
        for (int i = 0; i < shared.length; i++) {
            if (shared[i] != null) {
                shared[i].release();
                shared[i] = null;
            }
        }
    }

    /** Turns to the subscribers of one name; null for those of the channel itself. */
    void turnTo(final Topic<Receiver> matchingPattern) {
        pattern = matchingPattern;
        releaseShared();
        frame2.clear();
        frame3.clear();
    }

    void end() {
        edges.clear();
        releaseShared();
        if (frame2.capacity() > 1 << 20) {
            frame2.free();
        }
        if (frame3.capacity() > 1 << 20) {
            frame3.free();
        }
    }

    /**
     * The name space.
     *
     * @return channel or shard
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The channel's name.
     *
     * @return native address
     */
    public long channel() {
        return channel;
    }

    /**
     * The channel's length.
     *
     * @return bytes
     */
    public int channelLength() {
        return channelLength;
    }

    /**
     * The payload.
     *
     * @return native address
     */
    public long payload() {
        return payload;
    }

    /**
     * The payload's length.
     *
     * @return bytes
     */
    public int payloadLength() {
        return payloadLength;
    }

    /**
     * Remembers an edge that is to get the publication once, after all names were looked at.
     *
     * @param edge an edge with a matching name
     */
    public void addEdge(final EdgeReceiver edge) {
        if (!edges.contains(edge)) {
            edges.add(edge);
        }
    }

    List<EdgeReceiver> edges() {
        return edges;
    }

    /**
     * The whole frame for the name now turned to.
     *
     * @param protocol 2 or 3
     * @return valid during the call
     */
    public NativeBuffer frame(final int protocol) {
        final NativeBuffer frame = protocol == 2 ? frame2 : frame3;
        if (frame.length() == 0) {
            if (pattern != null) {
                MessageFrames.patternMessage(
                        frame,
                        protocol,
                        pattern.name(),
                        pattern.nameLength(),
                        channel,
                        channelLength,
                        payload,
                        payloadLength);
            } else {
                MessageFrames.message(frame, protocol, kind, channel, channelLength, payload, payloadLength);
            }
        }
        return frame;
    }
}
