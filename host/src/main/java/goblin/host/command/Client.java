// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.net.NativeBuffer;
import goblin.pubsub.Subscriptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One client as the commands see it: what it said about itself, its transaction, its watches, its subscriptions. The
 * session below it moves the bytes. Single-threaded.
 */
public abstract class Client implements Receiver, Publisher {
    /** What happens to replies; pushes are never held back. */
    enum ReplyMode {
        ON,
        OFF,
        /** The next command's replies are dropped. */
        SKIP_NEXT,
        /** This command's replies are dropped. */
        SKIP
    }

    private final long id;
    private final long createdMs;
    private byte[] name = {};
    private String libraryName = "";
    private String libraryVersion = "";
    private String user = "default";
    private int protocol = 2;
    private boolean authenticated;
    private final NativeBuffer deferredPushes = new NativeBuffer();

    Transaction transaction;
    final List<Watches.Watch> watches = new ArrayList<>(0);
    boolean watchedKeyChanged;
    BlockedClients.Blocked blocked;
    boolean stillBlocked;
    ReplyMode replyMode = ReplyMode.ON;
    boolean noEvict;
    boolean noTouch;
    CommandSpec lastCommand;
    long lastCommandMs;
    long commands;
    private boolean running;
    private final Subscriptions<Receiver> subscriptions = new Subscriptions<>();

    final ClientTracking tracking = new ClientTracking();

    /**
     * A client that has just connected.
     *
     * @param id            unique and growing
     * @param createdMs     milliseconds since 1970
     * @param authenticated true when no authentication is configured
     */
    protected Client(final long id, final long createdMs, final boolean authenticated) {
        this.id = id;
        this.createdMs = createdMs;
        this.lastCommandMs = createdMs;
        this.authenticated = authenticated;
    }

    /**
     * Where replies and pushes of this turn are gathered, in order. Asking marks the client as one that has something
     * to send.
     *
     * @return never null while the client is open
     */
    protected abstract NativeBuffer output();

    /**
     * Queues a large value so that its bytes are copied only once.
     *
     * @param bytes  the value
     * @param length how many of them, at least 1
     */
    protected abstract void outputLarge(byte[] bytes, int length);

    /**
     * Bytes queued and not yet taken by the kernel.
     *
     * @return 0 or more
     */
    public abstract long pendingBytes();

    /**
     * Bytes received and not yet executed.
     *
     * @return 0 or more
     */
    public abstract long pendingInput();

    /** Closes after everything queued was sent; nothing more is executed. */
    public abstract void closeAfterReply();

    /**
     * Closes at the end of the turn without waiting for anything.
     *
     * @param reason one line for the log, or null when nothing is wrong
     */
    public abstract void closeSoon(String reason);

    /**
     * Whether it is still open.
     *
     * @return false once closing has begun
     */
    public abstract boolean isOpen();

    /**
     * The peer's address for people.
     *
     * @return never null
     */
    public abstract String peerName();

    /**
     * Our address for people.
     *
     * @return never null
     */
    public abstract String localName();

    /**
     * The descriptor.
     *
     * @return unique among open connections
     */
    public abstract int descriptor();

    /**
     * Whether commands of this client may wait.
     *
     * @return false for a script's client
     */
    public boolean mayBlock() {
        return true;
    }

    /** The size of requests that are accepted depends on authentication. */
    protected void onAuthenticated() {}

    @Override
    public void onMatch(final Publication publication) {
        push(publication.frame(protocol));
    }

    /**
     * Whether a command of this client is running, so that pushes to itself come after its reply.
     *
     * @return true from before the command until after its reply
     */
    protected final boolean isRunning() {
        return running;
    }

    final void beginRunning() {
        running = true;
    }

    /** Queues a whole push frame: at once, or behind the reply of the client's own running command. */
    void push(final NativeBuffer frame) {
        if (!running) {
            pushNow(frame);
        } else if (mayDefer(deferredPushes.length() + frame.length())) {
            deferredPushes.append(frame.address(), frame.length());
        }
    }

    /**
     * Asked before a push is kept until the client's own command has ended.
     *
     * @param bytes pushes kept then
     * @return false when the push is dropped, because the client is not to live that long
     */
    protected boolean mayDefer(final long bytes) {
        return true;
    }

    /**
     * Queues a whole push frame now.
     *
     * @param frame copied or shared
     */
    protected abstract void pushNow(NativeBuffer frame);

    /** The running command has written its reply: pushes to itself follow. */
    void endRunning() {
        running = false;
        if (deferredPushes.length() > 0) {
            pushNow(deferredPushes);
            deferredPushes.clear();
            if (deferredPushes.capacity() > 1 << 16) {
                deferredPushes.free();
            }
        }
    }

    /** Frees what the client owns outside the heap; it has left every registry before. */
    protected void freeMemory() {
        deferredPushes.free();
        if (transaction != null) {
            transaction.free();
            transaction = null;
        }
    }

    /**
     * Its number.
     *
     * @return unique and growing
     */
    public final long id() {
        return id;
    }

    /**
     * When it connected.
     *
     * @return milliseconds since 1970
     */
    public final long createdMs() {
        return createdMs;
    }

    /**
     * Its protocol.
     *
     * @return 2 or 3
     */
    public final int protocol() {
        return protocol;
    }

    final void setProtocol(final int version) {
        protocol = version;
    }

    /**
     * The name it gave itself.
     *
     * @return empty when it has none
     */
    public final byte[] name() {
        return name;
    }

    final String nameText() {
        return new String(name, StandardCharsets.ISO_8859_1);
    }

    final void setName(final byte[] to) {
        name = to;
    }

    final String libraryName() {
        return libraryName;
    }

    final void setLibraryName(final String to) {
        libraryName = to;
    }

    final String libraryVersion() {
        return libraryVersion;
    }

    final void setLibraryVersion(final String to) {
        libraryVersion = to;
    }

    /**
     * Whether it may run commands.
     *
     * @return true when no authentication is configured
     */
    public final boolean isAuthenticated() {
        return authenticated;
    }

    /**
     * It proved who it is, or is nobody again.
     *
     * @param as  its user
     * @param may whether it may run commands
     */
    public final void setAuthenticated(final String as, final boolean may) {
        user = as;
        authenticated = may;
        onAuthenticated();
    }

    final String user() {
        return user;
    }

    /**
     * When it last sent a command.
     *
     * @return milliseconds since 1970
     */
    public final long lastCommandMs() {
        return lastCommandMs;
    }

    /**
     * Whether it waits in a blocking command.
     *
     * @return true between the command and its reply
     */
    public final boolean isBlocked() {
        return blocked != null;
    }

    @Override
    public final Subscriptions<Receiver> subscriptions() {
        return subscriptions;
    }

    final boolean isSubscribed() {
        return !subscriptions.isEmpty();
    }

    final boolean inMulti() {
        return transaction != null;
    }

    /** Replies of the command that runs now are dropped. */
    final boolean isMuted() {
        return replyMode == ReplyMode.OFF || replyMode == ReplyMode.SKIP;
    }
}
