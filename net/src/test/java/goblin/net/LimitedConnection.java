// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import goblin.net.linux.Memory;
import java.io.ByteArrayOutputStream;

/** A connection into a byte array that takes as much as it is allowed. */
final class LimitedConnection implements Connection {
    static final NativeBuffer TEXTS = new NativeBuffer(1 << 20);

    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final int step;
    private long allowed;
    private boolean open = true;

    LimitedConnection(final int step) {
        this.step = step;
        allowed = step;
    }

    void allow(final long bytes) {
        allowed = bytes;
    }

    void allowAll(final SendQueue queue) {
        while (!queue.isEmpty()) {
            allowed = step;
            queue.flush(this);
        }
    }

    byte[] bytes() {
        return taken.toByteArray();
    }

    String text() {
        return taken.toString(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    @Override
    public long send(final long address, final long length) {
        if (!open) {
            return CLOSED;
        }
        final int part = (int) Math.min(length, allowed);
        taken.writeBytes(Memory.toBytes(address, part));
        allowed -= part;
        return part;
    }

    @Override
    public long sendGathered(final long iovecs, final int count) {
        if (!open) {
            return CLOSED;
        }
        long sent = 0;
        for (int i = 0; i < count; i++) {
            sent += send(Iovec.address(iovecs, i), Iovec.length(iovecs, i));
        }
        return sent;
    }

    @Override
    public long sendHeld(final long iovecs, final int count, final long token) {
        return sendGathered(iovecs, count);
    }

    @Override
    public void expect(final int headerBytes, final int payloadBytes) {}

    @Override
    public void pauseReceive() {}

    @Override
    public void resumeReceive() {}

    @Override
    public boolean receivePaused() {
        return false;
    }

    @Override
    public void shutdownSend() {}

    @Override
    public void close() {
        open = false;
    }

    @Override
    public void finish(final long lingerNs) {
        open = false;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public String peerName() {
        return "memory";
    }

    @Override
    public String localName() {
        return "memory";
    }

    @Override
    public int descriptor() {
        return 0;
    }

    @Override
    public boolean isLocalPeer() {
        return true;
    }
}
