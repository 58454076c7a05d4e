// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import goblin.resp.CommandDecoder;
import goblin.resp.RespLimits;

/**
 * One client's way from received bytes to commands. Complete commands are handled where they lie; a cut one waits in a
 * buffer of its own, except that a long forwarded one streams on as it comes. A command whose turn has not come stays
 * here, and reading pauses.
 */
final class ClientInput {
    private static final int COMMANDS_A_TURN = 256;
    private static final long STREAM_FROM_BYTES = 16 * 1024;
    private static final long WHOLE_IN_SMALL_BYTES = 64 * 1024;

    private final Edge edge;
    private final ClientSession client;
    private final CommandRouter router;
    private RespLimits limits;
    /** Null between commands. */
    private CommandDecoder decoder;

    private final NativeBuffer pending = new NativeBuffer();
    private long reserved;
    private boolean waiting;
    private boolean turnOver;
    private long turnOverAt;
    private boolean streaming;
    private boolean stopped;
    private boolean running;

    ClientInput(final Edge edge, final ClientSession client, final RespLimits limits) {
        this.edge = edge;
        this.client = client;
        this.router = edge.router();
        this.limits = limits;
    }

    void limits(final RespLimits now) {
        limits = now;
        if (decoder != null) {
            decoder.setLimits(now);
        }
    }

    /** Takes what was received. */
    void onBytes(final long address, final long length) {
        if (stopped) {
            return;
        }
        if (pending.isEmpty()) {
            final long used = run(address, length);
            if (used < length && !stopped) {
                reserveWhole(length - used);
                pending.append(address + used, length - used);
            }
        } else {
            pending.append(address, length);
            pending.consume(run(pending.address(), pending.length()));
        }
        settle();
    }

    /** Goes on with commands that waited. */
    void resume() {
        if (stopped || running || (turnOver && turnOverAt == edge.turn())) {
            return;
        }
        waiting = false;
        turnOver = false;
        if (!pending.isEmpty()) {
            pending.consume(run(pending.address(), pending.length()));
        }
        settle();
    }

    /** Whether a long command has gone to the host in part. */
    boolean isStreaming() {
        return streaming;
    }

    /** Whether a command waits for its turn. */
    boolean isWaiting() {
        return waiting;
    }

    /** Whether reading should pause: received commands cannot go on now. */
    boolean mustPause() {
        return waiting
                || turnOver
                || (streaming && client.upstream() != null && client.upstream().isBacklogged());
    }

    /** Nothing received is left to run; what remains is a command that was cut. */
    boolean isDrained() {
        return stopped || (!waiting && !turnOver);
    }

    /** Drops what is left; nothing is handled any more. */
    void stop() {
        stopped = true;
        waiting = false;
        turnOver = false;
        if (!running) {
            release();
        }
    }

    private void release() {
        pending.free();
        giveDecoderBack();
        unreserve();
    }

    private void giveDecoderBack() {
        if (decoder != null) {
            edge.decoders().giveBack(decoder);
            decoder = null;
        }
    }

    private void settle() {
        if (stopped) {
            release();
        } else if (pending.isEmpty()) {
            pending.free();
            unreserve();
            if (!streaming) {
                giveDecoderBack();
            }
        }
        client.inputSettled();
    }

    private long run(final long address, final long length) {
        running = true;
        if (decoder == null && !stopped) {
            decoder = edge.decoders().take(limits);
        }
        try {
            return stopped ? length : runCommands(address, length);
        } finally {
            running = false;
            edge.moreFollows(false);
        }
    }

    private long runCommands(final long address, final long length) {
        long used = 0;
        int commands = 0;
        while (used < length && !waiting && !stopped) {
            if (commands++ == COMMANDS_A_TURN) {
                turnOver = true;
                turnOverAt = edge.turn();
                edge.atTurnEnd().resumeNextTurn(client);
                break;
            }
            final int result = decoder.decode(address + used, length - used);
            if (result == CommandDecoder.COMMAND) {
                edge.moreFollows(used + decoder.consumed() < length);
                if (!handle(address + used)) {
                    waiting = true;
                    decoder.reset();
                    break;
                }
                used += decoder.consumed();
                decoder.reset();
            } else if (result == CommandDecoder.ERROR) {
                client.protocolError(decoder.error());
            } else {
                used += cut(address + used, length - used);
                break;
            }
        }
        return stopped ? length : used;
    }

    private boolean handle(final long address) {
        if (streaming) {
            streaming = false;
            client.upstream().stream(address, decoder.consumed());
            return true;
        }
        if (decoder.isHttp()) {
            client.protocolError(null);
            return true;
        }
        if (decoder.argumentCount() == 0) {
            return true;
        }
        final boolean handled = router.dispatch(client, decoder, address);
        if (handled && client.attributes().lastCommandIsSecret()) {
            // Later bytes would overwrite it, but not soon enough for a secret.
            Memory.fill(address, decoder.consumed(), (byte) 0);
        }
        return handled;
    }

    /** A command whose end is not here yet; returns how many of its bytes were streamed on. */
    private long cut(final long address, final long length) {
        if (!streaming && !beginStreaming(length)) {
            return 0;
        }
        final long passed = decoder.discardable();
        client.upstream().stream(address, passed);
        decoder.discard(passed);
        return passed;
    }

    private boolean beginStreaming(final long length) {
        if (Math.max(length, decoder.bytesNeeded()) <= STREAM_FROM_BYTES || decoder.inline()) {
            return false;
        }
        switch (router.mayStream(client, decoder)) {
            case STREAM -> streaming = true;
            case WAIT -> {
                waiting = true;
                decoder.reset();
            }
            case WHOLE -> reserveWhole(length);
        }
        return streaming;
    }

    /**
     * Makes room for a large command that must be whole, within the budget of all clients: in steps as its bytes come,
     * since an announcement costs its sender nothing.
     */
    private void reserveWhole(final long have) {
        final long whole = Math.max(decoder.bytesNeeded(), have);
        final long needed = Math.min(whole, Math.max(2 * WHOLE_IN_SMALL_BYTES, 2 * have));
        if (whole <= WHOLE_IN_SMALL_BYTES || needed <= reserved) {
            return;
        }
        if (!edge.requestMemory().take(needed - reserved)) {
            client.protocolError("request memory exhausted, see --max-request-memory");
            return;
        }
        reserved = needed;
        pending.ensure(Math.max(0, needed - pending.length()));
    }

    private void unreserve() {
        edge.requestMemory().giveBack(reserved);
        reserved = 0;
    }
}
