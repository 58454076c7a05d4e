// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import goblin.link.codecs.DeliveryEncoder;
import goblin.link.codecs.ErrorEncoder;
import goblin.link.codecs.FenceEncoder;
import goblin.link.codecs.FencedEncoder;
import goblin.link.codecs.HeartbeatEncoder;
import goblin.link.codecs.InterestAcknowledgedEncoder;
import goblin.link.codecs.MessageHeaderEncoder;
import goblin.link.codecs.PublishEncoder;
import goblin.link.codecs.PublishedEncoder;
import goblin.link.codecs.RegisterEdgeEncoder;
import goblin.link.codecs.RegisteredEncoder;
import goblin.link.codecs.SetInterestEncoder;
import goblin.net.ByteSink;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Appends whole framed messages of the link to a sink: length prefix, SBE header, body ("The SBE link" in the edge's
 * specification).
 *
 * <p>Only fixed parts pass through a codec; payloads and long names go from the caller's memory straight into the
 * sink. One
 * instance serves all links of a loop; it belongs to that loop's thread. Nothing is allocated per message, except for
 * the rare ones that carry text. Lengths outside 0 to 512 MiB throw {@link IllegalArgumentException}.
 */
public final class LinkEncoder implements AutoCloseable {
    private static final int SCRATCH_BYTES = 2048;
    private static final int PREFIX = LinkLimits.PREFIX_BYTES;
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int LENGTH_FIELD = 4;
    /** A name that is copied twice, since one long append costs less than three short ones. */
    private static final int MOST_IN_ONE_PIECE = SCRATCH_BYTES / 4;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final RegisterEdgeEncoder registerEdge = new RegisterEdgeEncoder();
    private final RegisteredEncoder registered = new RegisteredEncoder();
    private final SetInterestEncoder setInterest = new SetInterestEncoder();
    private final InterestAcknowledgedEncoder interestAcknowledged = new InterestAcknowledgedEncoder();
    private final PublishEncoder publish = new PublishEncoder();
    private final PublishedEncoder published = new PublishedEncoder();
    private final DeliveryEncoder delivery = new DeliveryEncoder();
    private final FenceEncoder fence = new FenceEncoder();
    private final FencedEncoder fenced = new FencedEncoder();
    private final ErrorEncoder error = new ErrorEncoder();
    private final HeartbeatEncoder heartbeat = new HeartbeatEncoder();

    private final UnsafeBuffer buffer;
    private long scratch;

    /** Makes an encoder with a small scratch of native memory, given back by {@link #close}. */
    public LinkEncoder() {
        scratch = Memory.allocate(SCRATCH_BYTES);
        buffer = new UnsafeBuffer(scratch, SCRATCH_BYTES);
    }

    /**
     * Appends the 8 bytes that begin every link, before the first message.
     *
     * @param out where to
     */
    public void preamble(final ByteSink out) {
        buffer.putBytes(0, Preamble.bytes());
        out.append(scratch, Preamble.LENGTH);
    }

    /**
     * Appends the edge's first message.
     *
     * @param out where to
     * @param edgeId not 0
     * @param instance random number of this process
     * @param role what the link is for
     * @param release {@link Release#text} of this program
     */
    public void registerEdge(
            final ByteSink out, final long edgeId, final long instance, final LinkRole role, final String release) {
        final byte[] text = ascii(release);
        registerEdge
                .wrapAndApplyHeader(buffer, PREFIX, header)
                .edgeId(edgeId)
                .instance(instance)
                .role(Wire.code(role))
                .putRelease(text, 0, text.length);
        whole(out, registerEdge.encodedLength());
    }

    /**
     * Appends the host's answer to an accepted registration.
     *
     * @param out where to
     * @param edgeId as registered
     * @param instance as registered
     * @param release {@link Release#text} of this program
     */
    public void registered(final ByteSink out, final long edgeId, final long instance, final String release) {
        final byte[] text = ascii(release);
        registered
                .wrapAndApplyHeader(buffer, PREFIX, header)
                .edgeId(edgeId)
                .instance(instance)
                .putRelease(text, 0, text.length);
        whole(out, registered.encodedLength());
    }

