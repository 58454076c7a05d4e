// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import goblin.link.codecs.DeliveryDecoder;
import goblin.link.codecs.ErrorDecoder;
import goblin.link.codecs.FenceDecoder;
import goblin.link.codecs.FencedDecoder;
import goblin.link.codecs.HeartbeatDecoder;
import goblin.link.codecs.InterestAcknowledgedDecoder;
import goblin.link.codecs.MessageHeaderDecoder;
import goblin.link.codecs.PublishDecoder;
import goblin.link.codecs.PublishedDecoder;
import goblin.link.codecs.RegisterEdgeDecoder;
import goblin.link.codecs.RegisteredDecoder;
import goblin.link.codecs.SetInterestDecoder;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Checks one whole message and hands it to its method. Everything is checked against the message's length before it is
 * read: header, block, each data field, and that nothing is left over.
 */
final class MessageDecoder {
    /** A message is at least its header. */
    static final int MIN_BYTES = MessageHeaderDecoder.ENCODED_LENGTH;

    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final RegisterEdgeDecoder registerEdge = new RegisterEdgeDecoder();
    private final RegisteredDecoder registered = new RegisteredDecoder();
    private final SetInterestDecoder setInterest = new SetInterestDecoder();
    private final InterestAcknowledgedDecoder interestAcknowledged = new InterestAcknowledgedDecoder();
    private final PublishDecoder publish = new PublishDecoder();
    private final PublishedDecoder published = new PublishedDecoder();
    private final DeliveryDecoder delivery = new DeliveryDecoder();
    private final FenceDecoder fence = new FenceDecoder();
    private final FencedDecoder fenced = new FencedDecoder();
    private final ErrorDecoder error = new ErrorDecoder();
    private final HeartbeatDecoder heartbeat = new HeartbeatDecoder();

    private long address;
    private int length;
    private int cursor;
    private long data;
    private int dataLength;
    private String fault;

    /** What was wrong with the last message, or null. */
    String fault() {
        return fault;
    }

    /** Decodes a message of at least {@link #MIN_BYTES}; answers what the handler answered, true after a fault. */
    boolean decode(final long at, final int bytes, final LinkHandler handler) {
        address = at;
        length = bytes;
        fault = null;
        buffer.wrap(at, bytes);
        header.wrap(buffer, 0);
        if (header.schemaId() != MessageHeaderDecoder.SCHEMA_ID) {
            return fail("schema " + header.schemaId() + " is not " + MessageHeaderDecoder.SCHEMA_ID);
        }
        if (header.version() != MessageHeaderDecoder.SCHEMA_VERSION) {
            return fail("schema version " + header.version() + " is not " + MessageHeaderDecoder.SCHEMA_VERSION);
        }
        return switch (header.templateId()) {
            case DeliveryDecoder.TEMPLATE_ID -> delivery(handler);
            case PublishDecoder.TEMPLATE_ID -> publish(handler);
            case PublishedDecoder.TEMPLATE_ID -> published(handler);
            case SetInterestDecoder.TEMPLATE_ID -> setInterest(handler);
            case InterestAcknowledgedDecoder.TEMPLATE_ID -> interestAcknowledged(handler);
            case FenceDecoder.TEMPLATE_ID -> fence(handler);
            case FencedDecoder.TEMPLATE_ID -> fenced(handler);
            case HeartbeatDecoder.TEMPLATE_ID -> heartbeat(handler);
            case RegisterEdgeDecoder.TEMPLATE_ID -> registerEdge(handler);
            case RegisteredDecoder.TEMPLATE_ID -> registered(handler);
            case ErrorDecoder.TEMPLATE_ID -> error(handler);
            default -> fail("message type " + header.templateId() + " is unknown");
        };
    }

    private boolean delivery(final LinkHandler handler) {
        if (!block(DeliveryDecoder.BLOCK_LENGTH)) {
            return true;
        }
        delivery.wrap(buffer, MIN_BYTES, DeliveryDecoder.BLOCK_LENGTH, DeliveryDecoder.SCHEMA_VERSION);
        final Kind kind = Wire.kind(delivery.kindRaw());
        if (!publishable(kind) || !data(LinkLimits.MAX_DATA_BYTES)) {
            return true;
        }
        final long channel = data;
        final int channelLength = dataLength;
        return !data(LinkLimits.MAX_DATA_BYTES)
                || !whole()
                || handler.onDelivery(kind, channel, channelLength, data, dataLength);
    }

    private boolean publish(final LinkHandler handler) {
        if (!block(PublishDecoder.BLOCK_LENGTH)) {
            return true;
        }
        publish.wrap(buffer, MIN_BYTES, PublishDecoder.BLOCK_LENGTH, PublishDecoder.SCHEMA_VERSION);
        final Kind kind = Wire.kind(publish.kindRaw());
        if (!publishable(kind) || !data(LinkLimits.MAX_DATA_BYTES)) {
            return true;
        }
        final long channel = data;
        final int channelLength = dataLength;
        return !data(LinkLimits.MAX_DATA_BYTES)
                || !whole()
                || handler.onPublish(publish.sequence(), kind, channel, channelLength, data, dataLength);
    }

    private boolean published(final LinkHandler handler) {
        if (!block(PublishedDecoder.BLOCK_LENGTH) || !whole()) {
            return true;
        }
        published.wrap(buffer, MIN_BYTES, PublishedDecoder.BLOCK_LENGTH, PublishedDecoder.SCHEMA_VERSION);
        return handler.onPublished(published.sequence(), published.receivers());
    }

