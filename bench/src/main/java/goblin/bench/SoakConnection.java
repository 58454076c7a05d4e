// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * A client of the soak. Replies come in the order of its commands, pushes in between; a server that closes it without
 * being asked to is a failure.
 */
abstract class SoakConnection implements LoadLoop.Receiver {
    private static final int REMEMBERED = 24;
    private static final int SHOWN = 90;

    private final LoadLoop loop;
    private final String name;
    private final SocketChannel socket;
    private final RespParser parser = new RespParser();
    private final Queue<ReplyCheck> awaited = new ArrayDeque<>();
    private final Queue<ByteBuffer> unsent = new ArrayDeque<>();
    /** The last commands and frames, for the one who has to find out. */
    private final Queue<Object> history = new ArrayDeque<>();

    private boolean leaving;
    private boolean gone;

    /** What a reply must be. */
    interface ReplyCheck {
        void check(Object reply) throws Failure;
    }

    /** How a client vanishes. */
    enum Vanishing {
        /** Ends its side and reads on: what it sent is still answered. */
        FIN,
        /** Closes; the kernel says FIN, or RST when something was unread. */
        CLOSE,
        /** Resets. */
        RST,
        /** Closes within a command. */
        CLOSE_MID_COMMAND,
        /** Resets within a command. */
        RST_MID_COMMAND
    }

    SoakConnection(final LoadLoop loop, final String name, final int port) throws Failure {
        this.loop = loop;
        this.name = name;
        this.socket = loop.open(port, this);
    }

    /** Takes a push; the others are replies. */
    abstract boolean push(Object value) throws Failure;

    /** The connection is over, expectedly. */
    abstract void over();

    /** Does something now and then. */
    abstract void act(RandomGenerator random) throws Failure;

    /** Whether commands sent before this side ended are still answered, and so their replies are checked. */
    abstract boolean answeredAfterLeaving();

    final String name() {
        return name;
    }

    final boolean gone() {
        return gone;
    }

    final boolean leaving() {
        return leaving;
    }

    final int outstanding() {
        return awaited.size();
    }

    final void send(final byte[] command, final ReplyCheck check) throws Failure {
        remember(command);
        awaited.add(check);
        unsent.add(ByteBuffer.wrap(command));
        flush();
    }

    /** Leaves without a word, or with half a one. */
    final void vanish(final Vanishing how) throws Failure {
        leaving = true;
        try {
            if (how == Vanishing.CLOSE_MID_COMMAND || how == Vanishing.RST_MID_COMMAND) {
                // What is unsent is a part of a command as well.
                final byte[] whole = RespBytes.command("PUBLISH", SoakNames.channel(0), "half of this");
                unsent.add(ByteBuffer.wrap(whole, 0, 1 + Math.floorMod(name.hashCode(), whole.length - 1)));
                flush();
            }
            if (how == Vanishing.RST || how == Vanishing.RST_MID_COMMAND) {
                socket.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            if (how == Vanishing.FIN && unsent.isEmpty()) {
                socket.shutdownOutput();
            } else {
                socket.close();
                ended();
            }
        } catch (final IOException failure) {
            throw new Failure(name + ": " + failure.getMessage(), failure);
        }
    }

    @Override
    public final void received(final byte[] bytes, final int length) throws Failure {
        if (gone) {
            return;
        }
        if (length == 0) {
            end();
            return;
        }
        parser.append(bytes, length);
        for (Object value = parser.next(); value != null; value = parser.next()) {
            remember(value);
            if (leaving && !answeredAfterLeaving()) {
                continue;
            }
            if (!push(value)) {
                final ReplyCheck check = awaited.poll();
                if (check == null) {
                    throw new Failure(name + ": received " + text(value) + " though nothing was asked");
                }
                check.check(value);
            }
        }
    }

    private void remember(final Object value) {
        history.add(value);
        if (history.size() > REMEMBERED) {
            history.remove();
        }
    }

    private void end() throws Failure {
        if (!leaving) {
            throw new Failure(name + " was cut by the server");
        }
        if (answeredAfterLeaving() && (!awaited.isEmpty() || parser.midFrame())) {
            throw new Failure(name + " ended its side, and " + awaited.size() + " commands sent before got no reply");
        }
        ended();
    }

    private void ended() {
        gone = true;
        over();
    }

    @Override
    public final void broken(final IOException cause) throws Failure {
        if (leaving && !answeredAfterLeaving()) {
            ended();
            return;
        }
        throw new Failure(name + " was cut: " + cause.getMessage(), cause);
    }

    @Override
    public final void writable() throws Failure {
        flush();
    }

    private void flush() throws Failure {
        try {
            while (!unsent.isEmpty()) {
                socket.write(unsent.peek());
                if (unsent.peek().hasRemaining()) {
                    break;
                }
                unsent.remove();
            }
        } catch (final IOException failure) {
            throw new Failure(name + " was cut: " + failure.getMessage(), failure);
        }
        loop.awaitWritable(socket, !unsent.isEmpty());
    }

    final Failure wrong(final Object reply, final String expected) {
        return new Failure(name + ": received " + text(reply) + " instead of " + expected + "; last sent and received: "
                + history.stream().map(SoakConnection::shortText).collect(Collectors.joining(" ")));
    }

    private static String shortText(final Object value) {
        final String text = text(value);
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }

    static String text(final Object value) {
        return switch (value) {
            case byte[] bytes -> "'" + RespBytes.printable(bytes) + "'";
            case Iterable<?> list -> {
                final StringBuilder text = new StringBuilder("[");
                list.forEach(
                        element -> text.append(text.length() > 1 ? ", " : "").append(text(element)));
                yield text.append(']').toString();
            }
            case RespParser.Push push -> "push " + text(push.elements());
            default -> value.toString();
        };
    }
}