    /**
     * Appends a name's weight.
     *
     * @param out where to
     * @param sequence comes back in the acknowledgement
     * @param kind the name space
     * @param weight 0 to 2^32 - 1; 0 removes
     * @param name address of the name
     * @param nameLength its length
     */
    public void setInterest(
            final ByteSink out,
            final long sequence,
            final Kind kind,
            final long weight,
            final long name,
            final int nameLength) {
        if (weight < 0 || weight > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException("weight " + weight + " does not fit 32 bits");
        }
        setInterest
                .wrapAndApplyHeader(buffer, PREFIX, header)
                .sequence(sequence)
                .weight(weight)
                .kind(Wire.code(kind));
        withData(out, setInterest.encodedLength(), nameLength);
        data(out, name, nameLength);
    }

    /**
     * Appends the acknowledgement of an applied weight.
     *
     * @param out where to
     * @param sequence of the setInterest
     */
    public void interestAcknowledged(final ByteSink out, final long sequence) {
        interestAcknowledged.wrapAndApplyHeader(buffer, PREFIX, header).sequence(sequence);
        whole(out, interestAcknowledged.encodedLength());
    }

    /**
     * Appends a publication up to its payload; the caller appends exactly {@code payloadLength} bytes after it.
     *
     * @param out where to
     * @param sequence comes back with the count
     * @param kind {@link Kind#CHANNEL} or {@link Kind#SHARD}
     * @param channel address of the channel
     * @param channelLength its length
     * @param payloadLength length of the payload that follows
     */
    public void publishHead(
            final ByteSink out,
            final long sequence,
            final Kind kind,
            final long channel,
            final int channelLength,
            final int payloadLength) {
        checkLength(payloadLength);
        publish.wrapAndApplyHeader(buffer, PREFIX, header).sequence(sequence).kind(Wire.code(kind));
        dataHead(out, publish.encodedLength(), channel, channelLength, payloadLength);
    }

    /**
     * Appends a whole publication.
     *
     * @param out where to
     * @param sequence comes back with the count
     * @param kind {@link Kind#CHANNEL} or {@link Kind#SHARD}
     * @param channel address of the channel
     * @param channelLength its length
     * @param payload address of the payload
     * @param payloadLength its length
     */
    public void publish(
            final ByteSink out,
            final long sequence,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength) {
        publishHead(out, sequence, kind, channel, channelLength, payloadLength);
        data(out, payload, payloadLength);
    }

    /**
     * Appends the count of a publication.
     *
     * @param out where to
     * @param sequence of the publish
     * @param receivers logical receivers outside the publishing edge
     */
    public void published(final ByteSink out, final long sequence, final long receivers) {
        published.wrapAndApplyHeader(buffer, PREFIX, header).sequence(sequence).receivers(receivers);
        whole(out, published.encodedLength());
    }

    /**
     * Appends a delivery up to its payload; the caller appends exactly {@code payloadLength} bytes after it.
     *
     * @param out where to
     * @param kind {@link Kind#CHANNEL} or {@link Kind#SHARD}
     * @param channel address of the channel
     * @param channelLength its length
     * @param payloadLength length of the payload that follows
     */
    public void deliveryHead(
            final ByteSink out, final Kind kind, final long channel, final int channelLength, final int payloadLength) {
        checkLength(payloadLength);
        delivery.wrapAndApplyHeader(buffer, PREFIX, header).kind(Wire.code(kind));
        dataHead(out, delivery.encodedLength(), channel, channelLength, payloadLength);
    }

    /**
     * Appends a whole delivery.
     *
     * @param out where to
     * @param kind {@link Kind#CHANNEL} or {@link Kind#SHARD}
     * @param channel address of the channel
     * @param channelLength its length
     * @param payload address of the payload
     * @param payloadLength its length
     */
    public void delivery(
            final ByteSink out,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength) {
        deliveryHead(out, kind, channel, channelLength, payloadLength);
        data(out, payload, payloadLength);
    }

