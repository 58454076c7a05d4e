// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

import goblin.net.EventLoop;
import goblin.net.Timer;
import goblin.nvmf.target.Opcode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * An association with one controller: its admin queue, its I/O queues, Keep Alive and asynchronous events. Made by
 * {@link #connect}; when {@link InitiatorListener#onReady} is called the I/O queues take commands. When any of its
 * connections is lost the whole association ends.
 *
 * <p>Everything runs on the loop's thread.
 */
public final class Initiator {
    private static final int ADMIN_DEPTH = 31;
    private static final long SHUTDOWN_NS = 10_000_000_000L;

    private final EventLoop loop;
    private final InitiatorOptions options;
    private final InitiatorListener listener;
    private final QueueEvents queueEvents = new QueueEvents();
    private final HostQueue admin;
    private final List<HostQueue> queues = new ArrayList<>();
    private final FabricsCommands fabrics;
    private final Timer keepAlive;
    private final HostCommand keepAliveCommand;
    private ControllerInfo controller;
    private int controllerId;
    private long capabilities;
    private int version;
    private int connectedQueues;
    private boolean ready;
    private boolean ended;
    private boolean shuttingDown;
    private long deadlineNs;

    private Initiator(final EventLoop loop, final InitiatorOptions options, final InitiatorListener listener) {
        this.loop = loop;
        this.options = options;
        this.listener = listener;
        admin = new HostQueue(loop, options, 0, ADMIN_DEPTH, HostQueue.FABRICS_IN_CAPSULE_BYTES, queueEvents);
        fabrics = new FabricsCommands(admin, this::fail);
        keepAlive = loop.newTimer(this::sendKeepAlive);
        keepAliveCommand = admin.take().whenDone(this::onKeepAlive);
    }

    /**
     * Begins an association. All that follows is told to the listener, in later turns.
     *
     * @param loop     its loop, whose thread calls this method or which has not started yet
     * @param options  to whom, and how
     * @param listener told of everything
     * @return the association
     */
    public static Initiator connect(
            final EventLoop loop, final InitiatorOptions options, final InitiatorListener listener) {
        final Initiator initiator = new Initiator(loop, options, listener);
        initiator.admin.connect();
        return initiator;
    }

    // ---- setting up, in the order in which it happens

    private void connect(final HostQueue queue) {
        final int sqSize = queue == admin ? ADMIN_DEPTH : queue.depth();
        final int id = queue == admin ? FabricsCommands.ANY_CONTROLLER : controllerId;
        new ConnectCommand(options, id).send(queue, sqSize, this::fail, result -> {
            if (queue == admin) {
                controllerId = (int) result & 0xFFFF;
                readCapabilities();
            } else {
                onQueueConnected();
            }
        });
    }

    private void readCapabilities() {
        fabrics.get(FabricsCommands.CAP, true, cap -> {
            capabilities = cap;
            deadlineNs = loop.nowNs() + ControllerInfo.readyTimeoutNs(cap);
            fabrics.get(FabricsCommands.VS, false, vs -> {
                version = (int) vs;
                fabrics.set(FabricsCommands.CC, FabricsCommands.ENABLE, this::waitUntilReady);
            });
        });
    }

    private void waitUntilReady() {
        fabrics.get(FabricsCommands.CSTS, false, status -> {
            if ((status & FabricsCommands.FATAL) != 0) {
                fail("the controller reports a fatal error");
            } else if ((status & FabricsCommands.READY) != 0) {
                identify();
            } else if (loop.nowNs() - deadlineNs > 0) {
                fail("the controller does not become ready");
            } else {
                loop.schedule(FabricsCommands.POLL_NS, this::waitUntilReady);
            }
        });
        admin.flush();
    }

    private void identify() {
        fabrics.identify(1, 0, page -> {
            controller = ControllerInfo.of(page, controllerId, capabilities, version);
            if (options.keepAliveMs() > 0) {
                armKeepAlive();
            }
            if (options.queues() == 0) {
                onAllConnected();
            } else {
                askForQueues();
            }
        });
    }

    private void askForQueues() {
        if (options.depth() > controller.maxOutstanding()) {
            fail("depth " + options.depth() + " is more than the target's " + controller.maxOutstanding());
            return;
        }
        fabrics.numberOfQueues(options.queues(), granted -> {
            if (granted < options.queues()) {
                fail(options.queues() + " I/O queues were asked for, " + granted + " are granted");
                return;
            }
            for (int qid = 1; qid <= options.queues(); qid++) {
                final HostQueue queue =
                        new HostQueue(loop, options, qid, options.depth(), controller.inCapsuleBytes(), queueEvents);
                queues.add(queue);
                queue.connect();
            }
        });
    }

    private void onQueueConnected() {
        if (++connectedQueues == options.queues()) {
            onAllConnected();
        }
    }

    private void onAllConnected() {
        ready = true;
        askForEvent();
        listener.onReady(this);
    }

    // ---- while it lives

    /**
     * An I/O queue.
     *
     * @param index 0 to the number of queues - 1
     * @return the queue
     */
    public HostQueue queue(final int index) {
        return queues.get(index);
    }

    /**
     * The admin queue.
     *
     * @return constant
     */
    public HostQueue admin() {
        return admin;
    }

    /**
     * The controller.
     *
     * @return null until it was identified
     */
    public ControllerInfo controller() {
        return controller;
    }

    /**
     * Whether the I/O queues take commands.
     *
     * @return true from {@link InitiatorListener#onReady} to the end
     */
    public boolean isReady() {
        return ready && !ended && !shuttingDown;
    }

    /**
     * Looks at a namespace.
     *
     * @param nsid  its identifier
     * @param found told of it; when there is none the association fails
     */
    public void identifyNamespace(final int nsid, final Consumer<NamespaceInfo> found) {
        fabrics.identify(0, nsid, page -> found.accept(NamespaceInfo.of(page, nsid)));
        admin.flush();
    }

    private void askForEvent() {
        final HostCommand command = admin.take();
        command.describe(Opcode.ASYNC_EVENT_REQUEST, 0).whenDone(this::onEvent);
        admin.submit(command);
        admin.flush();
    }

    private void onEvent(final HostCommand command) {
        final int status = command.status();
        final int event = (int) command.result();
        admin.give(command);
        if (status == 0 && !ended) {
            askForEvent();
            listener.onEvent(this, event);
        }
    }

    private void armKeepAlive() {
        keepAlive.arm(loop.nowNs() + options.keepAliveMs() * 1_000_000L / 2);
    }

    private void sendKeepAlive() {
        if (ended) {
            return;
        }
        if (keepAliveCommand.active) {
            fail("the target did not answer a Keep Alive in time");
            return;
        }
        keepAliveCommand.describe(Opcode.KEEP_ALIVE, 0);
        if (admin.submit(keepAliveCommand)) {
            admin.flush();
            armKeepAlive();
        }
    }

    private void onKeepAlive(final HostCommand command) {
        if (command.status() != 0 && command.status() != HostQueue.HOST_PATH_ERROR) {
            fail(FabricsCommands.failure("Keep Alive", command));
        }
    }

    // ---- the end

    /**
     * Ends the association in order: closes the I/O queues (commands under way there end with
     * {@link HostQueue#HOST_PATH_ERROR}), asks the controller to shut down and waits until it has, closes the admin queue.
     * {@link InitiatorListener#onClosed} follows.
     */
    public void shutDown() {
        if (ended || shuttingDown) {
            return;
        }
        shuttingDown = true;
        queues.forEach(HostQueue::close);
        if (controller == null) {
            close();
            listener.onClosed(this);
            return;
        }
        deadlineNs = loop.nowNs() + SHUTDOWN_NS;
        fabrics.set(
                FabricsCommands.CC, FabricsCommands.ENABLE | FabricsCommands.NORMAL_SHUTDOWN, this::waitUntilShutDown);
        admin.flush();
    }

    private void waitUntilShutDown() {
        fabrics.get(FabricsCommands.CSTS, false, status -> {
            if ((status & FabricsCommands.SHUTDOWN_STATUS) == FabricsCommands.SHUTDOWN_COMPLETE) {
                close();
                listener.onClosed(this);
            } else if (loop.nowNs() - deadlineNs > 0) {
                fail("the controller does not shut down");
            } else {
                loop.schedule(FabricsCommands.POLL_NS, this::waitUntilShutDown);
            }
        });
        admin.flush();
    }

    /** Closes all connections at once; nothing more is told. Idempotent. */
    public void close() {
        if (!ended) {
            ended = true;
            keepAlive.cancel();
            queues.forEach(HostQueue::close);
            admin.close();
            loop.execute(fabrics::freeMemory);
        }
    }

    private void fail(final String reason) {
        if (!ended) {
            close();
            listener.onFailed(this, reason);
        }
    }

    /** What the queues tell. */
    private final class QueueEvents implements HostQueue.QueueListener {
        @Override
        public void onOpen(final HostQueue queue) {
            connect(queue);
        }

        @Override
        public void onLost(final HostQueue queue, final String reason) {
            fail(reason);
        }
    }
}
