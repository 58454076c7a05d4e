// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Writes down what a reader finds, payload pieces put together, and checks that callbacks come in their order. It agrees
 * to what it is told to at the first PDU, and can want every header to wait some times.
 */
final class EventLog implements PduSink {
    private final List<String> events = new ArrayList<>();
    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
    private final boolean headerDigest;
    private final boolean dataDigest;
    private final int alignment;
    private final int waits;

    private PduReader reader;
    private int waited;
    private long expected = -1;
    private boolean over;

    EventLog(final boolean headerDigest, final boolean dataDigest, final int alignment, final int waits) {
        this.headerDigest = headerDigest;
        this.dataDigest = dataDigest;
        this.alignment = alignment;
        this.waits = waits;
    }

    static String header(final int type, final byte[] bytes, final long dataLength) {
        return PduType.name(type) + " " + HexFormat.of().formatHex(bytes) + " data " + dataLength;
    }

    static String payload(final byte[] bytes) {
        return "payload " + HexFormat.of().formatHex(bytes);
    }

    static String end(final boolean digestValid) {
        return digestValid ? "end" : "end, wrong digest";
    }

    static String fatal(final int status, final long information) {
        return "fatal " + status + "/" + information;
    }

    void reader(final PduReader its) {
        reader = its;
    }

    List<String> events() {
        return events;
    }

    @Override
    public boolean onHeader(final int type, final long header, final int headerLength, final long dataLength) {
        shouldHold(expected < 0 && !over, "a header comes between two PDUs");
        if (waited < waits) {
            waited++;
            return false;
        }
        waited = 0;
        expected = dataLength;
        events.add(header(type, Memory.toBytes(header, headerLength), dataLength));
        if (type == PduType.IC_REQ || type == PduType.IC_RESP) {
            reader.digests(headerDigest, dataDigest);
            reader.alignment(alignment);
        }
        return true;
    }

    @Override
    public void onPayload(final ReceiveSegment segment, final long address, final int length) {
        shouldHold(
                length > 0 && address >= segment.address() && address + length <= segment.address() + segment.length(),
                "payload lies in its segment");
        shouldHold(expected >= payload.size() + length, "no more payload than announced");
        payload.writeBytes(Memory.toBytes(address, length));
    }

    @Override
    public void onPduEnd(final boolean digestValid) {
        shouldHold(expected == payload.size(), "a PDU ends after its payload");
        if (expected > 0) {
            events.add(payload(payload.toByteArray()));
        }
        events.add(end(digestValid));
        payload.reset();
        expected = -1;
    }

    @Override
    public void onFatal(final int status, final long information, final long header, final int headerLength) {
        shouldHold(expected < 0 && !over, "a fatal error comes between two PDUs, once");
        over = true;
        events.add(fatal(status, information));
        events.add(HexFormat.of().formatHex(Memory.toBytes(header, headerLength)));
    }

    private static void shouldHold(final boolean condition, final String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