    /**
     * Appends a fence.
     *
     * @param out where to
     * @param sequence comes back in the answer
     */
    public void fence(final ByteSink out, final long sequence) {
        fence.wrapAndApplyHeader(buffer, PREFIX, header).sequence(sequence);
        whole(out, fence.encodedLength());
    }

    /**
     * Appends the answer to a fence.
     *
     * @param out where to
     * @param sequence of the fence
     */
    public void fenced(final ByteSink out, final long sequence) {
        fenced.wrapAndApplyHeader(buffer, PREFIX, header).sequence(sequence);
        whole(out, fenced.encodedLength());
    }

    /**
     * Appends the reason why this end closes the link.
     *
     * @param out where to
     * @param reason for programs
     * @param text for people; what exceeds 1,024 characters is cut, what is not printable ASCII becomes {@code ?}
     */
    public void error(final ByteSink out, final LinkError reason, final String text) {
        final byte[] bytes = ascii(text);
        error.wrapAndApplyHeader(buffer, PREFIX, header).code(Wire.code(reason)).putText(bytes, 0, bytes.length);
        whole(out, error.encodedLength());
    }

    /**
     * Appends a sign of life.
     *
     * @param out where to
     * @param sentNs this end's clock
     */
    public void heartbeat(final ByteSink out, final long sentNs) {
        heartbeat.wrapAndApplyHeader(buffer, PREFIX, header).sentNs(sentNs);
        whole(out, heartbeat.encodedLength());
    }

    /** Gives the scratch back; the encoder must not be used after it. Idempotent. */
    @Override
    public void close() {
        if (scratch != 0) {
            Memory.free(scratch);
            scratch = 0;
        }
    }

    private void whole(final ByteSink out, final int bodyBytes) {
        buffer.putInt(0, HEADER + bodyBytes, ByteOrder.LITTLE_ENDIAN);
        out.append(scratch, PREFIX + HEADER + bodyBytes);
    }

    /** Appends all up to the bytes of the only data field. */
    private void withData(final ByteSink out, final int blockBytes, final int dataLength) {
        checkLength(dataLength);
        final int head = HEADER + blockBytes + LENGTH_FIELD;
        buffer.putInt(0, head + dataLength, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(PREFIX + HEADER + blockBytes, dataLength, ByteOrder.LITTLE_ENDIAN);
        out.append(scratch, PREFIX + head);
    }

    /** Appends all up to the bytes of a second data field; with a first one of the usual length in one piece. */
    private void dataHead(
            final ByteSink out, final int blockBytes, final long first, final int firstLength, final int secondLength) {
        checkLength(firstLength);
        final int head = HEADER + blockBytes + LENGTH_FIELD;
        buffer.putInt(0, head + firstLength + LENGTH_FIELD + secondLength, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(PREFIX + HEADER + blockBytes, firstLength, ByteOrder.LITTLE_ENDIAN);
        if (firstLength <= MOST_IN_ONE_PIECE) {
            final long end = scratch + PREFIX + head;
            Memory.copy(first, end, firstLength);
            Memory.putInt(end + firstLength, secondLength);
            out.append(scratch, PREFIX + head + firstLength + LENGTH_FIELD);
        } else {
            out.append(scratch, PREFIX + head);
            out.append(first, firstLength);
            Memory.putInt(scratch, secondLength);
            out.append(scratch, LENGTH_FIELD);
        }
    }

    private static void data(final ByteSink out, final long address, final int length) {
        if (length > 0) {
            out.append(address, length);
        }
    }

    private static void checkLength(final int length) {
        if (length < 0 || length > LinkLimits.MAX_DATA_BYTES) {
            throw new IllegalArgumentException("length " + length + " is not in 0 to " + LinkLimits.MAX_DATA_BYTES);
        }
    }

    private static byte[] ascii(final String text) {
        final int length = Math.min(text.length(), LinkLimits.MAX_TEXT_BYTES);
        final byte[] bytes = text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] < ' ' || bytes[i] == 0x7F) {
                bytes[i] = '?';
            }
        }
        return bytes;
    }
}