    private boolean setInterest(final LinkHandler handler) {
        if (!block(SetInterestDecoder.BLOCK_LENGTH)) {
            return true;
        }
        setInterest.wrap(buffer, MIN_BYTES, SetInterestDecoder.BLOCK_LENGTH, SetInterestDecoder.SCHEMA_VERSION);
        final Kind kind = Wire.kind(setInterest.kindRaw());
        if (kind == null) {
            return fail("name space " + setInterest.kindRaw() + " is unknown");
        }
        return !data(LinkLimits.MAX_DATA_BYTES)
                || !whole()
                || handler.onSetInterest(setInterest.sequence(), kind, setInterest.weight(), data, dataLength);
    }

    private boolean interestAcknowledged(final LinkHandler handler) {
        if (!block(InterestAcknowledgedDecoder.BLOCK_LENGTH) || !whole()) {
            return true;
        }
        interestAcknowledged.wrap(
                buffer,
                MIN_BYTES,
                InterestAcknowledgedDecoder.BLOCK_LENGTH,
                InterestAcknowledgedDecoder.SCHEMA_VERSION);
        return handler.onInterestAcknowledged(interestAcknowledged.sequence());
    }

    private boolean fence(final LinkHandler handler) {
        if (!block(FenceDecoder.BLOCK_LENGTH) || !whole()) {
            return true;
        }
        fence.wrap(buffer, MIN_BYTES, FenceDecoder.BLOCK_LENGTH, FenceDecoder.SCHEMA_VERSION);
        return handler.onFence(fence.sequence());
    }

    private boolean fenced(final LinkHandler handler) {
        if (!block(FencedDecoder.BLOCK_LENGTH) || !whole()) {
            return true;
        }
        fenced.wrap(buffer, MIN_BYTES, FencedDecoder.BLOCK_LENGTH, FencedDecoder.SCHEMA_VERSION);
        return handler.onFenced(fenced.sequence());
    }

    private boolean heartbeat(final LinkHandler handler) {
        if (!block(HeartbeatDecoder.BLOCK_LENGTH) || !whole()) {
            return true;
        }
        heartbeat.wrap(buffer, MIN_BYTES, HeartbeatDecoder.BLOCK_LENGTH, HeartbeatDecoder.SCHEMA_VERSION);
        return handler.onHeartbeat(heartbeat.sentNs());
    }

    private boolean registerEdge(final LinkHandler handler) {
        if (!block(RegisterEdgeDecoder.BLOCK_LENGTH)) {
            return true;
        }
        registerEdge.wrap(buffer, MIN_BYTES, RegisterEdgeDecoder.BLOCK_LENGTH, RegisterEdgeDecoder.SCHEMA_VERSION);
        final LinkRole role = Wire.role(registerEdge.roleRaw());
        if (role == null) {
            return fail("role " + registerEdge.roleRaw() + " is unknown");
        }
        return !data(LinkLimits.MAX_TEXT_BYTES)
                || !whole()
                || handler.onRegisterEdge(registerEdge.edgeId(), registerEdge.instance(), role, text());
    }

    private boolean registered(final LinkHandler handler) {
        if (!block(RegisteredDecoder.BLOCK_LENGTH)) {
            return true;
        }
        registered.wrap(buffer, MIN_BYTES, RegisteredDecoder.BLOCK_LENGTH, RegisteredDecoder.SCHEMA_VERSION);
        return !data(LinkLimits.MAX_TEXT_BYTES)
                || !whole()
                || handler.onRegistered(registered.edgeId(), registered.instance(), text());
    }

    private boolean error(final LinkHandler handler) {
        if (!block(ErrorDecoder.BLOCK_LENGTH)) {
            return true;
        }
        error.wrap(buffer, MIN_BYTES, ErrorDecoder.BLOCK_LENGTH, ErrorDecoder.SCHEMA_VERSION);
        final LinkError reason = Wire.error(error.codeRaw());
        if (reason == null) {
            return fail("error code " + error.codeRaw() + " is unknown");
        }
        return !data(LinkLimits.MAX_TEXT_BYTES) || !whole() || handler.onError(reason, text());
    }

    /** The fixed part is there and has the length that this version gives it. */
    private boolean block(final int expected) {
        if (header.blockLength() != expected || length - MIN_BYTES < expected) {
            return !fail("the fixed part of message type " + header.templateId() + " is cut or of a wrong length");
        }
        cursor = MIN_BYTES + expected;
        return true;
    }

    private boolean publishable(final Kind kind) {
        return kind == Kind.CHANNEL || kind == Kind.SHARD || !fail("a publication's name space is not one");
    }

    /** Opens the next data field: its length and bytes lie inside the message. */
    private boolean data(final int limit) {
        if (length - cursor < Integer.BYTES) {
            return !fail("a data field of message type " + header.templateId() + " is cut");
        }
        final long bytes = Integer.toUnsignedLong(Memory.getInt(address + cursor));
        cursor += Integer.BYTES;
        if (bytes > limit || bytes > length - cursor) {
            return !fail("a data field of " + bytes + " bytes does not fit message type " + header.templateId());
        }
        data = address + cursor;
        dataLength = (int) bytes;
        cursor += dataLength;
        return true;
    }

    private boolean whole() {
        return cursor == length
                || !fail((length - cursor) + " bytes are left over in message type " + header.templateId());
    }

    private String text() {
        final byte[] bytes = Memory.toBytes(data, dataLength);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] < ' ' || bytes[i] == 0x7F) {
                bytes[i] = '?';
            }
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** Notes the fault; true, because a fault is no wish to pause. */
    private boolean fail(final String why) {
        fault = why;
        return true;
    }
}
